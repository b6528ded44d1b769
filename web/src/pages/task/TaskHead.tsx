import { useState } from "preact/hooks";
import { deleted } from "../../backlog/deleted";
import { TypeMark } from "../../backlog/parts";
import { StatusPicker } from "../../backlog/StatusPicker";
import { isOver, type Task } from "../../backlog/types";
import { claim, deleteTask, restoreTask } from "../../backlog/write";
import { notify } from "../../core/announce";
import { reasonOf } from "../../core/api";
import { draftOf } from "../../core/drafts";
import { texts } from "../../texts";
import { Parents } from "./Parents";
import { TextEditor } from "./TextEditor";

interface Props {
  task: Task;
  where: "main" | "pane";
  mayWrite: boolean;
}

export function TaskHead({ task, where, mayWrite }: Props) {
  const [isEditing, setEditing] = useState(() => draftOf(`${task.id}.title`) !== null);
  const Heading = where === "main" ? "h1" : "h2";
  return (
    <header class="task-head">
      <Parents task={task} />
      {isEditing && mayWrite ? (
        <TextEditor task={task} field="title" done={() => setEditing(false)} />
      ) : (
        <Heading class="task-title">
          <span class="mono faint">{task.id}</span> {task.title} <TypeMark type={task.type} />
        </Heading>
      )}
      <div class="actions task-actions">
        <span data-key="s">
          <StatusPicker row={task} />
        </span>
        {task.ready && <span class="ready">{texts.backlog.ready}</span>}
        {mayWrite && !isEditing && (
          <button type="button" class="quiet" data-key="t" onClick={() => setEditing(true)}>
            {texts.task.editTitle}
          </button>
        )}
        {mayWrite && mayClaim(task) && (
          <button type="button" class="quiet" onClick={() => void claimIt(task)}>
            {texts.task.claim}
          </button>
        )}
        {mayWrite && (
          <button type="button" class="quiet danger" onClick={() => void deleteIt(task)}>
            {texts.task.delete}
          </button>
        )}
      </div>
    </header>
  );
}

function mayClaim({ status, assignee }: Task): boolean {
  return status !== undefined && status !== "blocked" && !isOver(status) && !assignee;
}

async function claimIt(task: Task): Promise<void> {
  try {
    await claim(task.id);
    notify(texts.task.claimed(task.id));
  } catch (error) {
    notify(reasonOf(error), { kind: "failed" });
  }
}

async function deleteIt(task: Task): Promise<void> {
  try {
    const entry = await deleteTask(task);
    deleted.value = { ...deleted.value, [task.id]: entry };
    const undo = () => void restoreIt(task.id);
    notify(texts.task.deleted(task.id), { action: { text: texts.backlog.undo, run: undo } });
  } catch (error) {
    notify(texts.task.notDeleted(task.id, reasonOf(error)), { kind: "failed" });
  }
}

export async function restoreIt(id: string): Promise<void> {
  try {
    await restoreTask(deleted.value[id] ?? id, id);
    const { [id]: _, ...rest } = deleted.value;
    deleted.value = rest;
    notify(texts.task.restored(id));
  } catch (error) {
    notify(reasonOf(error), { kind: "failed" });
  }
}
