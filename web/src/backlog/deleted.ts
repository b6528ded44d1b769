import { signal } from "@preact/signals";

// What this page deleted, by id: what the trash calls it.
export const deleted = signal<Record<string, string>>({});
