// Keys: which combination does what, for all of the program and for the page that is shown.
//
// A combination is "mod+k" (Ctrl, or ⌘ on a Mac), "?", "j", or two keys one after another: "g b".
// Keys that write text are not taken from fields. Of two pages that take the same key the one with
// the focus gets it, else the one that came last.
import { useLayoutEffect } from "preact/hooks";
import { settings } from "./settings";

export interface Key {
  keys: string;
  text: string; // what it does, for the page of keys
  group: string;
  // False: it means nothing here, and the browser has it.
  run: (event: KeyboardEvent) => unknown;
  inFields?: boolean;
  // Where it counts before others.
  within?: () => Element | null;
}

const bound = new Set<Key>();
const patience = 1000; // ms for the second of two keys
let begun = "";
let timer: ReturnType<typeof setTimeout> | undefined;

export function boundKeys(): Key[] {
  return [...bound];
}

export function bind(keys: Key[]): () => void {
  for (const key of keys) bound.add(key);
  return () => {
    for (const key of keys) bound.delete(key);
  };
}

// For components. The keys are those of the last render, at once: the next may be pressed already.
export function useKeys(keys: Key[]): void {
  useLayoutEffect(() => bind(keys));
}

type Pressed = Pick<KeyboardEvent, "key" | "ctrlKey" | "metaKey" | "altKey" | "shiftKey">;

export function nameOfKey(event: Pressed): string {
  const parts: string[] = [];
  if (event.ctrlKey || event.metaKey) parts.push("mod");
  if (event.altKey) parts.push("alt");
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  // Of a sign that needs Shift, the sign says it.
  if (event.shiftKey && (event.key.length > 1 || /[a-z]/i.test(event.key))) parts.push("shift");
  parts.push(key === " " ? "Space" : key);
  return parts.join("+");
}

// A key that people press by accident, or by speaking: it can be switched off.
export function isSingle(keys: string): boolean {
  return keys.split(" ").some((key) => key.length === 1);
}

// The keys that `name` means, first those that count before others. `target` has the focus.
export function candidatesFor(
  name: string,
  keys: Key[],
  target: Element | null,
  options: { inField: boolean; single: boolean },
): Key[] {
  const fits = keys.filter(
    (key) =>
      key.keys === name && (!options.inField || key.inFields) && (options.single || !isSingle(key.keys)),
  );
  const nearness = (key: Key) => (key.within?.()?.contains(target) ? 1 : 0);
  return fits.reverse().sort((a, b) => nearness(b) - nearness(a));
}

function writesText(target: Element | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target instanceof HTMLInputElement) return !/^(checkbox|radio|button|submit|range)$/.test(target.type);
  return target.isContentEditable || /^(TEXTAREA|SELECT)$/.test(target.tagName);
}

function pressed(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.isComposing) return;
  const target = event.target instanceof Element ? event.target : null;
  const options = { inField: writesText(target), single: settings.value.singleKeys };
  const name = nameOfKey(event);
  const all = boundKeys();
  const twice = begun ? candidatesFor(`${begun} ${name}`, all, target, options) : [];
  begun = "";
  clearTimeout(timer);
  for (const key of [...twice, ...candidatesFor(name, all, target, options)]) {
    if (key.run(event) === false) continue;
    event.preventDefault();
    return;
  }
  if (options.inField || !options.single) return;
  if (all.some((key) => key.keys.startsWith(`${name} `))) {
    begun = name;
    timer = setTimeout(() => {
      begun = "";
    }, patience);
  }
}

export function installKeys(): void {
  document.addEventListener("keydown", pressed);
}
