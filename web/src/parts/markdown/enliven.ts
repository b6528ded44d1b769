// Gives the blocks of a sanitised text what they do: links, images, colours, diagrams.
import { hrefOf } from "../../core/location";
import { texts } from "../../texts";
import { highlight, paint } from "../code/highlight";
import { languageOfWord } from "../code/languages";
import { drawDiagram } from "../mermaid";
import { showImage } from "./images";
import { targetOf } from "./links";
import { idPrefix } from "./sanitize";

export interface Context {
  base: string;
  page: string;
  ids: string; // what ids of this text begin with; no other text of the page has it
}

// Answers how to end what it began.
export function enliven(block: Element, { base, page, ids }: Context): () => void {
  const ends: (() => void)[] = [];
  for (const element of within(block, "[id]")) element.id = ids + element.id.slice(idPrefix.length);
  for (const code of within(block, "code")) linkAddress(code);
  for (const link of within<HTMLAnchorElement>(block, "a")) direct(link, base, page);
  for (const heading of within(block, "h1[id], h2[id], h3[id], h4[id], h5[id], h6[id]"))
    heading.append(anchorOf(heading, page, ids));
  for (const box of within<HTMLInputElement>(block, "input"))
    box.setAttribute(
      "aria-label",
      (box.parentElement?.textContent ?? "").trim().slice(0, 100) || texts.markdown.task,
    );
  for (const image of within<HTMLImageElement>(block, "img")) ends.push(showImage(image, base));
  for (const code of within(block, "pre > code")) ends.push(colour(code));
  for (const table of within(block, "table")) wrap(table);
  return () => {
    for (const end of ends) end();
  };
}

function within<T extends Element = HTMLElement>(block: Element, selector: string): T[] {
  const all = [...block.querySelectorAll<T>(selector)];
  return block.matches(selector) ? [block as T, ...all] : all;
}

function direct(link: HTMLAnchorElement, base: string, page: string): void {
  const href = link.getAttribute("href");
  const target = href === null ? null : targetOf(href, base);
  if (target === null || target.kind === "none") {
    const text = document.createElement("span");
    text.append(...link.childNodes);
    if (link.id) text.id = link.id;
    link.replaceWith(text);
    return;
  }
  if (target.kind === "web") {
    link.rel = "noopener noreferrer";
    link.target = "_blank";
    return;
  }
  if (target.kind === "place") link.dataset.place = target.id;
  else link.dataset.uri = target.uri;
  const uri = target.kind === "place" ? `${page}#${encodeURIComponent(target.id)}` : target.uri;
  link.href = hrefOf({ uri, pane: "" });
  if (/^footnote/.test(link.className)) link.setAttribute("aria-label", texts.markdown.back);
}

// Addresses are often written as code; one that is whole is a link.
function linkAddress(code: Element): void {
  const text = code.textContent ?? "";
  if (!/^(mcp|file|resource|skill|capability-index|lode|plugin):\/\/[^\s{}<>…]+$/.test(text)) return;
  if (code.closest("a, pre")) return;
  const link = document.createElement("a");
  link.setAttribute("href", text);
  code.replaceWith(link);
  link.append(code);
}

function anchorOf(heading: Element, page: string, ids: string): HTMLAnchorElement {
  const id = heading.id.slice(ids.length);
  const link = document.createElement("a");
  link.className = "anchor";
  link.href = hrefOf({ uri: `${page}#${encodeURIComponent(id)}`, pane: "" });
  link.dataset.place = id;
  link.textContent = "#";
  link.setAttribute("aria-label", `${texts.markdown.anchor}: ${heading.textContent}`);
  return link;
}

function colour(code: Element): () => void {
  const word = /(?:^|\s)language-(\S+)/.exec(code.className)?.[1] ?? "";
  const text = code.textContent ?? "";
  const frame = code.parentElement;
  if (word === "mermaid" && frame) {
    const host = document.createElement("figure");
    host.className = "diagram";
    frame.replaceWith(host);
    host.append(frame);
    return drawDiagram(host, text);
  }
  let over = false;
  void highlight(text, languageOfWord(word)).then((lines) => {
    if (lines && !over) paint(code, lines);
  });
  return () => {
    over = true;
  };
}

// A wide table is scrolled by itself, not with the page.
function wrap(table: Element): void {
  const box = document.createElement("div");
  box.className = "table-box";
  table.replaceWith(box);
  box.append(table);
}
