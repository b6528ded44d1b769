// Moves a task to another status: every list that is open shows it at once, and takes it back if the
// server refuses.
import { announce, notify } from "../core/announce";
import { reasonOf } from "../core/api";
import { parseAddress, withQuery } from "../core/uri";
import { texts } from "../texts";
import { filterOf } from "./filter";
import { comesBefore } from "./order";
import type { TaskPages } from "./pages";
import type { Status, TaskRow } from "./types";
import { openLists } from "./useTaskPages";
import { moveTask } from "./write";

function statusesOf(list: TaskPages): Status[] {
  return filterOf(parseAddress(list.uri)?.query ?? new URLSearchParams()).status;
}

// Lists that show the same but for the status.
function siblingOf(list: TaskPages): string {
  return withQuery(list.uri, { status: "" });
}

// What the lists will show, as far as one can tell.
export function showMove(lists: TaskPages[], row: TaskRow, status: Status): void {
  const having = lists.filter((list) => list.indexOf(row.id) >= 0);
  const families = new Set(having.map(siblingOf));
  for (const list of lists) {
    const shown = statusesOf(list);
    const fits = shown.length === 0 || shown.includes(status);
    if (having.includes(list)) {
      if (fits) list.patch(row.id, { status });
      else list.take(row.id);
    } else if (fits && families.has(siblingOf(list))) {
      list.put({ ...row, status }, comesBefore);
    }
  }
}

// False: it was refused. What happens before the first wait is seen at once.
export async function move(row: TaskRow, status: Status, isUndo = false): Promise<boolean> {
  if (row.status === status) return true;
  const lists = openLists();
  for (const list of lists) list.hold();
  showMove(lists, row, status);
  const before = row.status;
  try {
    await moveTask(row, status);
    const said = texts.backlog.moved(row.id, texts.backlog.status[status]);
    if (isUndo || before === undefined) announce(said);
    else {
      const undo = () => void move({ ...row, status }, before, true);
      notify(said, { action: { text: texts.backlog.undo, run: undo } });
    }
    return true;
  } catch (error) {
    notify(texts.backlog.notMoved(row.id, reasonOf(error)), { kind: "failed" });
    return false;
  } finally {
    for (const list of lists) list.letGo();
  }
}
