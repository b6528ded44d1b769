import type { Resource } from "../core/api";
import { nameOf } from "../core/uri";
import { texts } from "../texts";
import { useBlobUrl } from "./useBlob";

// Saves what was read as a file. Whatever it is, the browser is told that it is bytes, so that it
// opens nothing of it.
export function SaveButton({ resource }: { resource: Resource }) {
  const url = useBlobUrl(resource, "application/octet-stream");
  if (!url) return null;
  return (
    <a class="button" href={url} download={nameOf(resource.uri)}>
      {texts.file.save}
    </a>
  );
}
