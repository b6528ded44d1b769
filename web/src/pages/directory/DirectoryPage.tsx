// What is in a directory, as a table; below it its README, as people know it from forges.
import { useEffect, useRef, useState } from "preact/hooks";
import { useKeys } from "../../core/keys";
import { change, open } from "../../core/location";
import type { PageProps } from "../../core/registry";
import { useResource } from "../../core/resource";
import { AddressLink } from "../../parts/AddressLink";
import { type Entry, readDirectory, type SortKey, sortedEntries } from "../../parts/directory";
import { FileIcon } from "../../parts/FileIcon";
import { parentUri, sizeText } from "../../parts/files";
import { Markdown } from "../../parts/Markdown";
import { texts } from "../../texts";
import "./directory.css";

export default function DirectoryPage({ uri, where, fragment }: PageProps) {
  const resource = useResource(uri).resource.value;
  const [entries, setEntries] = useState<Entry[] | null>(null);
  useEffect(() => {
    if (!resource) return;
    let over = false;
    readDirectory(uri, resource.content).then((all) => !over && setEntries(all));
    return () => {
      over = true;
    };
  }, [uri, resource]);
  if (!entries) return <p class="faint">{texts.pane.loading}</p>;
  if (entries.length === 0) return <p class="faint">{texts.directory.empty}</p>;
  const readme = entries.find(({ name }) => /^readme(\.md|\.markdown)?$/i.test(name));
  return (
    <>
      <Entries entries={entries} uri={uri} where={where} fragment={fragment} />
      {readme && <Readme uri={readme.uri} />}
    </>
  );
}

interface Props {
  entries: Entry[];
  uri: string;
  where: "main" | "pane";
  fragment: string;
}

const columns: SortKey[] = ["name", "size", "modified"];

function Entries({ entries, uri, where, fragment }: Props) {
  const wanted = /^sort=(-?)(name|size|modified)$/.exec(fragment);
  const by = (wanted?.[2] ?? "name") as SortKey;
  const down = wanted?.[1] === "-";
  const body = useRef<HTMLTableSectionElement>(null);
  // The table takes them itself, while one of its links has the focus.
  useKeys(
    (["ArrowDown", "ArrowUp", "Backspace"] as const).map((keys) => ({
      keys,
      group: texts.directory.keys,
      text: texts.directory.keyTexts[keys],
      run: () => false,
    })),
  );
  const move = (event: KeyboardEvent) => {
    const links = [...(body.current?.querySelectorAll<HTMLElement>("th a") ?? [])];
    const at = links.indexOf(document.activeElement as HTMLElement);
    const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: links.length - 1 }[event.key];
    const parent = parentUri(uri);
    if (event.key === "Backspace" && parent) open(parent, where);
    else if (next === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    else links[Math.max(0, Math.min(next, links.length - 1))]?.focus();
    event.preventDefault();
  };
  return (
    <table class="directory" onKeyDown={move}>
      <caption class="faint">{texts.directory.count(entries)}</caption>
      <thead>
        <tr>
          {columns.map((name) => (
            <th key={name} scope="col" aria-sort={name !== by ? "none" : down ? "descending" : "ascending"}>
              <button
                type="button"
                class="quiet"
                onClick={() =>
                  change(where, `${uri}#sort=${name === by && !down ? "-" : ""}${name}`, "replace")
                }
              >
                {texts.directory[name]}
                <span aria-hidden="true">{name === by ? (down ? " ↓" : " ↑") : ""}</span>
              </button>
            </th>
          ))}
        </tr>
      </thead>
      <tbody ref={body}>
        {sortedEntries(entries, by, down).map((entry) => (
          <tr key={entry.uri}>
            <th scope="row">
              <AddressLink uri={entry.uri} where={entry.directory ? where : "pane"}>
                <FileIcon directory={entry.directory} />
                <span>
                  {entry.name}
                  {entry.directory && <span class="faint">/</span>}
                </span>
              </AddressLink>
            </th>
            <td class="number">{entry.size === null ? "" : sizeText(entry.size)}</td>
            <td>
              {entry.modified && (
                <time dateTime={entry.modified}>{new Date(entry.modified).toLocaleString()}</time>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Readme({ uri }: { uri: string }) {
  const resource = useResource(uri).resource.value;
  if (resource?.encoding !== "utf-8") return null;
  return (
    <section class="readme" aria-label={texts.directory.readme}>
      <Markdown text={resource.content} base={uri} />
    </section>
  );
}
