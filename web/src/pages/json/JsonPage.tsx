// JSON, folded; or its text. A text that is no JSON is shown with the line where it is broken.
import { useMemo } from "preact/hooks";
import type { PageProps } from "../../core/registry";
import { useResource } from "../../core/resource";
import { JsonTree } from "../../parts/json/JsonTree";
import { type Json, placeOfError } from "../../parts/json/tree";
import { Notice } from "../../parts/Notice";
import { Views } from "../../parts/Views";
import { texts } from "../../texts";

export default function JsonPage({ uri, where, fragment }: PageProps) {
  const resource = useResource(uri).resource.value;
  const content = resource?.content ?? "null";
  const parsed = useMemo(() => parse(content), [content]);
  if (!resource) return null;
  const broken = "error" in parsed ? parsed : null;
  const place = broken ? `L${broken.line}` : "";
  return (
    <>
      {broken && <Notice text={texts.json.broken(broken.error)} />}
      <Views
        uri={uri}
        where={where}
        fragment={broken && fragment === "" ? place : fragment}
        resource={resource}
        rendered={texts.json.tree}
      >
        {"value" in parsed && <JsonTree value={parsed.value} label={texts.json.tree} />}
      </Views>
    </>
  );
}

function parse(text: string): { value: Json } | { error: string; line: number } {
  try {
    return { value: JSON.parse(text) as Json };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { error: message, line: placeOfError(message, text)?.line ?? 1 };
  }
}
