import { useMemo, useState } from "preact/hooks";
import { hrefOf } from "../../core/location";
import { texts } from "../../texts";
import { type OutlineRow, outlineMatches } from "./symbols";

interface Props {
  rows: OutlineRow[];
  chosen: OutlineRow | null;
  uri: string;
  go: (line: number) => void;
}

const most = 400; // rows that are in the page; the rest is found by typing

// What the file defines; a symbol is a link to its line.
export function Outline({ rows, chosen, uri, go }: Props) {
  const [words, setWords] = useState("");
  const found = useMemo(() => outlineMatches(rows, words), [rows, words]);
  return (
    <section class="outline" aria-label={texts.source.outline}>
      <input
        type="search"
        value={words}
        placeholder={texts.source.filter}
        aria-label={texts.source.filter}
        onInput={(event) => setWords(event.currentTarget.value)}
      />
      <ul>
        {found.slice(0, most).map((row) => (
          <li key={`${row.line} ${row.symbol.name}`} data-level={words ? 0 : Math.min(row.level, 5)}>
            <a
              href={hrefOf({ uri: `${uri}#L${row.line}`, pane: "" })}
              aria-current={row === chosen ? "location" : undefined}
              title={row.symbol.signature}
              onClick={(event) => {
                if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
                event.preventDefault();
                go(row.line);
              }}
            >
              <span class={`symbol symbol-${row.symbol.kind}`} title={row.symbol.kind}>
                {texts.source.kinds[row.symbol.kind] ?? row.symbol.kind.slice(0, 2)}
              </span>
              <span class="symbol-name">{row.symbol.name}</span>
            </a>
          </li>
        ))}
      </ul>
      {found.length > most && <p class="faint">{texts.source.more(found.length - most)}</p>}
      {found.length === 0 && <p class="faint">{texts.palette.nothing}</p>}
    </section>
  );
}
