import type { Resource } from "../core/api";
import { useResource } from "../core/resource";
import { fileUri, workspacePath } from "./files";

// The path in the workspace of what was read at an address, or null. The owner is told absolute
// paths, so that the root has to be known too.
export function useWorkspacePath(uri: string, resource: Resource | null): string | null {
  const absolute = uri.startsWith("file:") && resource?.path?.startsWith("/") === true;
  const root = useResource(absolute ? fileUri("") : null).resource.value?.path ?? null;
  return workspacePath(uri, resource, root);
}
