// A task as it was once, from git: to be read, not to be changed.
import { useMemo } from "preact/hooks";
import { partsOf } from "../../backlog/body";
import { Labels, PriorityIcon, StatusText } from "../../backlog/parts";
import type { Task } from "../../backlog/types";
import { taskUri } from "../../backlog/types";
import type { PageProps } from "../../core/registry";
import { useResource } from "../../core/resource";
import { AddressLink } from "../../parts/AddressLink";
import { Markdown } from "../../parts/Markdown";
import { Failure } from "../../parts/Notice";
import { texts } from "../../texts";
import { Comments } from "../task/Comments";
import { Criteria } from "../task/Criteria";
import { Evidence, Problems, References } from "../task/Details";
import "../task/task.css";

export default function RevisionPage({ uri, where }: PageProps) {
  const { resource, error, reload } = useResource(uri);
  const content = resource.value?.content;
  const task = useMemo(() => (content ? (JSON.parse(content) as Task) : null), [content]);
  const parts = useMemo(() => partsOf(task?.body ?? ""), [task]);
  if (error.value) return <Failure error={error.value} again={reload} />;
  if (!task) return <p class="faint">{texts.pane.loading}</p>;
  const level = where === "main" ? 2 : 3;
  const now = taskUri(task.id);
  const common = { level, mayWrite: false, base: now };
  return (
    <div class="task">
      <p class="notice">
        {texts.revision.note} <AddressLink uri={now}>{texts.revision.now}</AddressLink>
      </p>
      <p class="revision-title">
        <strong>{task.title}</strong>
      </p>
      <p class="revision-facts">
        {task.status && <StatusText status={task.status} />}
        {task.priority && (
          <span>
            <PriorityIcon priority={task.priority} named={false} /> {texts.backlog.priority[task.priority]}
          </span>
        )}
        {task.assignee && <span>{task.assignee}</span>}
        {task.due && <span>{texts.backlog.dueOn(task.due)}</span>}
        {task.parent && <AddressLink uri={taskUri(task.parent)}>{task.parent}</AddressLink>}
        <Labels labels={task.labels} most={100} />
      </p>
      {task.dependencies && (
        <p>
          {texts.task.waitsFor}:{" "}
          {task.dependencies.map((id) => (
            <AddressLink key={id} uri={taskUri(id)} class="dependency mono">
              {id}
            </AddressLink>
          ))}
        </p>
      )}
      <Problems problems={task.problems} uri={now} level={level} />
      {parts.text.trim() && <Markdown text={parts.text} base={now} level={level} />}
      <Criteria task={task} criteria={parts.criteria} {...common} />
      <References references={task.references} base={now} level={level} />
      <Evidence task={task} level={level} />
      <Comments task={task} comments={parts.comments} {...common} />
    </div>
  );
}
