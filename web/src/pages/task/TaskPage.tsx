// One task: what it says, what it is related to, and everything that can be changed about it.
import { useMemo, useRef } from "preact/hooks";
import { partsOf } from "../../backlog/body";
import { ReadOnly } from "../../backlog/ReadOnly";
import type { Task } from "../../backlog/types";
import type { Resource } from "../../core/api";
import { token } from "../../core/credentials";
import type { PageProps } from "../../core/registry";
import { useResource } from "../../core/resource";
import { encodePath } from "../../core/uri";
import { Failure } from "../../parts/Notice";
import { texts } from "../../texts";
import { Body } from "./Body";
import { Children } from "./Children";
import { Comments } from "./Comments";
import { Conflicts } from "./Conflicts";
import { Criteria } from "./Criteria";
import { Dependencies } from "./Dependencies";
import { Evidence, Problems, References } from "./Details";
import { Fields } from "./Fields";
import { Gone } from "./Gone";
import { HistoryPart } from "./HistoryPart";
import { TaskHead } from "./TaskHead";
import { useEdits } from "./useEdits";
import { useTaskKeys } from "./useTaskKeys";
import "./task.css";

export default function TaskPage({ uri, address, where, fragment }: PageProps) {
  const { resource, error, reload } = useResource(uri);
  const shown = resource.value;
  const task = useMemo(() => (shown ? (JSON.parse(shown.content) as Task) : null), [shown?.content]);
  const failed = error.value;
  if (failed?.status === 404) return <Gone id={address.segments[1] ?? ""} />;
  if (failed) return <Failure error={failed} again={reload} />;
  if (!task || !shown) return <p class="faint">{texts.pane.loading}</p>;
  return <TaskView task={task} resource={shown} where={where} fragment={fragment} />;
}

interface ViewProps {
  task: Task;
  resource: Resource;
  where: "main" | "pane";
  fragment: string;
}

function TaskView({ task, resource, where, fragment }: ViewProps) {
  const element = useRef<HTMLDivElement>(null);
  const edits = useEdits(task);
  const parts = useMemo(() => partsOf(task.body), [task.body]);
  const level = where === "main" ? 2 : 3;
  const base = baseOf(task, resource);
  const mayWrite = token.value !== null && !task.malformed;
  useTaskKeys(element, mayWrite);
  return (
    <div class="task" ref={element}>
      <TaskHead task={task} where={where} mayWrite={mayWrite} />
      <ReadOnly />
      {task.malformed && <p class="notice">{texts.task.malformed}</p>}
      <Conflicts edits={edits} />
      <div class="task-columns">
        <div class="task-side">
          <Fields task={task} edits={edits} mayWrite={mayWrite} />
        </div>
        <div class="task-main">
          <Problems problems={task.problems} uri={task.uri} level={level} />
          <Body
            task={task}
            text={parts.text}
            base={base}
            level={level}
            fragment={fragment}
            where={where}
            mayWrite={mayWrite}
          />
          <Criteria task={task} criteria={parts.criteria} level={level} mayWrite={mayWrite} />
          <Dependencies task={task} level={level} />
          <Children task={task} level={level} mayWrite={mayWrite} />
          <References references={task.references} base={base} level={level} />
          <Evidence task={task} level={level} />
          <Comments task={task} comments={parts.comments} base={base} level={level} mayWrite={mayWrite} />
          <HistoryPart uri={`${task.uri}/history`} level={level} />
        </div>
      </div>
    </div>
  );
}

// Links in the body are relative to the file; the owner knows where it is, others where it is in the
// workspace.
function baseOf(task: Task, { path }: Resource): string {
  if (path === null) return task.uri;
  return path.startsWith("/") ? `file://${encodePath(path)}` : `mcp://backlog/resources/${encodePath(path)}`;
}
