import { useState } from "preact/hooks";
import { texts } from "../../texts";
import { AddressLink } from "../AddressLink";
import { aspectUri, fileUri } from "../files";
import { useJson } from "../useJson";

export interface Import {
  line: number;
  from: string;
  file?: string;
  names?: string[];
}

// What the file imports; read when somebody wants to see it.
export function Imports({ path }: { path: string }) {
  const [open, setOpen] = useState(false);
  const { value } = useJson<{ imports?: Import[]; unsupported?: string }>(
    open ? aspectUri(path, "imports") : null,
  );
  return (
    <details class="imports" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{texts.source.imports}</summary>
      {open && !value && <p class="faint">{texts.pane.loading}</p>}
      {value && <ImportList imports={value.imports ?? []} />}
    </details>
  );
}

export function ImportList({ imports }: { imports: Import[] }) {
  if (imports.length === 0) return <p class="faint">{texts.source.noImports}</p>;
  return (
    <ul class="import-list">
      {imports.map(({ line, from, file, names }) => (
        <li key={`${line} ${from}`}>
          {file ? <AddressLink uri={fileUri(file)}>{from}</AddressLink> : <span>{from}</span>}
          {names && names.length > 0 && <span class="faint"> {names.join(", ")}</span>}
        </li>
      ))}
    </ul>
  );
}
