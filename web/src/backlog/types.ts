// What the addresses of the backlog give (docs/backlog.md).
import { encodePath } from "../core/uri";

export const statuses = ["open", "in_progress", "blocked", "done", "cancelled"] as const;
export type Status = (typeof statuses)[number];

export const priorities = ["critical", "high", "medium", "low", "lowest"] as const;
export type Priority = (typeof priorities)[number];

export const taskTypes = ["task", "epic", "folder", "milestone", "artifact"] as const;
export type TaskType = (typeof taskTypes)[number];

// A task in a list.
export interface TaskRow {
  id: string;
  title: string;
  type: TaskType;
  malformed?: boolean;
  status?: Status; // folders and artifacts have none
  priority?: Priority;
  parent?: string;
  dependencies?: string[];
  labels?: string[];
  assignee?: string;
  due?: string;
  criteria?: string; // "1/3"
  snippet?: string; // of a search
}

export interface TaskListPage {
  tasks: TaskRow[];
  total?: number;
  next?: string;
  incomplete?: string;
}

export interface RelatedTask {
  id: string;
  title: string;
  status?: Status;
  uri: string;
}

export interface Criterion {
  text: string;
  done: boolean;
}

export interface Reference {
  url: string;
  title?: string;
}

export interface Problem {
  line?: number;
  problem: string;
}

// A task as a whole.
export interface Task extends Omit<TaskRow, "criteria" | "snippet"> {
  uri: string;
  version?: string; // for if_version; an earlier version has none
  ready?: boolean;
  order?: number;
  created: string;
  updated: string;
  references?: Reference[];
  acceptance_criteria?: Criterion[];
  evidence?: string[];
  blocked_reason?: string[];
  children?: RelatedTask[];
  children_count?: number;
  blocked_by?: RelatedTask[];
  blocked_by_count?: number;
  blocks?: RelatedTask[];
  blocks_count?: number;
  fields?: Record<string, unknown>;
  problems?: Problem[];
  body: string;
  body_cut?: boolean;
}

export interface HistoryPage {
  id: string;
  uri: string;
  history: Revision[];
  next?: string;
  incomplete?: string;
}

export interface Revision {
  commit: string;
  author: string;
  time: string;
  subject: string;
  changes: { field: string; from?: unknown; to?: unknown }[];
}

export interface ProblemsPage {
  count: number;
  problems: (Problem & { id: string; file: string; uri: string })[];
  next?: string;
}

export const boardUri = "mcp://backlog/board";
export const tasksUri = "mcp://backlog/tasks";
export const problemsUri = "mcp://backlog/problems";

export function taskUri(id: string): string {
  return `${tasksUri}/${encodePath(id)}`;
}

// Folders and artifacts are never open or done.
export function hasStatus(type: TaskType): boolean {
  return type !== "folder" && type !== "artifact";
}

export function isOver(status: Status | undefined): boolean {
  return status === "done" || status === "cancelled";
}
