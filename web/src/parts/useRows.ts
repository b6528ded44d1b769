// Follows the scroll position of an element that holds long lists: which rows are to be drawn.
import type { RefObject } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { isTooTall, scrollTopOf, type Window, windowOf } from "./rows";

export interface RowsOptions {
  rows: number;
  rowHeight: number;
  // The row to show; each new object is one wish.
  target?: { row: number } | null;
  // Up to so many rows all are in the page: the browser can search and select them.
  all?: number;
}

interface Rows<E> {
  scroller: RefObject<E>;
  window: Window;
}

export function useRows<E extends HTMLElement>({ rows, rowHeight, target, all = 0 }: RowsOptions): Rows<E> {
  const scroller = useRef<E>(null);
  const [seen, setSeen] = useState({ scrollTop: 0, viewport: 800 });
  const slack = useRef(0); // px
  slack.current = isTooTall(rows * rowHeight) ? 0 : 8 * rowHeight;
  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element) return;
    const look = () => {
      const { scrollTop, clientHeight: viewport } = element;
      // There are rows around the window: most of the way nothing has to be drawn.
      setSeen((old) => {
        const near = Math.abs(old.scrollTop - scrollTop) < slack.current && old.viewport === viewport;
        return near && scrollTop > 0 ? old : { scrollTop, viewport };
      });
    };
    const resized = new ResizeObserver(look);
    resized.observe(element);
    element.addEventListener("scroll", look, { passive: true });
    look();
    return () => {
      resized.disconnect();
      element.removeEventListener("scroll", look);
    };
  }, []);
  const window =
    rows <= all
      ? { first: 0, count: rows, height: rows * rowHeight, top: 0 }
      : windowOf({ rows, rowHeight, ...seen });
  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element || !target) return;
    const viewport = element.clientHeight;
    const top = window.top + (target.row - window.first) * rowHeight;
    const seenWhole = top >= element.scrollTop && top + rowHeight <= element.scrollTop + viewport;
    if (!seenWhole) element.scrollTop = scrollTopOf(target.row, { rows, rowHeight, viewport });
  }, [target]);
  return { scroller: scroller as RefObject<E>, window };
}
