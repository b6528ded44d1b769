// A project: what its summary says, its tree, its files.
import type { PageProps } from "../../core/registry";
import { encodePath } from "../../core/uri";
import { AddressLink } from "../../parts/AddressLink";
import { texts } from "../../texts";
import { Files } from "./Files";
import { SummaryView } from "./SummaryView";
import { Tree } from "./Tree";
import "./project.css";

const views = ["summary", "structure", "files"] as const;

export default function ProjectPage({ uri, address, where }: PageProps) {
  const view = address.segments.at(-1);
  const given = address.segments.slice(0, -1).join("/");
  const path = given === "." ? "" : given;
  return (
    <>
      <nav class="tabs" aria-label={texts.project.views}>
        {views.map((name) => (
          <AddressLink
            key={name}
            uri={`resource://project/${path ? `${encodePath(path)}/` : ""}${name}`}
            where={where}
            current={name === view ? "page" : undefined}
          >
            {texts.project[name]}
          </AddressLink>
        ))}
      </nav>
      {view === "files" ? (
        <Files uri={uri} path={path} where={where} />
      ) : view === "structure" ? (
        <Tree path={path} />
      ) : (
        <SummaryView uri={uri} path={path} />
      )}
    </>
  );
}
