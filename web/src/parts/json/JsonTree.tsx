// JSON, folded, of any size. The arrow keys walk as in every tree; "c" copies the path of the row.
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { announce } from "../../core/announce";
import { useKeys } from "../../core/keys";
import { isReadable } from "../../core/uri";
import { texts } from "../../texts";
import { AddressLink } from "../AddressLink";
import { CopyButton } from "../CopyButton";
import { VirtualRows } from "../VirtualRows";
import {
  findIn,
  firstOpen,
  isBranch,
  type Json,
  nameOfPath,
  opened,
  pathText,
  type Row,
  rowsOf,
} from "./tree";
import "../code/code.css";
import "./json.css";

const rowHeight = 24; // px, as in json.css
const firstRows = 200;
const mostHits = 1000;
let made = 0;

export function JsonTree({ value, label }: { value: Json; label: string }) {
  const [open, setOpen] = useState(() => firstOpen(value, firstRows));
  const [at, setAt] = useState(0);
  const [words, setWords] = useState("");
  const [hit, setHit] = useState(-1);
  const [target, setTarget] = useState<{ row: number } | null>(null);
  const prefix = useRef("");
  if (!prefix.current) prefix.current = `json${++made}-`;
  const rows = useMemo(() => rowsOf(value, open), [value, open]);
  const hits = useMemo(() => (words ? findIn(value, words, mostHits) : null), [value, words]);
  const current = Math.min(at, rows.length - 1);
  useEffect(() => setHit(-1), [hits]);

  const show = (row: number) => {
    setAt(row);
    setTarget({ row });
  };
  const fold = (row: Row, wanted: boolean) => {
    const next = new Set(open);
    if (wanted) next.add(nameOfPath(row.path));
    else next.delete(nameOfPath(row.path));
    setOpen(next);
  };
  const goToHit = (step: number) => {
    const count = hits?.found.length ?? 0;
    if (!hits || count === 0) return;
    const next = (hit + step + count) % count;
    const path = hits.found[next] ?? [];
    const more = opened(open, path);
    const name = nameOfPath(path);
    setHit(next);
    setOpen(more);
    show(rowsOf(value, more).findIndex((row) => nameOfPath(row.path) === name));
  };
  const keyDown = (event: KeyboardEvent) => {
    const row = rows[current];
    if (!row || event.ctrlKey || event.metaKey || event.altKey) return;
    const parent = () => rows.findLastIndex((other, index) => index < current && other.level < row.level);
    const keys: Record<string, () => void> = {
      ArrowDown: () => show(Math.min(rows.length - 1, current + 1)),
      ArrowUp: () => show(Math.max(0, current - 1)),
      Home: () => show(0),
      End: () => show(rows.length - 1),
      PageDown: () => show(Math.min(rows.length - 1, current + 20)),
      PageUp: () => show(Math.max(0, current - 20)),
      ArrowRight: () =>
        row.size > 0 && !row.open ? fold(row, true) : show(Math.min(rows.length - 1, current + 1)),
      ArrowLeft: () => (row.open ? fold(row, false) : show(Math.max(0, parent()))),
      Enter: () => row.size > 0 && fold(row, !row.open),
      c: () => {
        void navigator.clipboard.writeText(pathText(row.path));
        announce(texts.pane.copied);
      },
    };
    const run = keys[event.key];
    if (!run) return;
    event.preventDefault();
    run();
  };
  useKeys(
    (["ArrowRight", "ArrowLeft", "Enter", "c"] as const).map((keys) => ({
      keys,
      group: texts.json.tree,
      text: texts.json.keys[keys],
      run: () => false, // the tree takes them itself
    })),
  );
  const chosen = rows[current];
  return (
    <>
      <div class="json-bar">
        <output class="json-path">{chosen ? pathText(chosen.path) : ""}</output>
        {chosen && <CopyButton text={pathText(chosen.path)} label={texts.json.copyPath} />}
        {chosen && <CopyButton text={() => textOf(chosen.value)} label={texts.json.copyValue} />}
        <form
          onSubmit={(event) => {
            event.preventDefault();
            goToHit(1);
          }}
        >
          <input
            type="search"
            value={words}
            placeholder={texts.json.search}
            aria-label={texts.json.search}
            onInput={(event) => setWords(event.currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key !== "Enter" || !event.shiftKey) return;
              event.preventDefault();
              goToHit(-1);
            }}
          />
        </form>
        <span class="faint" role="status">
          {hits && texts.json.hits(hit + 1, hits.found.length, hits.more)}
        </span>
      </div>
      <VirtualRows
        class="json"
        label={label}
        rows={rows.length}
        rowHeight={rowHeight}
        target={target}
        attributes={{
          role: "tree",
          "aria-activedescendant": chosen ? prefix.current + current : undefined,
          onKeyDown: keyDown,
        }}
        row={(index) => {
          const row = rows[index];
          if (!row) return null;
          return (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the tree has the keys.
            <div
              key={nameOfPath(row.path)}
              id={prefix.current + index}
              class={index === current ? "json-row current" : "json-row"}
              role="treeitem"
              tabIndex={-1}
              aria-level={row.level + 1}
              aria-selected={index === current}
              aria-expanded={row.size > 0 ? row.open : undefined}
              style={{ paddingLeft: `${Math.min(row.level, 40) * 1.1 + 0.5}rem` }}
              onClick={() => {
                setAt(index);
                if (row.size > 0) fold(row, !row.open);
              }}
            >
              <RowText row={row} />
            </div>
          );
        }}
      />
    </>
  );
}

function RowText({ row }: { row: Row }) {
  return (
    <>
      <span class="json-mark" aria-hidden="true">
        {row.size > 0 ? (row.open ? "▾" : "▸") : ""}
      </span>
      {row.key !== null && (
        <>
          <span class={typeof row.key === "number" ? "faint" : "tok-attribute"}>{row.key}</span>
          <span class="faint">: </span>
        </>
      )}
      <Value value={row.value} size={row.size} />
    </>
  );
}

const longest = 400; // characters of a text that are drawn

function Value({ value, size }: { value: Json; size: number }) {
  if (isBranch(value)) {
    const [left, right] = Array.isArray(value) ? ["[", "]"] : ["{", "}"];
    return (
      <span class="faint">
        {left}
        {size > 0 ? ` ${texts.json.entries(size)} ` : ""}
        {right}
      </span>
    );
  }
  if (typeof value === "string") {
    if (isReadable(value) && !/\s/.test(value)) return <AddressLink uri={value}>{value}</AddressLink>;
    const text = value.length > longest ? `${value.slice(0, longest)}…` : value;
    return <span class="tok-string">{JSON.stringify(text)}</span>;
  }
  return <span class="tok-number">{String(value)}</span>;
}

function textOf(value: Json): string {
  return typeof value === "string" ? value : JSON.stringify(value, null, 2);
}
