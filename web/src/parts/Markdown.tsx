// Markdown, rendered. The parser comes with the first text that is shown.
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { change } from "../core/location";
import { texts } from "../texts";
import type { Heading, MarkdownDocument } from "./markdown/document";
import "./markdown/markdown.css";

interface Props {
  text: string;
  base: string; // the address that the text was read at; relative links begin there
  page?: string; // the address of its headings, if that is another
  level?: number; // of its topmost headings
  // The heading to begin at, and the pane whose address says so.
  fragment?: string;
  where?: "main" | "pane";
  onHeadings?: (headings: Heading[]) => void; // told when there are others
}

type Module = typeof import("./markdown/document");
let loaded: Module | null = null;
let loading: Promise<Module> | null = null;

async function load(): Promise<Module> {
  loading ??= import("./markdown/document");
  loaded = await loading;
  return loaded;
}

export function Markdown({ text, base, page = base, level = 2, fragment = "", where, onHeadings }: Props) {
  const host = useRef<HTMLDivElement>(null);
  const shown = useRef<MarkdownDocument | null>(null);
  const place = useRef({ page, where });
  place.current = { page, where };
  const [module, setModule] = useState(loaded);
  const [failed, setFailed] = useState(false);
  useEffect(() => {
    if (!module)
      load()
        .then(setModule)
        .catch(() => setFailed(true));
  }, [module]);
  useLayoutEffect(() => {
    if (!module || !host.current) return;
    shown.current = new module.MarkdownDocument(host.current, (id) => {
      const uri = `${place.current.page}#${encodeURIComponent(id)}`;
      if (place.current.where) change(place.current.where, uri);
    });
    return () => shown.current?.close();
  }, [module]);
  useLayoutEffect(() => {
    shown.current?.show(text, { base, page, level });
    if (shown.current) onHeadings?.(shown.current.headings());
  }, [module, text, base, page, level]);
  useLayoutEffect(() => {
    if (fragment) shown.current?.scrollTo(fragment);
  }, [module, base, fragment]);
  // Without the parser the text is still worth reading.
  if (failed) return <pre class="text">{text}</pre>;
  return (
    <>
      {!module && <p class="faint">{texts.pane.loading}</p>}
      <div class="markdown" ref={host} />
    </>
  );
}
