// The dialog that makes a task. What is typed stays until the task is made or the draft discarded,
// though the dialog is closed.
import { useState } from "preact/hooks";
import { notify } from "../core/announce";
import { reasonOf } from "../core/api";
import { draftOf, dropDraft, keepDraft } from "../core/drafts";
import { open } from "../core/location";
import { useAutoFocus } from "../parts/useAutoFocus";
import { Dialog } from "../shell/Dialog";
import { texts } from "../texts";
import { LabelsField, PersonField, PriorityField, TaskField } from "./fields";
import { taskTypes, taskUri } from "./types";
import { createTask, type NewTask, sameValue } from "./write";
import "./newTask.css";

interface Props {
  close: () => void;
  // What the list or the task where it is made says already.
  given: Partial<NewTask>;
}

interface Typed {
  title: string;
  type: string;
  priority: string;
  labels: string[];
  assignee: string;
  parent: string;
  due: string;
  body: string;
}

const draftName = "new task";

const blank: Typed = {
  title: "",
  type: "task",
  priority: "medium",
  labels: [],
  assignee: "",
  parent: "",
  due: "",
  body: "",
};

// What was typed before, and what is given where nothing was.
function begun(given: Partial<NewTask>): Typed {
  const typed = { ...blank, ...draftOf<Typed>(draftName) };
  const isBlank = (name: string) => sameValue(typed[name as keyof Typed], blank[name as keyof Typed]);
  const added = Object.entries(given).filter(([name, value]) => value && name !== "status" && isBlank(name));
  return { ...typed, ...Object.fromEntries(added) };
}

// What is said, and nothing that is not.
function fieldsOf({ title, type, priority, labels, assignee, parent, due, body }: Typed): NewTask {
  return {
    title: title.trim(),
    ...(type === "task" ? {} : { type }),
    ...(priority === "medium" ? {} : { priority }),
    ...(labels.length ? { labels } : {}),
    ...(assignee ? { assignee } : {}),
    ...(parent ? { parent } : {}),
    ...(due ? { due } : {}),
    ...(body.trim() ? { body } : {}),
  };
}

export function NewTaskDialog({ close, given }: Props) {
  const [typed, setTyped] = useState(() => begun(given));
  const [failed, setFailed] = useState("");
  const [busy, setBusy] = useState(false);
  const title = useAutoFocus<HTMLInputElement>();
  const set = (part: Partial<Typed>) => {
    const next = { ...typed, ...part };
    setTyped(next);
    keepDraft(draftName, next);
  };
  const submit = async (event: Event) => {
    event.preventDefault();
    if (!typed.title.trim() || busy) return;
    setBusy(true);
    try {
      const id = await createTask({ ...fieldsOf(typed), ...(given.status ? { status: given.status } : {}) });
      dropDraft(draftName);
      close();
      notify(texts.newTask.made(id));
      open(taskUri(id), "pane");
    } catch (error) {
      setFailed(reasonOf(error));
      setBusy(false);
    }
  };
  const keyDown = (event: KeyboardEvent) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) void submit(event);
  };
  return (
    <Dialog label={texts.newTask.title} close={close} class="new-task">
      <h2>{texts.newTask.title}</h2>
      <form onSubmit={submit} onKeyDown={keyDown}>
        <label>
          {texts.task.title}
          <input
            ref={title}
            required
            maxLength={500}
            value={typed.title}
            onInput={(event) => set({ title: event.currentTarget.value })}
          />
        </label>
        <div class="new-fields">
          <label>
            {texts.backlog.typeName}
            <select value={typed.type} onChange={(event) => set({ type: event.currentTarget.value })}>
              {taskTypes.map((type) => (
                <option key={type} value={type}>
                  {texts.backlog.type[type]}
                </option>
              ))}
            </select>
          </label>
          <label>
            {texts.task.due}
            <input
              type="date"
              value={typed.due}
              onInput={(event) => set({ due: event.currentTarget.value })}
            />
          </label>
        </div>
        <div class="new-pickers">
          <PriorityField value={typed.priority} set={(priority) => set({ priority })} />
          <PersonField value={typed.assignee} set={(assignee) => set({ assignee })} />
          <TaskField
            name={texts.backlog.parent}
            none={texts.backlog.noParent}
            value={typed.parent}
            set={(parent) => set({ parent })}
          />
          <LabelsField value={typed.labels} set={(labels) => set({ labels })} />
        </div>
        <label>
          {texts.task.body}
          <textarea
            rows={8}
            value={typed.body}
            onInput={(event) => set({ body: event.currentTarget.value })}
          />
        </label>
        {failed && (
          <p class="notice" role="alert">
            {failed}
          </p>
        )}
        <p class="actions">
          <button type="submit" class="primary" disabled={busy}>
            {texts.newTask.make}
          </button>
          <button type="button" onClick={close}>
            {texts.newTask.later}
          </button>
          <button
            type="button"
            class="quiet"
            onClick={() => {
              dropDraft(draftName);
              close();
            }}
          >
            {texts.task.discard}
          </button>
        </p>
      </form>
    </Dialog>
  );
}
