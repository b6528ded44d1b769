// The addresses that were opened last, kept in this browser.
import { effect } from "@preact/signals";
import { place } from "./location";

const key = "lode.recent";
const kept = 12;

export function recent(): string[] {
  try {
    const all = JSON.parse(localStorage.getItem(key) ?? "[]") as unknown;
    return Array.isArray(all) ? all.filter((uri): uri is string => typeof uri === "string") : [];
  } catch {
    return [];
  }
}

function note(uri: string): void {
  if (!uri) return;
  localStorage.setItem(
    key,
    JSON.stringify([uri, ...recent().filter((other) => other !== uri)].slice(0, kept)),
  );
}

effect(() => {
  const { uri, pane } = place.value;
  note(pane || uri);
});
