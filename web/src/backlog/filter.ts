// What of the backlog is shown, as part of an address. Pure functions.
import { withQuery } from "../core/uri";
import { type Status, statuses, type TaskType, tasksUri, taskTypes } from "./types";

export const sorts = ["rank", "id", "priority", "due", "updated", "created", "title"] as const;
export type Sort = (typeof sorts)[number];

export interface Filter {
  status: Status[]; // empty: all
  type: TaskType[]; // empty: all
  label: string;
  assignee: string; // "none": those without
  parent: string; // "none": those without
  ready: "" | "true" | "false";
  q: string;
  sort: Sort;
}

export const everything: Filter = {
  status: [],
  type: [],
  label: "",
  assignee: "",
  parent: "",
  ready: "",
  q: "",
  sort: "rank",
};

function known<T extends string>(text: string | null, all: readonly T[]): T[] {
  const said = (text ?? "").split(",").map((word) => word.trim());
  return all.filter((each) => said.includes(each));
}

export function filterOf(query: URLSearchParams): Filter {
  const ready = query.get("ready");
  return {
    status: known(query.get("status"), statuses),
    type: known(query.get("type"), taskTypes),
    label: query.get("label") ?? "",
    assignee: query.get("assignee") ?? "",
    parent: query.get("parent") ?? "",
    ready: ready === "true" || ready === "false" ? ready : "",
    q: query.get("q") ?? "",
    sort: known(query.get("sort"), sorts)[0] ?? "rank",
  };
}

function parametersOf(filter: Filter): Record<string, string> {
  return {
    status: filter.status.join(","),
    type: filter.type.join(","),
    label: filter.label,
    assignee: filter.assignee,
    parent: filter.parent,
    ready: filter.ready,
    q: filter.q,
    sort: filter.sort === "rank" ? "" : filter.sort,
  };
}

// The address of a page that shows this.
export function addressOf(base: string, filter: Filter): string {
  return withQuery(base, parametersOf(filter));
}

// The address of the list itself, as it is read: in pages of `limit`.
export function listOf(filter: Filter, limit: number): string {
  const asked = { ...filter, q: filter.q.trim() };
  // Words are sorted by how well they fit.
  if (asked.q) asked.sort = "rank";
  return withQuery(addressOf(tasksUri, asked), { limit: String(limit) });
}

// The lists behind a board, one for each status. A board has no order of its own.
export function columnOf(filter: Filter, status: Status, limit: number): string {
  return listOf({ ...filter, status: [status], sort: "rank", ready: "" }, limit);
}

export function isFiltered(filter: Filter): boolean {
  return filterCount(filter) > 0;
}

export function filterCount({ status, type, label, assignee, parent, ready, q }: Filter): number {
  return [status.length, type.length, label, assignee, parent, ready, q].filter(Boolean).length;
}

export function toggled<T>(all: T[], one: T): T[] {
  return all.includes(one) ? all.filter((each) => each !== one) : [...all, one];
}
