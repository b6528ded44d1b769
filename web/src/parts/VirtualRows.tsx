// Rows of one height, of which only those near the window are in the page; for texts and trees of
// any length. It scrolls by itself and fills what its page leaves it.
import type { ComponentChildren } from "preact";
import { type RowsOptions, useRows } from "./useRows";
import "./rows.css";

interface Props extends RowsOptions {
  row: (index: number) => ComponentChildren;
  label: string;
  class?: string;
  // The width that the widest row needs, so that the scroll bar does not change on the way.
  width?: string;
  attributes?: Record<string, unknown>; // of the element that scrolls
}

export function VirtualRows({ row, label, class: name = "", width = "", attributes, ...options }: Props) {
  const { scroller, window } = useRows<HTMLDivElement>(options);
  // What scrolls must be within reach of the keyboard.
  const scrolling = { role: "region" as const, tabIndex: 0, "aria-label": label, ...attributes };
  return (
    <div class={`rows fills ${name}`} ref={scroller} {...scrolling}>
      <div class="rows-all" role="presentation" style={{ height: `${window.height}px`, minWidth: width }}>
        <div class="rows-shown" role="presentation" style={{ top: `${window.top}px` }}>
          {Array.from({ length: window.count }, (_, at) => row(window.first + at))}
        </div>
      </div>
    </div>
  );
}
