import { useEffect, useState } from "preact/hooks";
import { announce } from "../core/announce";
import { texts } from "../texts";

interface Props {
  text: string | (() => string); // a function: a text that may be long, made when it is wanted
  label: string;
  small?: boolean;
}

// Copies a text, and says so for a moment.
export function CopyButton({ text, label, small = false }: Props) {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), 1500);
    return () => clearTimeout(timer);
  }, [copied]);
  const copy = async (event: Event) => {
    event.stopPropagation();
    await navigator.clipboard.writeText(typeof text === "string" ? text : text());
    setCopied(true);
    announce(texts.pane.copied);
  };
  return (
    <button
      type="button"
      class={small ? "quiet icon copy" : "quiet copy"}
      onClick={copy}
      title={typeof text === "string" ? `${label}: ${text}` : label}
      aria-label={small ? label : undefined}
    >
      {small ? <CopyIcon isDone={copied} /> : copied ? texts.pane.copied : label}
    </button>
  );
}

function CopyIcon({ isDone }: { isDone: boolean }) {
  return (
    <svg class="copy-icon" viewBox="0 0 16 16" aria-hidden="true">
      <path d={isDone ? "M3 8.5l3.2 3.2L13 5" : "M5.5 5.5h7v8h-7zM10.5 5.5v-3h-7v8h2"} />
    </svg>
  );
}
