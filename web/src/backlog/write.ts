// Changes of tasks, by backlog_manage. Every change of a task carries the version that it was made
// of. If the task is another by then, but what is to be changed is still as it was, the change is
// made of the newer version; else it is a conflict, and a person decides.
import { ApiError, callTool, readJson } from "../core/api";
import { refresh } from "../core/resource";
import { settings } from "../core/settings";
import { texts } from "../texts";
import { criteriaIn, tick } from "./body";
import type { Status, Task, TaskRow } from "./types";
import { taskUri } from "./types";

// Null takes a field away.
export interface Change {
  title?: string;
  status?: Status;
  priority?: string;
  labels?: string[] | null;
  assignee?: string | null;
  due?: string | null;
  parent?: string | null;
  dependencies?: string[] | null;
  body?: string;
}
export type Field = keyof Change;

export class Conflict extends Error {
  constructor(
    readonly change: Change,
    readonly base: Task,
    readonly theirs: Task,
  ) {
    super(texts.task.conflict);
  }
}

interface Operation {
  op: string;
  id?: string;
  [argument: string]: unknown;
}

const tries = 4;

function manage(operation: Operation): Promise<string> {
  return callTool("backlog_manage", operation);
}

function isOtherVersion(error: unknown): boolean {
  return (
    error instanceof ApiError &&
    error.status === 422 &&
    /is not the version .* any more|was changed meanwhile/.test(error.message)
  );
}

export function readTask(id: string): Promise<Task> {
  return readJson<Task>(taskUri(id));
}

export function sameValue(a: unknown, b: unknown): boolean {
  const plain = (value: unknown) =>
    JSON.stringify(Array.isArray(value) && value.length === 0 ? null : (value ?? null));
  return plain(a) === plain(b);
}

// The fields of a change that somebody else changed too.
export function contested(change: Change, base: Task, theirs: Task): Field[] {
  return (Object.keys(change) as Field[]).filter(
    (field) => !sameValue(base[field], theirs[field]) && !sameValue(change[field], theirs[field]),
  );
}

// Throws a Conflict.
export async function save(base: Task, change: Change): Promise<void> {
  let version = base.version;
  for (let left = tries; ; left -= 1) {
    try {
      await manage({ op: "update", id: base.id, ...change, if_version: version });
      await refresh(taskUri(base.id));
      return;
    } catch (error) {
      if (!isOtherVersion(error) || left === 0) throw error;
      const theirs = await readTask(base.id);
      if (contested(change, base, theirs).length > 0) throw new Conflict(change, base, theirs);
      version = theirs.version;
    }
  }
}

// Moves a task that was shown with `row.status`.
export async function moveTask(row: Pick<TaskRow, "id" | "status">, status: Status): Promise<void> {
  for (let left = tries; ; left -= 1) {
    const task = await readTask(row.id);
    if (task.status === status) return;
    if (task.status !== row.status)
      throw new ApiError(409, texts.backlog.movedMeanwhile(row.id, task.status));
    try {
      await manage({ op: "move", id: row.id, status, if_version: task.version });
      await refresh(taskUri(row.id));
      return;
    } catch (error) {
      if (!isOtherVersion(error) || left === 0) throw error;
    }
  }
}

// Ticks the criterion that stands in that line of the body of `shown`.
export async function tickCriterion(shown: Task, line: number, done: boolean): Promise<void> {
  const meant = criteriaIn(shown.body).find((each) => each.line === line);
  let task = shown;
  for (let left = tries; meant; left -= 1) {
    const now = criteriaIn(task.body).filter(({ text }) => text === meant.text);
    const found = now.find((each) => each.line === line) ?? (now.length === 1 ? now[0] : undefined);
    if (!found) break;
    if (found.done === done) return;
    const replacement = tick(task.body, found.line, done);
    if (!replacement) break;
    try {
      await manage({ op: "update", id: task.id, ...replacement, if_version: task.version });
      await refresh(taskUri(task.id));
      return;
    } catch (error) {
      if (!isOtherVersion(error) || left === 0) throw error;
      task = await readTask(task.id);
    }
  }
  throw new ApiError(409, texts.task.criterionGone);
}

function as(): { as?: string } {
  return settings.value.name ? { as: settings.value.name } : {};
}

export async function addComment(id: string, text: string): Promise<void> {
  await manage({ op: "comment", id, text, ...as() });
  await refresh(taskUri(id));
}

export async function claim(id: string): Promise<void> {
  await manage({ op: "claim", id, ...as() });
  await refresh(taskUri(id));
}

export interface NewTask extends Change {
  title: string;
  type?: string;
}

// Answers the id.
export async function createTask(fields: NewTask): Promise<string> {
  const said = await manage({ op: "create", ...fields });
  const found = /created mcp:\/\/backlog\/tasks\/(\S+)/.exec(said)?.[1];
  if (!found) throw new ApiError(500, said);
  return decodeURIComponent(found);
}

// Answers what restores it.
export async function deleteTask(task: Task): Promise<string> {
  const said = await manage({ op: "delete", id: task.id, if_version: task.version });
  await refresh(taskUri(task.id));
  const undo = /Undo: (\{.*\})/.exec(said)?.[1];
  return undo ? ((JSON.parse(undo) as { id: string }).id ?? task.id) : task.id;
}

export async function restoreTask(entry: string, id: string): Promise<void> {
  await manage({ op: "restore", id: entry });
  await refresh(taskUri(id));
}
