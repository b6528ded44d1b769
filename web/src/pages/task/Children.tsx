import { useState } from "preact/hooks";
import { addressOf, everything } from "../../backlog/filter";
import { NewTaskDialog } from "../../backlog/NewTask";
import { StatusIcon } from "../../backlog/parts";
import { isOver, type Task, tasksUri } from "../../backlog/types";
import { AddressLink } from "../../parts/AddressLink";
import { Section } from "../../parts/Section";
import { texts } from "../../texts";

interface Props {
  task: Task;
  level: number;
  mayWrite: boolean;
}

export function Children({ task, level, mayWrite }: Props) {
  const [isNew, setNew] = useState(false);
  const children = task.children ?? [];
  const isContainer = task.type !== "task" && task.type !== "artifact";
  if (children.length === 0 && !isContainer) {
    return mayWrite ? <AddChild task={task} isOpen={isNew} setOpen={setNew} /> : null;
  }
  const count = task.children_count ?? children.length;
  const over = children.filter(({ status }) => isOver(status)).length;
  return (
    <Section title={texts.task.children} note={count === children.length && `${over}/${count}`} level={level}>
      {children.length > 0 && (
        <>
          <progress
            max={children.length}
            value={over}
            aria-label={texts.task.progress(over, children.length)}
          />
          <ul class="task-list">
            {children.map((child) => (
              <li key={child.id}>
                {child.status && <StatusIcon status={child.status} />}
                {child.status && <span class="unseen">{texts.backlog.status[child.status]}</span>}
                <AddressLink uri={child.uri}>
                  <span class="mono faint">{child.id}</span> {child.title}
                </AddressLink>
              </li>
            ))}
          </ul>
        </>
      )}
      {count > children.length && (
        <p>
          <AddressLink uri={addressOf(tasksUri, { ...everything, parent: task.id })} where="main">
            {texts.task.allChildren(count)}
          </AddressLink>
        </p>
      )}
      {mayWrite && <AddChild task={task} isOpen={isNew} setOpen={setNew} />}
    </Section>
  );
}

interface AddProps {
  task: Task;
  isOpen: boolean;
  setOpen: (isOpen: boolean) => void;
}

function AddChild({ task, isOpen, setOpen }: AddProps) {
  return (
    <p class="add-child">
      <button type="button" class="quiet" onClick={() => setOpen(true)}>
        {texts.task.newChild}
      </button>
      {isOpen && <NewTaskDialog close={() => setOpen(false)} given={{ parent: task.id }} />}
    </p>
  );
}
