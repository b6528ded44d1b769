import type { RefObject } from "preact";
import { useLayoutEffect, useState } from "preact/hooks";

interface Size {
  width: number; // px; 0: not known yet
  rem: number; // px
}

// How wide an element is, and how large its letters are: what a list's rows depend on.
export function useBoxSize(element: RefObject<HTMLElement | null>): Size {
  const [size, setSize] = useState<Size>({ width: 0, rem: 16 });
  useLayoutEffect(() => {
    const box = element.current;
    if (!box) return;
    const measure = () => {
      const next = {
        width: box.clientWidth,
        rem: Number.parseFloat(getComputedStyle(document.documentElement).fontSize),
      };
      if (next.width === 0) return;
      setSize((old) => (old.width === next.width && old.rem === next.rem ? old : next));
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(box);
    return () => observer.disconnect();
  }, []);
  return size;
}
