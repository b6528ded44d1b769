// Where a task stands among others of its status, as the server ranks them: by priority, then by due
// date. Good enough to show a card where it will be, before the server has said so.
import { priorities, type TaskRow } from "./types";

export function comesBefore(a: TaskRow, b: TaskRow): boolean {
  const byPriority = priorityOf(a) - priorityOf(b);
  if (byPriority !== 0) return byPriority < 0;
  const [one, other] = [a.due ?? "~", b.due ?? "~"];
  if (one !== other) return one < other;
  return a.id.localeCompare(b.id, "en", { numeric: true }) < 0;
}

function priorityOf(row: TaskRow): number {
  return priorities.indexOf(row.priority ?? "medium");
}
