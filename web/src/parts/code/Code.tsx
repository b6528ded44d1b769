// A text in lines with numbers, in colours. Long ones are drawn where they are seen.
import { useEffect, useMemo, useState } from "preact/hooks";
import { hrefOf } from "../../core/location";
import { texts } from "../../texts";
import { VirtualRows } from "../VirtualRows";
import { highlight } from "./highlight";
import { linesIn, type Range, widthOf } from "./lines";
import type { Line } from "./tokens";
import "./code.css";

const rowHeight = 20; // px, as in code.css
const allInPage = 3000; // lines
const longestLine = 2000; // characters that are drawn of a line

interface Props {
  text: string;
  language: string;
  label: string;
  first?: number; // the number of the first line
  marked?: Range | null;
  uri: string; // of the whole: a line's link is this and "#L12"
  choose: (line: number, extend: boolean) => void;
}

export function Code({ text, language, label, first = 1, marked = null, uri, choose }: Props) {
  const shown = useColours(text, language);
  const lines = useMemo(() => linesIn(shown.text), [shown.text]);
  const width = useMemo(() => widthOf(lines, longestLine), [lines]);
  const digits = String(first + lines.length - 1).length;
  const from = marked?.from ?? 0;
  // Wished for again when the text is another: a line that was behind its end may be there now.
  const target = useMemo(
    () => (from >= first && from < first + lines.length ? { row: from - first } : null),
    [from, first, lines.length > from - first],
  );
  const row = (at: number) => {
    const number = first + at;
    const isMarked = marked !== null && number >= marked.from && number <= marked.to;
    return (
      <div key={number} class={isMarked ? "code-row marked" : "code-row"}>
        <a
          class="line-number"
          tabIndex={-1}
          aria-label={texts.source.lineNumber(number)}
          href={hrefOf({ uri: `${uri}#L${number}`, pane: "" })}
          onClick={(event) => {
            if (event.button !== 0 || event.ctrlKey || event.metaKey || event.altKey) return;
            event.preventDefault();
            choose(number, event.shiftKey);
          }}
        >
          {number}
        </a>
        <code>{pieces(lines[at] ?? "", shown.colours?.[at])}</code>
      </div>
    );
  };
  return (
    <VirtualRows
      class="code"
      label={label}
      rows={lines.length}
      rowHeight={rowHeight}
      row={row}
      width={`calc(${width + digits}ch + 3rem)`}
      target={target}
      all={allInPage}
      attributes={{ "data-digits": Math.min(8, digits) }}
    />
  );
}

function pieces(line: string, coloured: Line | undefined) {
  if (line.length > longestLine) return `${line.slice(0, longestLine)} … (${line.length - longestLine} more)`;
  if (!coloured) return line;
  return coloured.map((piece, at) =>
    typeof piece === "string" ? (
      piece
    ) : (
      <span key={at} class={`tok-${piece[0]}`}>
        {piece[1]}
      </span>
    ),
  );
}

const plainAfter = 250; // ms

// The text with its colours. When it changes, the old one stays for the moment that the colours of
// the new one take, so that a page that somebody reads does not flicker.
function useColours(text: string, language: string): { text: string; colours: Line[] | null } {
  const [shown, setShown] = useState<{ text: string; colours: Line[] | null }>({ text, colours: null });
  useEffect(() => {
    let over = false;
    const timer = setTimeout(() => setShown({ text, colours: null }), plainAfter);
    void highlight(text, language).then((colours) => {
      clearTimeout(timer);
      if (!over) setShown({ text, colours });
    });
    return () => {
      over = true;
      clearTimeout(timer);
    };
  }, [text, language]);
  return shown;
}
