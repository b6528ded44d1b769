// Whether the window has room for one pane only; the style sheet asks the same.
import { signal } from "@preact/signals";

const query = typeof window === "undefined" ? null : window.matchMedia("(max-width: 50rem)");

export const isNarrow = signal(query?.matches ?? false);

query?.addEventListener("change", (event) => {
  isNarrow.value = event.matches;
});
