// JSON at an address, kept up to date.
import { useMemo } from "preact/hooks";
import type { ApiError } from "../core/api";
import { useResource } from "../core/resource";

export interface Json<T> {
  value: T | null; // null while it is read, and if it cannot be
  error: ApiError | null;
  reload: () => void;
}

export function useJson<T>(uri: string | null): Json<T> {
  const shown = useResource(uri);
  const content = shown.resource.value?.content;
  const value = useMemo(() => (content === undefined ? null : parse<T>(content)), [content]);
  return { value, error: shown.error.value, reload: () => void shown.reload() };
}

function parse<T>(content: string): T | null {
  try {
    return JSON.parse(content) as T;
  } catch {
    return null;
  }
}
