// Finds everything as one types: what the server's search answers, names of files and tasks, addresses
// that are typed in full, and, while nothing is typed, what was opened last.
import type { RefObject } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { open } from "../core/location";
import { lazyPart } from "../parts/lazy";
import { texts } from "../texts";
import { Dialog } from "./Dialog";
import { modName } from "./KeysHelp";
import { type Hit, type Kind, kinds, marked } from "./palette/hits";
import { useHits } from "./palette/useHits";
import "./palette/palette.css";

const Preview = lazyPart(() => import("./palette/Preview").then((module) => module.Preview));
const wide = "(min-width: 60rem)"; // as in palette.css

export function Palette({ close }: { close: () => void }) {
  const [query, setQuery] = useState("");
  const [kind, setKind] = useState<Kind>("");
  const [at, setAt] = useState(0);
  const found = useHits(query, kind);
  const { hits, busy } = found;
  const list = useRef<HTMLDivElement>(null);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  useEffect(() => list.current?.children[at]?.scrollIntoView({ block: "nearest" }), [at]);
  const within = (place: number) => Math.max(0, Math.min(place, hits.length - 1));
  const current = within(at);
  const chosen = hits[current];
  // Counted from what was chosen last, which may not be shown yet: keys come quicker than pictures.
  const walk = (step: number) => setAt((last) => within(within(last) + step));
  const search = (words: string, of: Kind) => {
    setQuery(words);
    setKind(of);
    setAt(0);
  };
  const take = (hit: Hit | undefined, beside: boolean) => {
    if (!hit) return;
    close();
    open(hit.uri, beside ? "pane" : "main");
  };
  const keyDown = (event: KeyboardEvent) => {
    if (event.isComposing) return;
    const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8 };
    const step = steps[event.key];
    if (step !== undefined) walk(step);
    else if (event.key === "Enter") take(chosen, event.ctrlKey || event.metaKey);
    else return;
    event.preventDefault();
  };
  const combobox = {
    role: "combobox" as const,
    "aria-expanded": true,
    "aria-controls": "palette-hits",
    "aria-autocomplete": "list" as const,
    "aria-activedescendant": chosen ? `hit-${current}` : undefined,
    "aria-label": texts.shell.search,
  };
  return (
    <Dialog label={texts.shell.search} close={close} class="palette">
      <input
        ref={field}
        type="text"
        {...combobox}
        placeholder={texts.palette.placeholder}
        value={query}
        autoComplete="off"
        spellcheck={false}
        onInput={(event) => search(event.currentTarget.value, kind)}
        onKeyDown={keyDown}
      />
      <fieldset class="kinds">
        <legend class="hidden-text">{texts.palette.kinds}</legend>
        {kinds.map((name) => (
          <label key={name}>
            <input type="radio" name="kind" checked={kind === name} onChange={() => search(query, name)} />
            {texts.palette.kind[name]}
          </label>
        ))}
      </fieldset>
      <div class="palette-body">
        <Hits {...{ hits, query: found.query, current, busy, list, setAt, take, keyDown }} />
        {chosen && chosen.kind !== "page" && matchMedia(wide).matches && (
          <section class="preview" aria-label={texts.palette.preview} {...{ tabIndex: 0 }}>
            <p class="preview-uri">{chosen.uri}</p>
            <Preview hit={chosen} />
          </section>
        )}
      </div>
      <p class="hidden-text" role="status">
        {busy ? "" : texts.palette.count(hits.length)}
      </p>
      {query && !busy && hits.length === 0 && <p class="faint">{texts.palette.nothing}</p>}
      <p class="palette-keys" aria-hidden="true">
        <kbd>↑</kbd> <kbd>↓</kbd> {texts.palette.choose} <kbd>Enter</kbd> {texts.palette.open}{" "}
        <kbd>{modName} Enter</kbd> {texts.palette.beside} <kbd>Esc</kbd> {texts.palette.leave}
      </p>
    </Dialog>
  );
}

interface HitsProps {
  hits: Hit[];
  query: string;
  current: number;
  busy: boolean;
  list: RefObject<HTMLDivElement | null>;
  setAt: (at: number) => void;
  take: (hit: Hit, beside: boolean) => void;
  keyDown: (event: KeyboardEvent) => void;
}

function Hits({ hits, query, current, busy, list, setAt, take, keyDown }: HitsProps) {
  return (
    <div
      class="hits"
      id="palette-hits"
      ref={list}
      role="listbox"
      aria-label={texts.palette.hits}
      aria-busy={busy}
    >
      {hits.map((hit, i) => (
        <div
          key={hit.uri}
          id={`hit-${i}`}
          role="option"
          tabIndex={-1}
          aria-selected={i === current}
          onMouseMove={() => setAt(i)}
          onClick={(event) => take(hit, event.ctrlKey || event.metaKey)}
          onKeyDown={keyDown}
        >
          <span class={`kind kind-${hit.kind}`}>{hit.type ?? texts.palette.names[hit.kind] ?? hit.kind}</span>
          <strong>
            <Marked text={hit.title} query={query} />
          </strong>
          <span class="faint">
            <Marked text={hit.snippet || hit.description || hit.uri} query={query} />
          </span>
        </div>
      ))}
    </div>
  );
}

function Marked({ text, query }: { text: string; query: string }) {
  return (
    <>
      {marked(text, query).map((piece, at) =>
        piece.marked ? <mark key={`${at} ${piece.text}`}>{piece.text}</mark> : piece.text,
      )}
    </>
  );
}
