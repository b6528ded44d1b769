// A file's text with what is known about it: an outline that jumps, the references of the symbol
// that was chosen, what the file imports. The line is part of the address: #L12, #L12-L20.
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { useKeys } from "../../core/keys";
import { change } from "../../core/location";
import { texts } from "../../texts";
import { CopyButton } from "../CopyButton";
import { Code } from "../code/Code";
import { languageOfFile, languageOfWord } from "../code/languages";
import { countLines, fragmentOfRange, rangeOf } from "../code/lines";
import { aspectUri, sizeText } from "../files";
import { useBoxSize } from "../useBoxSize";
import { useJson } from "../useJson";
import { Imports } from "./Imports";
import { Outline } from "./Outline";
import { ReferencesOf } from "./ReferencesOf";
import { type FileSymbol, outlineRows, symbolAt } from "./symbols";
import "./source.css";

interface Props {
  uri: string;
  where: "main" | "pane";
  fragment: string;
  text: string;
  name: string; // of the file, which tells the language
  language?: string; // where the name does not
  path: string | null; // in the workspace; null: nothing more is known about it
  first?: number; // the number of the text's first line
  lineUri?: string; // where lines have their links, if not at `uri`
}

export function SourceView({ uri, where, fragment, text, name, language, path, first = 1, lineUri }: Props) {
  const marked = rangeOf(fragment);
  const line = marked?.from ?? 0;
  const symbols = useJson<{ language?: string; symbols: FileSymbol[] }>(
    path && aspectUri(path, "symbols", "compact=false"),
  );
  const rows = useMemo(() => {
    const known = symbols.value?.symbols;
    return Array.isArray(known) ? outlineRows(known) : [];
  }, [symbols.value]);
  const chosen = symbolAt(rows, line);
  const box = useRef<HTMLDivElement>(null);
  const { width, rem } = useBoxSize(box);
  const narrow = width < 44 * rem;
  // Until somebody says so, there is an outline where there is room for it.
  const [wanted, setWanted] = useState<boolean | null>(null);
  const open = rows.length > 0 && (wanted ?? !narrow);
  const lines = useMemo(() => countLines(text), [text]);
  const size = useMemo(() => sizeText(new Blob([text]).size), [text]);
  useKeys([
    {
      keys: "l",
      group: texts.source.keys,
      text: texts.source.goToLine,
      within: () => box.current?.closest(".pane") ?? null,
      run: () => box.current?.querySelector<HTMLInputElement>(".go-to-line input")?.select(),
    },
  ]);
  const goTo = (to: number, extend = false) => {
    const range =
      extend && marked
        ? { from: Math.min(marked.from, to), to: Math.max(marked.from, to) }
        : { from: to, to };
    change(where, `${uri}#${fragmentOfRange(range)}`, "replace");
  };
  return (
    <div class="source fills" ref={box}>
      <div class="source-bar">
        <span class="faint">{texts.source.size(lines, size)}</span>
        <GoToLine lines={first + lines - 1} line={line} go={goTo} />
        {rows.length > 0 && (
          <button type="button" class="quiet" aria-expanded={open} onClick={() => setWanted(!open)}>
            {texts.source.outline}
          </button>
        )}
        <CopyButton text={() => text} label={texts.source.copyText} />
      </div>
      <div class={narrow ? "source-body fills narrow" : "source-body fills"}>
        <Code
          text={text}
          language={languageOfWord(symbols.value?.language ?? "") || (language ?? languageOfFile(name))}
          label={texts.source.of(name)}
          first={first}
          marked={marked}
          uri={lineUri ?? uri}
          choose={goTo}
        />
        {open && path !== null && (
          <aside class="source-side" aria-label={texts.source.outline}>
            <Outline rows={rows} chosen={chosen} uri={uri} go={goTo} />
            {chosen && <ReferencesOf path={path} row={chosen} />}
            <Imports path={path} />
          </aside>
        )}
      </div>
    </div>
  );
}

function GoToLine({ lines, line, go }: { lines: number; line: number; go: (line: number) => void }) {
  const [typed, setTyped] = useState("");
  useEffect(() => setTyped(line > 0 ? String(line) : ""), [line]);
  return (
    <form
      class="go-to-line"
      onSubmit={(event) => {
        event.preventDefault();
        const wanted = Math.round(Number(typed));
        if (wanted >= 1) go(Math.min(wanted, lines));
      }}
    >
      <label>
        <span>{texts.source.line}</span>
        <input
          inputMode="numeric"
          size={6}
          value={typed}
          onInput={(event) => setTyped(event.currentTarget.value)}
        />
      </label>
    </form>
  );
}
