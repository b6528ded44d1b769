// Asks the worker to highlight a text. One worker serves all of the page; one that does not answer
// in time is ended, and its text stays plain.
import type { Line } from "./tokens";

const patience = 10_000; // ms
const longest = 1_500_000; // characters; of longer texts the colours are not worth the memory

interface Answer {
  id: number;
  lines: Line[] | null;
}

let worker: Worker | null = null;
let lastId = 0;
const waiting = new Map<number, (lines: Line[] | null) => void>();

function ready(): Worker {
  if (worker) return worker;
  worker = new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });
  worker.addEventListener("message", ({ data: { id, lines } }: MessageEvent<Answer>) => {
    waiting.get(id)?.(lines);
    waiting.delete(id);
  });
  worker.addEventListener("error", giveUp);
  return worker;
}

function giveUp(): void {
  worker?.terminate();
  worker = null;
  for (const answer of waiting.values()) answer(null);
  waiting.clear();
}

// Null: it stays plain.
export function highlight(text: string, language: string): Promise<Line[] | null> {
  if (language === "" || text.length > longest) return Promise.resolve(null);
  lastId += 1;
  const id = lastId;
  return new Promise((resolve) => {
    const timer = setTimeout(giveUp, patience);
    waiting.set(id, (lines) => {
      clearTimeout(timer);
      resolve(lines);
    });
    ready().postMessage({ id, text, language });
  });
}

// For text that stands in the page already: the same text, in colours.
export function paint(element: Element, lines: Line[]): void {
  const nodes: Node[] = [];
  for (const [at, line] of lines.entries()) {
    if (at > 0) nodes.push(document.createTextNode("\n"));
    for (const piece of line) {
      if (typeof piece === "string") {
        nodes.push(document.createTextNode(piece));
        continue;
      }
      const span = document.createElement("span");
      span.className = `tok-${piece[0]}`;
      span.textContent = piece[1];
      nodes.push(span);
    }
  }
  element.replaceChildren(...nodes);
}
