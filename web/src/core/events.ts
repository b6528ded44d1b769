// Server-sent events, as text. Pure functions.

// The data of each whole event in `text`.
export function dataOfEvents(text: string): string[] {
  return text
    .split(/\r?\n\r?\n/)
    .map(dataOf)
    .filter((data) => data !== "");
}

function dataOf(event: string): string {
  return event
    .split(/\r?\n/)
    .filter((line) => line.startsWith("data:"))
    .map((line) => line.slice(line.startsWith("data: ") ? 6 : 5))
    .join("\n");
}

// Cuts what arrives into events, whatever the pieces are that it comes in.
export class EventReader {
  #rest = "";

  take(piece: string): string[] {
    const parts = (this.#rest + piece).split(/\r?\n\r?\n/);
    this.#rest = parts.pop() ?? "";
    return parts.map(dataOf).filter((data) => data !== "");
  }
}
