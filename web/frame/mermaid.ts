// Draws one diagram for the page that this frame is in.
//
// The frame is sandboxed: it has an origin that nobody else has, no storage, no network (its
// Content-Security-Policy) and no way to move the page. A text comes in, a height goes out. What
// mermaid makes of the text is stripped of all that could act once more, before it is shown.
import mermaid, { type MermaidConfig } from "mermaid";

interface Asked {
  id: number;
  text: string;
  theme: "light" | "dark";
}

const longest = 50_000; // characters

function configOf(theme: Asked["theme"]): MermaidConfig {
  return {
    startOnLoad: false,
    securityLevel: "strict",
    suppressErrorRendering: true,
    htmlLabels: false,
    look: "classic",
    theme: theme === "dark" ? "dark" : "default",
    fontFamily: "system-ui, sans-serif",
    maxTextSize: longest,
    maxEdges: 1000,
    // What a text cannot set for itself.
    secure: [
      "secure",
      "securityLevel",
      "startOnLoad",
      "suppressErrorRendering",
      "htmlLabels",
      "maxTextSize",
      "maxEdges",
      "themeCSS",
      "fontFamily",
      "altFontFamily",
      "dompurifyConfig",
    ],
  };
}

// No scripts, foreign content, handlers or links; references only within the drawing.
function harmless(svg: string): SVGElement | null {
  const page = new DOMParser().parseFromString(svg, "text/html");
  const drawing = page.querySelector("svg");
  if (!drawing) return null;
  for (const element of drawing.querySelectorAll(
    "script, foreignObject, iframe, object, embed, animate, set",
  ))
    element.remove();
  for (const element of [drawing, ...drawing.querySelectorAll("*")])
    for (const { name, value } of [...element.attributes]) {
      const leads =
        /(^|:)(href|src)$/i.test(name) && !value.startsWith("#") && !value.startsWith("data:image/");
      if (leads || /^on/i.test(name)) element.removeAttribute(name);
    }
  return drawing;
}

let last: Asked | null = null;
let running: Promise<void> = Promise.resolve();

async function draw({ id, text, theme }: Asked): Promise<void> {
  document.documentElement.style.colorScheme = theme;
  mermaid.initialize(configOf(theme));
  const { svg } = await mermaid.render(`diagram-${id}`, text);
  const drawing = harmless(svg);
  if (!drawing) throw new Error("nothing was drawn");
  document.body.replaceChildren(drawing);
}

function tell(answer: { height: number } | { error: string }): void {
  if (last) window.parent.postMessage({ id: last.id, ...answer }, "*");
}

function tellHeight(): void {
  const drawing = document.body.firstElementChild;
  if (drawing) tell({ height: drawing.getBoundingClientRect().height });
}

function isAsked(data: unknown): data is Asked {
  const asked = data as Partial<Asked> | null;
  return typeof asked?.id === "number" && typeof asked.text === "string" && asked.text.length <= longest;
}

window.addEventListener("message", ({ source, data }) => {
  if (source !== window.parent || source === window || !isAsked(data)) return;
  last = data;
  // One after another: mermaid has one configuration for all.
  running = running
    .then(() => draw(data))
    .then(tellHeight, (error: unknown) =>
      tell({ error: error instanceof Error ? error.message : String(error) }),
    );
});
new ResizeObserver(tellHeight).observe(document.body);
