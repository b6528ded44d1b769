// Makes HTML of a text harmless: what may stand in a page is listed, everything else goes.
//
// 1. No element that runs, loads, frames or sends anything; of form controls only check-boxes, and
//    those cannot be changed.
// 2. No style, and only classes of this folder's own: a text cannot look like a part of the viewer.
// 3. No element ever has `src`: an image's becomes `data-src`, and images.ts decides what is fetched.
// 4. Ids begin with "user-content-" and there are no names, so that none hides a property of the
//    document.
import createPurifier, { type Config } from "dompurify";

const tags =
  "a abbr b blockquote br caption code col colgroup dd del details dfn div dl dt em figcaption figure " +
  "h1 h2 h3 h4 h5 h6 hr i img input ins kbd li mark ol p pre q rp rt ruby s samp section small span strong " +
  "sub summary sup table tbody td tfoot th thead time tr u ul var wbr";
const attributes =
  "href title class id alt data-src width height align colspan rowspan scope start reversed open lang dir " +
  "datetime type checked disabled";
const ownClass = /^(language-[\w+#.-]+|task-item|footnotes?(-[a-z]+)?)$/;
// Any "scheme://", what the web has without, and relative links. links.ts decides which are links.
const uris =
  /^(?!\s*(?:javascript|vbscript|data|blob):)(?:[a-z][a-z0-9+.-]*:\/\/|[^a-z]|[a-z+.-]+(?:[^a-z+.\-:]|$))/i;

const config: Config = {
  ALLOWED_TAGS: tags.split(" "),
  ALLOWED_ATTR: attributes.split(" "),
  ALLOWED_URI_REGEXP: uris,
  ALLOW_DATA_ATTR: false,
  ALLOW_ARIA_ATTR: false,
  SANITIZE_DOM: true,
  SANITIZE_NAMED_PROPS: true,
  RETURN_DOM_FRAGMENT: true,
};
export const idPrefix = "user-content-";

const purifier = createPurifier(window);
purifier.addHook("uponSanitizeElement", (node, { tagName }) => {
  if (tagName === "input" && (node as Element).getAttribute("type")?.toLowerCase() !== "checkbox")
    node.parentNode?.removeChild(node);
});
purifier.addHook("beforeSanitizeAttributes", (element) => {
  if (element.nodeType !== Node.ELEMENT_NODE) return;
  const source = element.getAttribute("src");
  element.removeAttribute("data-src");
  element.removeAttribute("src");
  if (element.nodeName === "IMG" && source !== null) element.setAttribute("data-src", source);
  if (element.nodeName === "INPUT") element.setAttribute("disabled", "");
});
purifier.addHook("uponSanitizeAttribute", (_element, data) => {
  if (data.attrName !== "class") return;
  data.attrValue = data.attrValue
    .split(/\s+/)
    .filter((name) => ownClass.test(name))
    .join(" ");
  data.keepAttr = data.attrValue !== "";
});

export function sanitize(html: string): DocumentFragment {
  return purifier.sanitize(html, config) as unknown as DocumentFragment;
}
