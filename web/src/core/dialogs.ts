// Which of the shell's dialogs is open; pages may open one.
import { signal } from "@preact/signals";

export const dialog = signal<"palette" | "keys" | "access" | null>(null);

export function closeDialog(): void {
  dialog.value = null;
}
