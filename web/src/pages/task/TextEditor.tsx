// Editing the title or the body of a task in its place. What is typed is kept as a draft until it is
// saved or discarded; a change from elsewhere is told, and touches nothing of it.
import { useEffect, useRef, useState } from "preact/hooks";
import { merge } from "../../backlog/diff";
import type { Task } from "../../backlog/types";
import { Conflict, save } from "../../backlog/write";
import { announce, notify } from "../../core/announce";
import { reasonOf } from "../../core/api";
import { draftOf, dropDraft, keepDraft } from "../../core/drafts";
import { Markdown } from "../../parts/Markdown";
import { modName } from "../../shell/KeysHelp";
import { texts } from "../../texts";
import { SideBySide } from "./SideBySide";

export interface Draft {
  text: string;
  base: string; // what it was made of,
  version: string; // and of which version of the task
}

interface Props {
  task: Task;
  field: "title" | "body";
  base?: string; // the address that links begin at
  level?: number;
  done: () => void;
}

export function TextEditor({ task, field, base = task.uri, level = 2, done }: Props) {
  const name = `${task.id}.${field}`;
  const [draft, setDraft] = useState<Draft>(
    () => draftOf<Draft>(name) ?? { text: task[field], base: task[field], version: task.version ?? "" },
  );
  const [theirs, setTheirs] = useState<Task | null>(null);
  const [failed, setFailed] = useState("");
  const [asks, setAsks] = useState(false);
  const [busy, setBusy] = useState(false);
  const [preview, setPreview] = useState(false);
  const isChanged = draft.text !== draft.base;
  const set = (part: Partial<Draft>) => {
    const next = { ...draft, ...part };
    setDraft(next);
    if (next.text === next.base) dropDraft(name);
    else keepDraft(name, next);
  };
  const close = () => {
    dropDraft(name);
    done();
  };
  const write = async (from: Draft) => {
    if (busy) return;
    if (from.text === from.base) return close();
    setBusy(true);
    try {
      await save({ ...task, [field]: from.base, version: from.version }, { [field]: from.text });
      announce(texts.task.saved);
      close();
    } catch (error) {
      if (error instanceof Conflict) setTheirs(error.theirs);
      else setFailed(texts.task.notSaved(reasonOf(error)));
    }
    setBusy(false);
  };
  const discard = () => {
    const lost = draft;
    close();
    const undo = () => {
      keepDraft(name, lost);
      notify(texts.task.draftKept);
    };
    notify(texts.task.discarded, { action: { text: texts.backlog.undo, run: undo } });
  };
  const leave = () => (isChanged ? setAsks(true) : close());
  const keyDown = (event: KeyboardEvent) => {
    const isSave = event.key === "Enter" && (field === "title" || event.ctrlKey || event.metaKey);
    if (isSave) void write(draft);
    else if (event.key === "Escape") leave();
    else return;
    event.preventDefault();
  };
  if (theirs) {
    return (
      <SideBySide
        title={field === "title" ? texts.task.title : texts.task.body}
        mine={draft.text}
        theirs={theirs[field]}
        takeMine={() => {
          setTheirs(null);
          void write({ ...draft, base: theirs[field], version: theirs.version ?? "" });
        }}
        takeTheirs={discard}
        merge={() => {
          const both = merge(draft.base, draft.text, theirs[field]);
          set({ text: both.text, base: theirs[field], version: theirs.version ?? "" });
          setTheirs(null);
          announce(texts.task.merged(both.conflicts));
        }}
      />
    );
  }
  return (
    <div class="editor" data-field={field} data-preview={preview}>
      {task[field] !== draft.base && (
        <p class="notice" role="status">
          {texts.task.changedMeanwhile}
        </p>
      )}
      <div class="editor-panes">
        <Field field={field} text={draft.text} type={(text) => set({ text })} keyDown={keyDown} />
        {preview && (
          <section class="editor-preview" aria-label={texts.task.preview}>
            <Markdown text={draft.text} base={base} level={level} />
          </section>
        )}
      </div>
      {failed && (
        <p class="notice" role="alert">
          {failed}
        </p>
      )}
      <div class="actions">
        <button type="button" class="primary" disabled={busy} onClick={() => void write(draft)}>
          {texts.backlog.save} <kbd>{field === "title" ? "Enter" : `${modName} Enter`}</kbd>
        </button>
        {field === "body" && (
          <button type="button" aria-pressed={preview} onClick={() => setPreview(!preview)}>
            {texts.task.preview}
          </button>
        )}
        {asks ? (
          <Ask discard={discard} stay={() => setAsks(false)} />
        ) : (
          <button type="button" class="quiet" onClick={leave}>
            {texts.shell.cancel}
          </button>
        )}
      </div>
    </div>
  );
}

interface FieldProps {
  field: "title" | "body";
  text: string;
  type: (text: string) => void;
  keyDown: (event: KeyboardEvent) => void;
}

function Field({ field, text, type, keyDown }: FieldProps) {
  const element = useRef<HTMLTextAreaElement & HTMLInputElement>(null);
  useEffect(() => {
    element.current?.focus({ preventScroll: field === "body" });
    if (field === "title") element.current?.select();
  }, []);
  const props = {
    ref: element,
    "aria-label": field === "title" ? texts.task.title : texts.task.body,
    value: text,
    onInput: (event: { currentTarget: { value: string } }) => type(event.currentTarget.value),
    onKeyDown: keyDown,
  };
  return field === "title" ? (
    <input {...props} maxLength={500} />
  ) : (
    <textarea {...props} rows={12} spellcheck />
  );
}

// Leaving would lose something: the question takes the place of the button.
function Ask({ discard, stay }: { discard: () => void; stay: () => void }) {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => button.current?.focus(), []);
  return (
    <span class="ask" role="alert">
      {texts.task.askDiscard}{" "}
      <button ref={button} type="button" onClick={stay}>
        {texts.task.goOn}
      </button>{" "}
      <button type="button" class="danger" onClick={discard}>
        {texts.task.discard}
      </button>
    </span>
  );
}
