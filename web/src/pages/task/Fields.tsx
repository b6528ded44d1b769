import type { ComponentChildren } from "preact";
import { agoOf, dueOf } from "../../backlog/due";
import { LabelsField, PersonField, PriorityField, TaskField } from "../../backlog/fields";
import { DueText, Labels, PriorityIcon } from "../../backlog/parts";
import { hasStatus, isOver, type Task, taskUri } from "../../backlog/types";
import { AddressLink } from "../../parts/AddressLink";
import { texts } from "../../texts";
import { DependenciesField } from "./DependenciesField";
import type { Edits } from "./useEdits";

interface Props {
  task: Task;
  edits: Edits;
  mayWrite: boolean;
}

export function Fields({ task, edits, mayWrite }: Props) {
  const now = new Date();
  return (
    <dl class="fields" aria-label={texts.task.fields}>
      {hasStatus(task.type) && (
        <Field name={texts.task.priority} shortcut="p">
          {mayWrite ? (
            <PriorityField
              value={task.priority ?? "medium"}
              set={(priority) => void edits.change({ priority })}
            />
          ) : (
            task.priority && (
              <>
                <PriorityIcon priority={task.priority} named={false} />{" "}
                {texts.backlog.priority[task.priority]}
              </>
            )
          )}
        </Field>
      )}
      <Field name={texts.backlog.assignee} shortcut="a">
        {mayWrite ? (
          <PersonField
            value={task.assignee ?? ""}
            set={(assignee) => void edits.change({ assignee: assignee || null })}
          />
        ) : (
          (task.assignee ?? <None />)
        )}
      </Field>
      <Field name={texts.task.labels} shortcut="l">
        {mayWrite ? (
          <LabelsField
            value={task.labels ?? []}
            set={(labels) => void edits.change({ labels: labels.length ? labels : null })}
          />
        ) : task.labels ? (
          <Labels labels={task.labels} most={100} />
        ) : (
          <None />
        )}
      </Field>
      <Field name={texts.task.due} shortcut="d">
        <DueField task={task} edits={edits} mayWrite={mayWrite} />
      </Field>
      <Field name={texts.backlog.parent}>
        {mayWrite ? (
          <TaskField
            name={texts.backlog.parent}
            none={texts.backlog.noParent}
            value={task.parent ?? ""}
            set={(parent) => void edits.change({ parent: parent || null })}
          />
        ) : task.parent ? (
          <AddressLink uri={taskUri(task.parent)}>{task.parent}</AddressLink>
        ) : (
          <None />
        )}
      </Field>
      <Field name={texts.task.dependencies}>
        <DependenciesField task={task} edits={edits} mayWrite={mayWrite} />
      </Field>
      <Field name={texts.task.created}>
        <Moment time={task.created} now={now} />
      </Field>
      <Field name={texts.task.updated}>
        <Moment time={task.updated} now={now} />
      </Field>
      <Others fields={task.fields} />
    </dl>
  );
}

interface FieldProps {
  name: string;
  shortcut?: string;
  children: ComponentChildren;
}

function Field({ name, shortcut, children }: FieldProps) {
  return (
    <div class="field-row" data-key={shortcut}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function None() {
  return <span class="faint">{texts.task.none}</span>;
}

function Moment({ time, now }: { time: string; now: Date }) {
  return (
    <time dateTime={time} title={new Date(time).toLocaleString()}>
      {agoOf(time, now)}
    </time>
  );
}

// A date that the browser's field cannot show, as a text that somebody wrote, is shown as it is.
function DueField({ task, edits, mayWrite }: Props) {
  const shown = task.due ? <DueText due={task.due} over={isOver(task.status)} /> : null;
  if (!mayWrite) return shown ?? <None />;
  // Beside the date itself, only what presses is worth saying.
  const presses = task.due && !isOver(task.status) && dueOf(task.due, new Date()).state !== "later";
  const day = /^\d{4}-\d\d-\d\d/.exec(task.due ?? "")?.[0] ?? "";
  const set = (value: string) => {
    if (value !== day) void edits.change({ due: value || null });
  };
  return (
    <span class="due-field">
      <input
        // Another date from elsewhere is shown; while one types, what is typed is.
        key={day}
        type="date"
        aria-label={texts.task.due}
        defaultValue={day}
        data-empty={day === ""}
        onKeyDown={(event) => {
          if (event.key === "Enter") set(event.currentTarget.value);
        }}
        onBlur={(event) => set(event.currentTarget.value)}
      />
      {(presses || day === "") && shown}
    </span>
  );
}

function Others({ fields }: { fields: Record<string, unknown> | undefined }) {
  if (!fields) return null;
  return (
    <>
      {Object.entries(fields).map(([name, value]) => (
        <Field key={name} name={name}>
          {typeof value === "string" ? value : JSON.stringify(value)}
        </Field>
      ))}
    </>
  );
}
