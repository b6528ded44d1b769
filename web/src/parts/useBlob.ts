// What was read at an address as a blob: URL, which is given back when another takes its place.
import { useEffect, useMemo, useState } from "preact/hooks";
import type { Resource } from "../core/api";
import { bytesOf } from "./bytes";

// `type` is said by the page, never by the content: a browser must not take it for something else.
export function useBlobUrl(resource: Resource | null, type: string): string | null {
  const [url, setUrl] = useState<string | null>(null);
  const content = resource?.content;
  const encoding = resource?.encoding;
  useEffect(() => {
    if (content === undefined) return;
    const made = URL.createObjectURL(
      new Blob([encoding === "base64" ? bytesOf(content) : content], { type }),
    );
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [content, encoding, type]);
  return url;
}

export function useBytes(resource: Resource | null): Uint8Array<ArrayBuffer> {
  return useMemo(
    () => (resource?.encoding === "base64" ? bytesOf(resource.content) : new Uint8Array()),
    [resource],
  );
}
