// What a task waits for, and what waits for it, drawn: two lists with the task between them, and lines
// from one to the next. Screen readers hear the lists.
import { useMemo, useState } from "preact/hooks";
import { StatusIcon } from "../../backlog/parts";
import type { RelatedTask, Task } from "../../backlog/types";
import { isOver, taskUri } from "../../backlog/types";
import { useResource } from "../../core/resource";
import { AddressLink } from "../../parts/AddressLink";
import { Section } from "../../parts/Section";
import { texts } from "../../texts";
import { edgesOf } from "./edges";

const first = 8; // of each list

export function Dependencies({ task, level }: { task: Task; level: number }) {
  const [isWhole, setWhole] = useState(false);
  const needs = task.dependencies ?? [];
  const blocks = task.blocks ?? [];
  if (needs.length === 0 && blocks.length === 0) return null;
  const most = isWhole ? Number.POSITIVE_INFINITY : first;
  const left = needs.slice(0, most);
  const right = blocks.slice(0, most);
  const hidden = needs.length - left.length + (task.blocks_count ?? blocks.length) - right.length;
  const open = new Set(task.blocked_by?.map(({ id }) => id));
  return (
    <Section title={texts.task.graph} level={level}>
      <div class="graph">
        <ul aria-label={texts.task.waitsFor}>
          {left.map((id) => (
            <Needed key={id} id={id} known={task.blocked_by?.find((each) => each.id === id)} />
          ))}
        </ul>
        <Edges from={left.length} to={1} isOpen={(i) => open.has(left[i] ?? "")} />
        <div class="graph-this">
          {task.status && <StatusIcon status={task.status} />} <span class="mono">{task.id}</span>
        </div>
        <Edges from={1} to={right.length} isOpen={() => !isOver(task.status)} />
        <ul aria-label={texts.task.blocks}>
          {right.map((other) => (
            <Node key={other.id} task={other} />
          ))}
        </ul>
      </div>
      {(hidden > 0 || isWhole) && (
        <button type="button" class="quiet" aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
          {isWhole ? texts.task.fewer : texts.task.more(hidden)}
        </button>
      )}
    </Section>
  );
}

// Of what is over the task says the id alone: its title is read.
function Needed({ id, known }: { id: string; known: RelatedTask | undefined }) {
  const { resource, error } = useResource(known ? null : taskUri(id));
  const content = resource.value?.content;
  const read = useMemo(() => (content ? (JSON.parse(content) as Task) : null), [content]);
  const missing = error.value?.status === 404;
  return <Node task={known ?? read ?? { id, title: missing ? texts.task.notThere : "", uri: taskUri(id) }} />;
}

function Node({ task }: { task: Pick<RelatedTask, "id" | "title" | "status" | "uri"> }) {
  return (
    <li class="node">
      <AddressLink uri={task.uri}>
        {task.status && <StatusIcon status={task.status} />}
        {task.status && <span class="unseen">{texts.backlog.status[task.status]} </span>}
        <span class="mono">{task.id}</span> <span class="node-title">{task.title}</span>
      </AddressLink>
    </li>
  );
}

interface EdgesProps {
  from: number;
  to: number;
  isOpen: (i: number) => boolean; // whether the edge still holds something up
}

function Edges({ from, to, isOpen }: EdgesProps) {
  if (from === 0 || to === 0) return <span class="edges" />;
  return (
    <svg class="edges" viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true">
      {edgesOf(from, to).map((d, i) => (
        <path key={d} d={d} class={isOpen(i) ? "open" : ""} />
      ))}
    </svg>
  );
}
