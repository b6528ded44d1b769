import { useMemo } from "preact/hooks";
import type { Task } from "../../backlog/types";
import { taskUri } from "../../backlog/types";
import { useResource } from "../../core/resource";
import { AddressLink } from "../../parts/AddressLink";
import { texts } from "../../texts";

const deepest = 8;

// The way down to a task: epic › task › this.
export function Parents({ task }: { task: Task }) {
  if (!task.parent) return null;
  return (
    <nav class="parents" aria-label={texts.task.parents(task.id)}>
      <ol>
        <Parent id={task.parent} below={[task.id]} />
      </ol>
    </nav>
  );
}

// A parent behind its own parents. `below`: the ids from here on down, which tell a circle.
function Parent({ id, below }: { id: string; below: string[] }) {
  const { resource } = useResource(taskUri(id));
  const content = resource.value?.content;
  const task = useMemo(() => (content ? (JSON.parse(content) as Task) : null), [content]);
  const next = task?.parent;
  const goesOn = next && !below.includes(next) && next !== id && below.length < deepest;
  return (
    <>
      {goesOn && <Parent id={next} below={[id, ...below]} />}
      <li>
        <AddressLink uri={taskUri(id)}>
          <span class="mono">{id}</span> {task?.title}
        </AddressLink>
      </li>
    </>
  );
}
