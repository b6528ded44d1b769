// Small pieces of which rows, cards and the page of a task are made.
import { texts } from "../texts";
import { dueOf } from "./due";
import type { Priority, Status, TaskRow } from "./types";
import { priorities } from "./types";
import "./parts.css";

// Forms that differ, not colours alone.
const strokes: Record<Status, string> = {
  open: "M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2Z",
  in_progress: "M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2Z",
  blocked: "M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2ZM5 8h6",
  done: "M5 8.2l2.2 2.2L11.2 6",
  cancelled: "M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2ZM6 6l4 4M10 6l-4 4",
};

export function StatusIcon({ status }: { status: Status }) {
  return (
    <svg class={`status-icon ${status}`} viewBox="0 0 16 16" aria-hidden="true">
      {status === "done" && <circle cx="8" cy="8" r="7" class="disc" />}
      {status === "in_progress" && <path d="M8 4.5a3.5 3.5 0 0 1 0 7Z" class="half" />}
      <path d={strokes[status]} class="stroke" />
    </svg>
  );
}

export function StatusText({ status }: { status: Status }) {
  return (
    <span class="status-text">
      <StatusIcon status={status} />
      {texts.backlog.status[status]}
    </span>
  );
}

const bars = [0, 1, 2, 3];

// More bars, more urgent; the name is for whoever cannot see them.
export function PriorityIcon({ priority, named = true }: { priority: Priority; named?: boolean }) {
  const filled = priorities.length - 1 - priorities.indexOf(priority);
  const name = texts.backlog.priorityOf(texts.backlog.priority[priority]);
  return (
    <span class={`priority ${priority}`} title={named ? name : undefined}>
      <svg viewBox="0 0 16 16" aria-hidden="true">
        {bars.map((i) => (
          <rect
            key={i}
            x={1 + i * 3.75}
            y={11 - i * 3}
            width="2.75"
            height={4 + i * 3}
            rx="1"
            class={i < filled ? "on" : ""}
          />
        ))}
      </svg>
      {named && <span class="unseen">{name}</span>}
    </span>
  );
}

export function Labels({ labels, most = 3 }: { labels: string[] | undefined; most?: number }) {
  if (!labels?.length) return null;
  const rest = labels.length - most;
  return (
    <span class="labels">
      {labels.slice(0, most).map((label) => (
        <span key={label} class="label">
          {`${label} `}
        </span>
      ))}
      {rest > 0 && <span class="faint">+{rest}</span>}
    </span>
  );
}

export function DueText({ due, over }: { due: string | undefined; over: boolean }) {
  if (!due) return null;
  const { text, state } = dueOf(due, new Date());
  // What is over is not late any more.
  const late = state === "late" && !over;
  return (
    <time dateTime={due} class={over ? "due" : `due ${state}`} title={texts.backlog.dueOn(due)}>
      {late && <span class="unseen">{texts.backlog.late} </span>}
      {text}
    </time>
  );
}

export function CriteriaCount({ criteria }: { criteria: string | undefined }) {
  if (!criteria) return null;
  const [done = "0", all = "0"] = criteria.split("/");
  return (
    <span class={done === all ? "criteria whole" : "criteria"} title={texts.backlog.criteriaOf(done, all)}>
      <span aria-hidden="true">☑</span> {criteria}
      <span class="unseen"> {texts.backlog.criteria}</span>
    </span>
  );
}

export function Assignee({ name }: { name: string | undefined }) {
  if (!name) return null;
  return (
    <span class="assignee" title={texts.backlog.assignedTo(name)}>
      <span class="initial" aria-hidden="true">
        {initialOf(name)}
      </span>
      <span class="assignee-name">{name}</span>
    </span>
  );
}

function initialOf(name: string): string {
  return (name.match(/\p{L}|\p{N}/u)?.[0] ?? "?").toUpperCase();
}

// What kind it is, where it is no plain task.
export function TypeMark({ type }: Pick<TaskRow, "type">) {
  return type === "task" ? null : <span class="type-mark">{texts.backlog.type[type]}</span>;
}
