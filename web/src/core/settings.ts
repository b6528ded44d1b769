// What a person chose, kept in this browser.
import { effect, signal } from "@preact/signals";

export interface SavedView {
  name: string;
  uri: string;
}

export interface Settings {
  theme: "system" | "light" | "dark";
  editor: string; // with {path} and {line}
  paneWidth: number; // of the window, in percent
  name: string; // under which comments and claims are made; empty: as the server calls the owner
  singleKeys: boolean; // whether keys without Ctrl do something
  views: SavedView[]; // addresses that were given a name
  folded: string[]; // columns of the board
}

const key = "lode.settings";
const defaults: Settings = {
  theme: "system",
  editor: "vscode://file{path}:{line}",
  paneWidth: 45,
  name: "",
  singleKeys: true,
  views: [],
  folded: ["cancelled"],
};

function load(): Settings {
  try {
    const kept = JSON.parse(localStorage.getItem(key) ?? "{}") as Partial<Settings>;
    return { ...defaults, ...kept };
  } catch {
    return defaults;
  }
}

export const settings = signal<Settings>(load());

export function choose(change: Partial<Settings>): void {
  settings.value = { ...settings.value, ...change };
  try {
    localStorage.setItem(key, JSON.stringify(settings.value));
  } catch {
    // Storage is full or forbidden: it holds for this page.
  }
}

// Null: the editor's link is no link that a browser should open.
export function editorLink(path: string, line = 1): string | null {
  const link = settings.value.editor
    .replace("{path}", path.split("/").map(encodeURIComponent).join("/"))
    .replace("{line}", String(line));
  return /^(javascript|data|vbscript|blob|file|https?):/i.test(link) || !/^[a-z][a-z0-9+.-]*:/i.test(link)
    ? null
    : link;
}

// Another tab chose something: both are to show the same, and neither to undo the other's choice.
if (typeof window !== "undefined") {
  window.addEventListener("storage", (event) => {
    if (event.key === key) settings.value = load();
  });
}

effect(() => {
  const { theme } = settings.value;
  if (typeof document === "undefined") return;
  if (theme === "system") document.documentElement.removeAttribute("data-theme");
  else document.documentElement.dataset.theme = theme;
});
