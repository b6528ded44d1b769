import type { RefObject } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { type Segment, scrollFor, segmentsOf, type View, viewOf } from "./virtual";

interface Options {
  scroller: RefObject<HTMLElement | null>;
  count: number;
  rowHeight: number; // px; 0: not known yet
  stay?: number[]; // rows that are drawn wherever the view is
  lead?: number; // px above the first row that stay in view
}

interface Virtual {
  segments: Segment[];
  view: View;
  show: (index: number) => void;
}

const beyond = 6; // rows

// The part of a long list that is drawn, following the scroll position and the size of `scroller`.
export function useVirtual({ scroller, count, rowHeight, stay = [], lead = 0 }: Options): Virtual {
  const [view, setView] = useState<View>({ first: 0, last: 0 });
  const measure = useRef(() => {});
  measure.current = () => {
    const element = scroller.current;
    if (!element || rowHeight === 0) return;
    const next = viewOf(element.scrollTop, element.clientHeight, rowHeight, count, beyond);
    setView((old) => (old.first === next.first && old.last === next.last ? old : next));
  };
  useEffect(() => {
    const element = scroller.current;
    if (!element) return;
    let frame = 0;
    const later = () => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(() => measure.current());
    };
    const size = new ResizeObserver(later);
    size.observe(element);
    element.addEventListener("scroll", later, { passive: true });
    return () => {
      cancelAnimationFrame(frame);
      size.disconnect();
      element.removeEventListener("scroll", later);
    };
  }, []);
  useLayoutEffect(() => measure.current(), [count, rowHeight]);
  const show = (index: number) => {
    const element = scroller.current;
    if (!element) return;
    const top = scrollFor(index, rowHeight, element.scrollTop, element.clientHeight, lead);
    if (top !== null) element.scrollTop = top;
    measure.current();
  };
  const shown = { first: Math.min(view.first, count), last: Math.min(view.last, count) };
  return { segments: segmentsOf(shown, stay, count), view: shown, show };
}
