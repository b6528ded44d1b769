import { describe, expect, it } from "vitest";
import { columnOf, everything, listOf } from "./filter";
import { showMove } from "./move";
import { TaskPages } from "./pages";
import type { TaskRow } from "./types";

const row = (id: string, status: TaskRow["status"]): TaskRow => ({
  id,
  title: id,
  type: "task",
  ...(status ? { status } : {}),
});

async function list(uri: string, ...tasks: TaskRow[]): Promise<TaskPages> {
  const content = JSON.stringify({ tasks, total: tasks.length });
  const pages = new TaskPages(uri, {
    read: async () => ({ value: { content } as never, etag: null }),
    listen: () => () => {},
  });
  pages.start();
  await new Promise((resolve) => setTimeout(resolve, 1));
  return pages;
}
const ids = (pages: TaskPages) => Array.from({ length: pages.known }, (_, i) => pages.row(i)?.id);

describe("a move, before the server has made it", () => {
  it("is shown in every list, as far as one can tell", async () => {
    const one = row("T-1", "open");
    const open = await list(columnOf(everything, "open", 9), one, row("T-2", "open"));
    const done = await list(columnOf(everything, "done", 9), row("T-0", "done"), row("T-3", "done"));
    const labelled = await list(columnOf({ ...everything, label: "x" }, "done", 9), row("T-4", "done"));
    const all = await list(listOf(everything, 9), one);
    showMove([open, done, labelled, all], one, "done");
    expect(ids(open)).toEqual(["T-2"]);
    expect(ids(done)).toEqual(["T-0", "T-1", "T-3"]);
    expect(ids(labelled)).toEqual(["T-4"]);
    expect(all.row(0)?.status).toBe("done");
    expect(open.total).toBe(1);
    expect(done.total).toBe(3);
  });
});
