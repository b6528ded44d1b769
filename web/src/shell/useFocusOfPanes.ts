// Where the focus goes when a pane opens or closes: into it, and back to what opened it.
import type { RefObject } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { hrefOf } from "../core/location";
import { withoutQuery } from "../core/uri";

export function useFocusOfPanes(
  main: RefObject<HTMLElement | null>,
  pane: RefObject<HTMLElement | null>,
  mainUri: string,
  paneUri: string,
): void {
  const before = useRef<{ main: string; pane: string; opener: Element | null } | null>(null);
  useLayoutEffect(() => {
    const old = before.current;
    const now = { main: withoutQuery(mainUri), pane: withoutQuery(paneUri), opener: old?.opener ?? null };
    before.current = now;
    if (!old) return;
    if (now.pane && now.pane !== old.pane) {
      if (!old.pane) now.opener = document.activeElement;
      pane.current?.focus({ preventScroll: true });
    } else if (old.pane && !now.pane && isNowhere()) {
      backTo(old.opener, old.pane, main.current);
    } else if (now.main !== old.main && isNowhere()) {
      main.current?.focus({ preventScroll: true });
    }
  }, [mainUri, paneUri]);
}

// What had the focus is gone.
function isNowhere(): boolean {
  return document.activeElement === null || document.activeElement === document.body;
}

// To what opened the pane; if that is not there any more, to a link to what was shown, which
// may be the same one drawn anew.
function backTo(opener: Element | null, uri: string, main: HTMLElement | null): void {
  const links = [...(main?.querySelectorAll("a") ?? [])];
  const same = links.find((link) => link.getAttribute("href") === hrefOf({ uri, pane: "" }));
  const to = opener?.isConnected && opener !== document.body ? opener : (same ?? main);
  if (to instanceof HTMLElement) to.focus({ preventScroll: to === main });
}
