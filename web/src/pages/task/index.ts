import type { Task } from "../../backlog/types";
import type { Resource } from "../../core/api";
import type { PageDefinition } from "../../core/registry";
import { texts } from "../../texts";

// A literal "@" begins an earlier version, which has a page of its own.
const isTask = (uri: string) => /^mcp:\/\/backlog\/tasks\/[^/?#@]+$/.test(uri);

function titleIn(resource: Resource | null): string {
  try {
    const task = JSON.parse(resource?.content ?? "") as Task;
    return `${task.id} ${task.title}`;
  } catch {
    return "";
  }
}

const page: PageDefinition = {
  name: "task",
  rank: 100,
  matches: (_, uri) => isTask(uri),
  title: (address, resource) => titleIn(resource) || (address.segments[1] ?? texts.task.task),
  ownHeading: true,
  load: () => import("./TaskPage"),
};
export default page;
