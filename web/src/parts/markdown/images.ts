// Images of a text. Those at addresses of Lode are fetched with the token when they come near the
// window and shown by blob: URLs, which are given back; others are links: a text that is shown
// makes no request to another host.
import { readBlob } from "../../core/api";
import { listen } from "../../core/live";
import { resolveLink } from "../../core/uri";
import { texts } from "../../texts";
import { whenNear } from "../near";

// Answers how to end it.
export function showImage(image: HTMLImageElement, base: string): () => void {
  const source = image.dataset.src ?? "";
  delete image.dataset.src;
  const uri = resolveLink(source, base);
  if (uri === null) {
    image.replaceWith(insteadOf(image.alt, source));
    return () => {};
  }
  let url = "";
  let over = false;
  let stopListening = () => {};
  const load = async () => {
    try {
      const blob = await readBlob(uri);
      if (over) return;
      if (!blob.type.startsWith("image/")) throw new Error(blob.type);
      const old = url;
      url = URL.createObjectURL(blob);
      image.src = url;
      image.classList.remove("missing");
      if (old) URL.revokeObjectURL(old);
    } catch {
      if (url === "") image.classList.add("missing");
    }
  };
  image.alt ||= "";
  const forget = whenNear(image, 600, () => {
    void load();
    let first = true;
    stopListening = listen(uri, () => {
      if (!first) void load();
      first = false;
    });
  });
  return () => {
    over = true;
    forget();
    stopListening();
    if (url) URL.revokeObjectURL(url);
  };
}

function insteadOf(alt: string, source: string): HTMLElement {
  const text = alt || texts.markdown.image;
  if (!/^https?:\/\//i.test(source)) {
    const span = document.createElement("span");
    span.className = "faint";
    span.textContent = text;
    return span;
  }
  const link = document.createElement("a");
  link.className = "external-image";
  link.href = source;
  link.rel = "noopener noreferrer";
  link.target = "_blank";
  link.textContent = `${text} (${hostOf(source)})`;
  link.title = texts.markdown.externalImage;
  return link;
}

function hostOf(url: string): string {
  return /^https?:\/\/([^/?#]*)/i.exec(url)?.[1] ?? url;
}
