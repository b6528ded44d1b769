// A list of tasks in a box that scrolls: which rows are drawn, which one has the focus, and that
// neither is lost when the list changes.
import type { RefObject } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { returned } from "../core/location";
import { useVirtual } from "../parts/useVirtual";
import type { TaskPages } from "./pages";
import type { TaskRow } from "./types";
import { useTaskPages } from "./useTaskPages";

interface Options {
  uri: string;
  scroller: RefObject<HTMLElement | null>;
  rowHeight: number;
  lead?: number;
}

export interface Rows {
  pages: TaskPages;
  segments: ReturnType<typeof useVirtual>["segments"];
  active: string | null; // the id of the row that has or had the focus
  setActive: (id: string) => void;
  // Moves the focus by so many rows, to the first or to the last.
  move: (step: number) => boolean;
  // To the row of a task; false: it is not here.
  focus: (id: string) => boolean;
}

const positions = new Map<string, number>();

export function useRows({ uri, scroller, rowHeight, lead = 0 }: Options): Rows {
  const pages = useTaskPages(uri);
  const changed = pages.changed.value;
  const [active, setActive] = useState<string | null>(null);
  const at = active === null ? -1 : pages.indexOf(active);
  const virtual = useVirtual({ scroller, count: pages.count, rowHeight, stay: [at], lead });
  const { first, last } = virtual.view;
  useEffect(() => pages.want(first, last), [pages, first, last]);
  useAnchor(pages, scroller, rowHeight, changed);
  usePosition(uri, scroller, pages.begun.value);
  const toFocus = useRef<string | null>(null);
  useLayoutEffect(() => {
    if (toFocus.current === null) return;
    const link = scroller.current?.querySelector<HTMLElement>(`[data-id="${CSS.escape(toFocus.current)}"] a`);
    if (!link) return;
    toFocus.current = null;
    link.focus({ preventScroll: true });
  });
  const focusRow = (row: TaskRow | undefined, index: number): boolean => {
    if (!row) return false;
    toFocus.current = row.id;
    setActive(row.id);
    virtual.show(index);
    // The row may have been the active one already: then nothing else makes it drawn.
    const link = scroller.current?.querySelector<HTMLElement>(`[data-id="${CSS.escape(row.id)}"] a`);
    link?.focus({ preventScroll: true });
    return true;
  };
  const move = (step: number): boolean => {
    const top = Math.ceil((scroller.current?.scrollTop ?? 0) / (rowHeight || 1));
    const from = at >= 0 ? at + step : top;
    const to = Math.max(0, Math.min(pages.count - 1, from));
    return focusRow(pages.row(to), to);
  };
  const focus = (id: string): boolean => {
    const index = pages.indexOf(id);
    return index >= 0 && focusRow(pages.row(index), index);
  };
  return { pages, segments: virtual.segments, active, setActive, move, focus };
}

// What stood first in the box stands there still when rows come and go above it.
function useAnchor(
  pages: TaskPages,
  scroller: RefObject<HTMLElement | null>,
  rowHeight: number,
  changed: number,
): void {
  const anchor = useRef<{ id: string; offset: number } | null>(null);
  const note = useRef(() => {});
  note.current = () => {
    const top = scroller.current?.scrollTop ?? 0;
    const index = rowHeight > 0 ? Math.floor(top / rowHeight) : -1;
    const row = pages.row(index);
    // At the very top one wants to see what comes.
    anchor.current = row && top >= rowHeight / 2 ? { id: row.id, offset: top - index * rowHeight } : null;
  };
  useEffect(() => {
    const element = scroller.current;
    const scrolled = () => note.current();
    element?.addEventListener("scroll", scrolled, { passive: true });
    return () => element?.removeEventListener("scroll", scrolled);
  }, []);
  useLayoutEffect(() => {
    const element = scroller.current;
    const index = anchor.current ? pages.indexOf(anchor.current.id) : -1;
    if (element && anchor.current && index >= 0) {
      const top = index * rowHeight + anchor.current.offset;
      if (Math.abs(element.scrollTop - top) > 1) element.scrollTop = top;
    }
    note.current();
  }, [changed, rowHeight]);
}

// Back shows the part that was shown; another list begins at its beginning.
function usePosition(uri: string, scroller: RefObject<HTMLElement | null>, begun: boolean): void {
  const shown = useRef("");
  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element || !begun || shown.current === uri) return;
    shown.current = uri;
    element.scrollTop = returned ? (positions.get(uri) ?? 0) : 0;
  }, [uri, begun]);
  useEffect(() => {
    const element = scroller.current;
    const scrolled = () => {
      if (shown.current === uri) positions.set(uri, element?.scrollTop ?? 0);
    };
    element?.addEventListener("scroll", scrolled, { passive: true });
    return () => element?.removeEventListener("scroll", scrolled);
  }, [uri]);
}
