// A diagram: drawn by mermaid in a frame of its own, which has no origin, no token and a policy that
// lets it load nothing (frame/). All that passes is a text in and a height out.
import { effect } from "@preact/signals";
import { texts } from "../texts";
import { whenNear } from "./near";
import { dark } from "./theme";

const patience = 20_000; // ms
const longest = 50_000; // characters
const tallest = 6_000; // px; what is taller is scrolled in the frame

interface Said {
  id?: unknown;
  height?: unknown;
  error?: unknown;
}

let lastId = 0;

// Fills `host`, which holds the source in a <pre>. Answers how to end it.
export function drawDiagram(host: HTMLElement, text: string): () => void {
  if (text.length > longest) {
    explain(host, texts.markdown.diagramTooLong);
    return () => {};
  }
  let stop = () => {};
  // Each frame reads a large script: only those that somebody will see are made.
  const forget = whenNear(host, 800, () => {
    stop = openFrame(host, text);
  });
  return () => {
    forget();
    stop();
  };
}

function openFrame(host: HTMLElement, text: string): () => void {
  const frame = document.createElement("iframe");
  frame.setAttribute("sandbox", "allow-scripts");
  frame.title = texts.markdown.diagram;
  frame.className = "diagram-frame";
  frame.src = "/frame/mermaid.html";
  lastId += 1;
  const id = lastId;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let stopThemes = () => {};
  const end = () => {
    clearTimeout(timer);
    stopThemes();
    window.removeEventListener("message", hear);
    frame.remove();
  };
  const fail = (why: string) => {
    end();
    host.classList.remove("drawn");
    explain(host, why);
  };
  const hear = (event: MessageEvent<Said | null>) => {
    if (event.source !== frame.contentWindow || event.data?.id !== id) return;
    clearTimeout(timer);
    const { height, error } = event.data;
    if (typeof error === "string") fail(error.slice(0, 500));
    else if (typeof height === "number" && height > 0) {
      frame.style.height = `${Math.min(tallest, Math.ceil(height))}px`;
      host.classList.add("drawn");
    }
  };
  window.addEventListener("message", hear);
  frame.addEventListener("load", () => {
    stopThemes();
    stopThemes = effect(() => {
      const theme = dark.value ? "dark" : "light";
      // The frame's origin is opaque: no other target can be named, and the text is no secret of
      // the frame that was just made for it.
      frame.contentWindow?.postMessage({ id, text, theme }, "*");
      clearTimeout(timer);
      timer = setTimeout(() => fail(texts.markdown.diagramTimeout), patience);
    });
  });
  timer = setTimeout(() => fail(texts.markdown.diagramTimeout), patience);
  host.prepend(frame);
  return end;
}

function explain(host: HTMLElement, why: string): void {
  const note = document.createElement("p");
  note.className = "notice";
  note.textContent = `${texts.markdown.diagramFailed} ${why}`;
  host.prepend(note);
}
