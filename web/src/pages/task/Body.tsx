import { useState } from "preact/hooks";
import type { Task } from "../../backlog/types";
import { draftOf } from "../../core/drafts";
import { Markdown } from "../../parts/Markdown";
import { texts } from "../../texts";
import { TextEditor } from "./TextEditor";

interface Props {
  task: Task;
  text: string; // of the body, what is not shown elsewhere
  base: string;
  level: number;
  fragment: string;
  where: "main" | "pane";
  mayWrite: boolean;
}

export function Body({ task, text, base, level, fragment, where, mayWrite }: Props) {
  const [isEditing, setEditing] = useState(() => draftOf(`${task.id}.body`) !== null);
  if (isEditing && mayWrite) {
    return <TextEditor task={task} field="body" base={base} level={level} done={() => setEditing(false)} />;
  }
  return (
    <section class="part task-body">
      {mayWrite && !task.body_cut && (
        <button type="button" class="quiet edit-body" data-key="e" onClick={() => setEditing(true)}>
          {text.trim() ? texts.task.edit : texts.task.addBody}
        </button>
      )}
      {text.trim() !== "" && (
        <Markdown text={text} base={base} page={task.uri} level={level} fragment={fragment} where={where} />
      )}
      {task.body_cut && <p class="notice">{texts.task.bodyCut}</p>}
    </section>
  );
}
