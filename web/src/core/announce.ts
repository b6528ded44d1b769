// What people are told in passing: announcements are heard by screen readers alone, notices are
// seen too, and may offer to take something back.
import { signal } from "@preact/signals";

export const announcement = signal("");

let flip = false;

// The same words twice are heard twice: a region is read out when its text changes.
export function announce(text: string): void {
  flip = !flip;
  announcement.value = flip ? text : `${text}\u00a0`;
}

export interface Note {
  id: number;
  text: string;
  kind: "done" | "failed";
  action?: { text: string; run: () => void };
}

export const notes = signal<Note[]>([]);
const shortest = 5_000; // ms
const withAction = 20_000;
const most = 4;
let lastId = 0;
const timers = new Map<number, ReturnType<typeof setTimeout>>();

export function notify(text: string, options: Partial<Pick<Note, "kind" | "action">> = {}): number {
  lastId += 1;
  const note: Note = { id: lastId, text, kind: "done", ...options };
  notes.value = [...notes.value.slice(1 - most), note];
  hideLater(note);
  return note.id;
}

export function dismiss(id: number): void {
  holdNote(id);
  notes.value = notes.value.filter((note) => note.id !== id);
}

// While somebody is at it, it stays.
export function holdNote(id: number): void {
  clearTimeout(timers.get(id));
  timers.delete(id);
}

// What failed stays until it is dismissed: it may have to be read twice.
export function hideLater(note: Note): void {
  if (note.kind === "failed") return;
  const after = note.action ? withAction : shortest + note.text.length * 50;
  timers.set(
    note.id,
    setTimeout(() => dismiss(note.id), after),
  );
}
