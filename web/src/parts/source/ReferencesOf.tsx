import { texts } from "../../texts";
import { AddressLink } from "../AddressLink";
import { aspectUri, fileUri } from "../files";
import { useJson } from "../useJson";
import { lineAndText, type OutlineRow, type References, symbolQuery } from "./symbols";

// Where the symbol is used in the workspace.
export function ReferencesOf({ path, row }: { path: string; row: OutlineRow }) {
  const uri = aspectUri(path, "references", `symbol=${encodeURIComponent(symbolQuery(row))}`);
  const { value, error } = useJson<References>(uri);
  return (
    <section class="references" aria-busy={!value && !error}>
      <h2>{texts.source.references(row.symbol.name)}</h2>
      {row.symbol.doc && <p class="faint">{row.symbol.doc}</p>}
      {!value && !error && <p class="faint">{texts.pane.loading}</p>}
      {error && <p class="faint">{error.message}</p>}
      {value && <ReferenceList found={value} />}
    </section>
  );
}

export function ReferenceList({ found }: { found: References }) {
  const { references = [], known_by, incomplete, unsupported } = found;
  if (unsupported) return <p class="faint">{unsupported}</p>;
  return (
    <>
      {references.length === 0 && <p class="faint">{texts.source.noReferences}</p>}
      {references.map(({ file, by, lines }) => (
        <div class="reference-file" key={file}>
          <p>
            <AddressLink uri={fileUri(file)}>{file}</AddressLink> <span class="tie">{by}</span>
          </p>
          <ol>
            {lines.map((entry) => {
              const { line, text } = lineAndText(entry);
              return (
                <li key={entry}>
                  <AddressLink uri={fileUri(file, line)}>
                    <span class="faint">{line}</span> <code>{text}</code>
                  </AddressLink>
                </li>
              );
            })}
          </ol>
        </div>
      ))}
      {(incomplete || known_by) && <p class="faint small">{incomplete ?? known_by}</p>}
    </>
  );
}
