// The tree of a project, one level at a time: a directory is read when it is unfolded.
import { useMemo, useState } from "preact/hooks";
import { useResource } from "../../core/resource";
import { encodePath } from "../../core/uri";
import { AddressLink } from "../../parts/AddressLink";
import { FileIcon } from "../../parts/FileIcon";
import { fileUri } from "../../parts/files";
import { texts } from "../../texts";
import { treeEntries } from "./summary";

export function Tree({ path }: { path: string }) {
  const where = path ? `${encodePath(path)}/` : "";
  const { resource, error } = useResource(`resource://project/${where}structure?max_depth=1`);
  const content = resource.value?.content ?? "";
  const entries = useMemo(() => treeEntries(content), [content]);
  if (error.value) return <p class="faint">{error.value.message}</p>;
  if (!resource.value) return <p class="faint">{texts.pane.loading}</p>;
  return (
    <ul class="tree">
      {entries.map(({ name, directory, note }) => {
        const full = path ? `${path}/${name}` : name;
        return (
          <li key={name}>
            {directory ? (
              <Directory path={full} name={name} note={note} />
            ) : (
              <AddressLink uri={fileUri(full)}>
                <FileIcon directory={false} />
                {name}
              </AddressLink>
            )}
          </li>
        );
      })}
    </ul>
  );
}

function Directory({ path, name, note }: { path: string; name: string; note: string }) {
  const [open, setOpen] = useState(false);
  return (
    <details open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <FileIcon directory={true} />
        {name} <span class="faint">{note}</span>
      </summary>
      {open && <Tree path={path} />}
    </details>
  );
}
