// The beginning of what the chosen hit leads to.
import { useEffect, useRef, useState } from "preact/hooks";
import { type Resource, readResource } from "../../core/api";
import { nameOf } from "../../core/uri";
import { highlight, paint } from "../../parts/code/highlight";
import { languageOfFile, languageOfType } from "../../parts/code/languages";
import { sizeText } from "../../parts/files";
import { Markdown } from "../../parts/Markdown";
import { texts } from "../../texts";
import type { Hit } from "./hits";
import "../../parts/code/code.css";

const pause = 120; // ms that a hit is chosen before it is read
const longest = 4000; // characters

export function Preview({ hit }: { hit: Hit }) {
  const [shown, setShown] = useState<{ uri: string; resource: Resource | null } | null>(null);
  useEffect(() => {
    const abort = new AbortController();
    const timer = setTimeout(async () => {
      const fetched = await readResource(hit.uri, null, abort.signal).catch(() => null);
      if (!abort.signal.aborted) setShown({ uri: hit.uri, resource: fetched?.value ?? null });
    }, pause);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [hit.uri]);
  if (shown?.uri !== hit.uri) return <p class="faint">{texts.pane.loading}</p>;
  if (!shown.resource) return <p class="faint">{texts.palette.noPreview}</p>;
  return <Beginning resource={shown.resource} uri={hit.uri} />;
}

function Beginning({ resource, uri }: { resource: Resource; uri: string }) {
  const { content, encoding, type, size } = resource;
  if (encoding === "base64")
    return (
      <p class="faint">
        {type}, {sizeText(size)}
      </p>
    );
  const task = type === "application/json" ? taskIn(content) : null;
  if (task)
    return (
      <>
        <p class="preview-facts">
          {[task.status, task.priority, task.assignee, ...(task.labels ?? [])].filter(Boolean).join(" · ")}
        </p>
        <Markdown text={(task.body || texts.palette.noBody).slice(0, longest)} base={uri} level={3} />
      </>
    );
  if (type === "text/markdown") return <Markdown text={content.slice(0, longest)} base={uri} level={3} />;
  return (
    <Text
      text={content.slice(0, longest)}
      language={languageOfFile(nameOf(resource.path ?? uri)) || languageOfType(type)}
    />
  );
}

function Text({ text, language }: { text: string; language: string }) {
  const code = useRef<HTMLElement>(null);
  useEffect(() => {
    let over = false;
    if (code.current) code.current.textContent = text;
    void highlight(text, language).then((lines) => {
      if (lines && !over && code.current) paint(code.current, lines);
    });
    return () => {
      over = true;
    };
  }, [text, language]);
  return (
    <pre class="preview-text">
      <code ref={code} />
    </pre>
  );
}

interface Task {
  status?: string;
  priority?: string;
  assignee?: string;
  labels?: string[];
  body?: string;
}

function taskIn(content: string): Task | null {
  try {
    const value = JSON.parse(content) as Task | null;
    return typeof value?.body === "string" ? value : null;
  } catch {
    return null;
  }
}
