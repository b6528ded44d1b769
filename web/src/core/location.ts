// Where the person is: what the browser's address says.
//
//   /?uri=ADDRESS               the main pane
//   /?uri=ADDRESS&pane=ADDRESS  and the pane beside it
//
// Everything that a page lets a person choose is part of its address (its query), so that views can
// be kept as bookmarks and Back works. Replaced, not pushed, is what is typed letter by letter.
import { signal } from "@preact/signals";

export interface Place {
  uri: string; // empty: the home page
  pane: string; // empty: closed
}

export function placeOf(search: string): Place {
  const query = new URLSearchParams(search);
  return { uri: query.get("uri") ?? "", pane: query.get("pane") ?? "" };
}

export function hrefOf({ uri, pane }: Place): string {
  const query = new URLSearchParams();
  if (uri) query.set("uri", uri);
  if (pane) query.set("pane", pane);
  const text = query.toString();
  return text ? `/?${text}` : "/";
}

const inBrowser = typeof window !== "undefined";

export const place = signal<Place>(placeOf(inBrowser ? location.search : ""));
// Whether the person came here by Back or Forward: then a page shows the part that it showed.
export let returned = false;

if (inBrowser) {
  window.addEventListener("popstate", () => {
    returned = true;
    place.value = placeOf(location.search);
  });
}

export function go(to: Partial<Place>, how: "push" | "replace" = "push"): void {
  const next = { ...place.value, ...to };
  if (next.uri === place.value.uri && next.pane === place.value.pane) return;
  history[how === "push" ? "pushState" : "replaceState"](null, "", hrefOf(next));
  returned = false;
  place.value = next;
}

// Opens an address: in the main pane, or beside it.
export function open(uri: string, where: "main" | "pane" = "main"): void {
  go(where === "pane" ? { pane: uri } : { uri, pane: "" });
}

// Another view of what a pane shows: its address with another query.
export function change(where: "main" | "pane", uri: string, how: "push" | "replace" = "push"): void {
  go(where === "pane" ? { pane: uri } : { uri }, how);
}
