import { useState } from "preact/hooks";
import type { CriterionLine } from "../../backlog/body";
import type { Task } from "../../backlog/types";
import { tickCriterion } from "../../backlog/write";
import { announce, notify } from "../../core/announce";
import { reasonOf } from "../../core/api";
import { Section } from "../../parts/Section";
import { texts } from "../../texts";

interface Props {
  task: Task;
  criteria: CriterionLine[];
  level: number;
  mayWrite: boolean;
}

export function Criteria({ task, criteria, level, mayWrite }: Props) {
  // Ticked, and not yet written.
  const [pending, setPending] = useState<ReadonlyMap<number, boolean>>(new Map());
  if (criteria.length === 0) return null;
  const isDone = ({ line, done }: CriterionLine) => pending.get(line) ?? done;
  const set = async (criterion: CriterionLine, done: boolean) => {
    setPending((old) => new Map(old).set(criterion.line, done));
    try {
      await tickCriterion(task, criterion.line, done);
      announce(texts.task.saved);
    } catch (error) {
      notify(texts.task.notSaved(reasonOf(error)), { kind: "failed" });
    }
    setPending((old) => {
      const left = new Map(old);
      left.delete(criterion.line);
      return left;
    });
  };
  const done = criteria.filter(isDone).length;
  return (
    <Section title={texts.task.criteria} note={`${done}/${criteria.length}`} level={level}>
      <ul class="criteria-list">
        {criteria.map((criterion) => (
          <li key={criterion.line}>
            <label class="inline">
              <input
                type="checkbox"
                checked={isDone(criterion)}
                disabled={!mayWrite || pending.has(criterion.line)}
                onChange={(event) => void set(criterion, event.currentTarget.checked)}
              />
              <span class={isDone(criterion) ? "met" : ""}>{criterion.text}</span>
            </label>
          </li>
        ))}
      </ul>
    </Section>
  );
}
