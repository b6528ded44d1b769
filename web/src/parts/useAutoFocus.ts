import type { RefObject } from "preact";
import { useEffect, useRef } from "preact/hooks";

// The focus goes to an element when it appears: it is what the person just asked for.
export function useAutoFocus<T extends HTMLElement>(): RefObject<T | null> {
  const element = useRef<T>(null);
  useEffect(() => element.current?.focus(), []);
  return element;
}
