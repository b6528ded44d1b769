// A file that has two views: as it is meant, and its text. The address says which: "#view=source", or a
// line ("#L12"), is the text.
import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { type Resource, readBlob } from "../core/api";
import { change } from "../core/location";
import { nameOf } from "../core/uri";
import { texts } from "../texts";
import { rangeOf } from "./code/lines";
import { lazyPart } from "./lazy";
import { useWorkspacePath } from "./useWorkspacePath";
import "./views.css";

const SourceView = lazyPart(() => import("./source/SourceView").then((module) => module.SourceView));

// No heading is called so.
export const sourceView = "view=source";

interface Props {
  uri: string;
  where: "main" | "pane";
  fragment: string;
  resource: Resource;
  rendered: string; // what the first view is called
  actions?: ComponentChildren;
  children: ComponentChildren;
}

export function Views({ uri, where, fragment, resource, rendered, actions, children }: Props) {
  const asText = fragment === sourceView || rangeOf(fragment) !== null;
  return (
    <>
      <div class="views">
        <fieldset aria-label={texts.file.views}>
          <button type="button" aria-pressed={!asText} onClick={() => change(where, uri)}>
            {rendered}
          </button>
          <button type="button" aria-pressed={asText} onClick={() => change(where, `${uri}#${sourceView}`)}>
            {texts.file.source}
          </button>
        </fieldset>
        {actions}
      </div>
      {asText ? <TextOf uri={uri} where={where} fragment={fragment} resource={resource} /> : children}
    </>
  );
}

// The whole text: of markdown the resource has what follows the frontmatter.
function TextOf({ uri, where, fragment, resource }: Pick<Props, "uri" | "where" | "fragment" | "resource">) {
  const path = useWorkspacePath(uri, resource);
  const [text, setText] = useState<string | null>(
    resource.type === "text/markdown" ? null : resource.content,
  );
  useEffect(() => {
    if (resource.type !== "text/markdown") {
      setText(resource.content);
      return;
    }
    const abort = new AbortController();
    readBlob(uri, abort.signal)
      .then((blob) => blob.text())
      .then(setText)
      .catch(() => !abort.signal.aborted && setText(resource.content));
    return () => abort.abort();
  }, [uri, resource]);
  if (text === null) return <p class="faint">{texts.pane.loading}</p>;
  return (
    <SourceView
      uri={uri}
      where={where}
      fragment={fragment}
      text={text}
      name={nameOf(resource.path ?? uri)}
      path={path}
    />
  );
}
