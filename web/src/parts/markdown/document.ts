// A text in the page. When the text changes only the blocks that differ are replaced.
import { open } from "../../core/location";
import { keptBlocks } from "./blocks";
import { enliven } from "./enliven";
import { toHtml } from "./parse";
import { sanitize } from "./sanitize";

export interface Heading {
  id: string;
  text: string;
  level: number;
}

interface Place {
  base: string; // where relative links begin
  page: string; // where its headings are
  level: number; // of its topmost headings
}

interface Block {
  source: string; // its HTML before it was enlivened
  element: Element;
  end: () => void;
}

let made = 0;

export class MarkdownDocument {
  #blocks: Block[] = [];
  #base = "";
  #page = "";
  #resized: ResizeObserver;
  readonly #ids: string;

  // `goTo` is told which heading of this text was chosen.
  constructor(
    readonly host: HTMLElement,
    readonly goTo: (id: string) => void,
  ) {
    made += 1;
    this.#ids = `md${made}-`;
    host.addEventListener("click", this.#click);
    this.#resized = new ResizeObserver(() => this.#markScrollable());
    this.#resized.observe(host);
  }

  show(text: string, { base, page, level }: Place): void {
    if (base !== this.#base || page !== this.#page) this.#clear();
    this.#base = base;
    this.#page = page;
    const fresh = [...elementsOf(sanitize(toHtml(text, level)))];
    const sources = fresh.map((element) => element.outerHTML);
    const kept = keptBlocks(
      this.#blocks.map((block) => block.source),
      sources,
    );
    const old = this.#blocks;
    const staying = new Set(kept);
    for (const [at, block] of old.entries()) if (!staying.has(at)) this.#remove(block);
    this.#blocks = fresh.map((element, at) => {
      const same = old[kept[at] ?? -1];
      if (same) return same;
      const next = kept.slice(at).find((index) => index >= 0);
      this.host.insertBefore(element, next === undefined ? null : (old[next]?.element ?? null));
      const block: Block = { source: sources[at] ?? "", element, end: () => {} };
      block.end = this.#enliven(block);
      return block;
    });
    this.#markScrollable();
  }

  headings(): Heading[] {
    return [...this.host.querySelectorAll<HTMLElement>("h1, h2, h3, h4, h5, h6")].flatMap((heading) => {
      const text = heading.firstChild ? textOf(heading) : "";
      return heading.id
        ? [{ id: heading.id.slice(this.#ids.length), text, level: Number(heading.tagName[1]) }]
        : [];
    });
  }

  // Whether there is such a place.
  scrollTo(id: string): boolean {
    const element = this.host.querySelector(`#${CSS.escape(this.#ids + id)}`);
    element?.scrollIntoView({ block: "start" });
    return element !== null;
  }

  close(): void {
    this.#clear();
    this.#resized.disconnect();
    this.host.removeEventListener("click", this.#click);
  }

  // Enlivening may put a block into another element (a table into its box).
  #enliven(block: Block): () => void {
    const before = block.element.previousSibling;
    const end = enliven(block.element, { base: this.#base, page: this.#page, ids: this.#ids });
    if (block.element.parentNode !== this.host)
      block.element = (before ? before.nextSibling : this.host.firstChild) as Element;
    return end;
  }

  #remove(block: Block): void {
    block.end();
    block.element.remove();
  }

  #clear(): void {
    for (const block of this.#blocks) this.#remove(block);
    this.#blocks = [];
  }

  // What can be scrolled must be within reach of the keyboard; what cannot is no stop of it.
  #markScrollable(): void {
    for (const box of this.host.querySelectorAll<HTMLElement>("pre, .table-box")) {
      if (box.scrollWidth > box.clientWidth + 1) box.tabIndex = 0;
      else box.removeAttribute("tabindex");
    }
  }

  #click = (event: MouseEvent): void => {
    if (event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    const link = (event.target as Element).closest<HTMLAnchorElement>("a[data-uri], a[data-place]");
    if (!link) return;
    event.preventDefault();
    if (link.dataset.uri) open(link.dataset.uri, "pane");
    else if (link.dataset.place) {
      this.scrollTo(link.dataset.place);
      this.goTo(link.dataset.place);
    }
  };
}

// Without the link that each heading has to itself.
function textOf(heading: Element): string {
  return [...heading.childNodes]
    .filter((node) => !(node instanceof Element && node.classList.contains("anchor")))
    .map((node) => node.textContent)
    .join("");
}

// The blocks of a fragment; text between them becomes one.
function* elementsOf(fragment: DocumentFragment): Generator<Element> {
  for (const node of [...fragment.childNodes]) {
    if (node instanceof Element) yield node;
    else if (node.textContent?.trim()) {
      const paragraph = document.createElement("p");
      paragraph.append(node);
      yield paragraph;
    }
  }
}
