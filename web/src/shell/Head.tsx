import type { Resource } from "../core/api";
import { go, open } from "../core/location";
import { editorLink } from "../core/settings";
import { CopyButton } from "../parts/CopyButton";
import { texts } from "../texts";
import { Breadcrumbs, crumbsOf } from "./Breadcrumbs";

interface Props {
  uri: string;
  where: "main" | "pane";
  title: string | null; // null: the page has its own
  resource: Resource | null;
  line: number; // 0: none is meant
}

export function Head({ uri, where, title, resource, line }: Props) {
  const path = resource?.path ?? null;
  const editor = path?.startsWith("/") ? editorLink(path, line || 1) : null;
  const heading = title !== null && (where === "main" ? <h1>{title}</h1> : <h2>{title}</h2>);
  // A way of one step says nothing.
  const hasWay = crumbsOf(uri).length > 1;
  return (
    <header class="pane-head">
      <div class="pane-line">
        {hasWay ? <Breadcrumbs uri={uri} where={where} /> : heading}
        <div class="actions">
          <CopyButton text={uri} label={texts.pane.copyUri} />
          {path && <CopyButton text={path} label={texts.pane.copyPath} />}
          {editor && (
            <a class="button quiet" href={editor}>
              {texts.pane.openInEditor}
            </a>
          )}
          {where === "pane" && (
            <>
              <IconButton label={texts.pane.expand} icon="⤢" run={() => open(uri)} />
              <IconButton label={texts.shell.close} icon="✕" run={() => go({ pane: "" })} />
            </>
          )}
        </div>
      </div>
      {hasWay && heading}
    </header>
  );
}

function IconButton({ label, icon, run }: { label: string; icon: string; run: () => void }) {
  return (
    <button type="button" class="quiet icon" onClick={run} title={label} aria-label={label}>
      {icon}
    </button>
  );
}
