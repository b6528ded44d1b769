import { tasksUri } from "../../backlog/types";
import type { PageDefinition } from "../../core/registry";
import { withoutQuery } from "../../core/uri";
import { texts } from "../../texts";

const isList = (uri: string) => withoutQuery(uri) === tasksUri;

const page: PageDefinition = {
  name: "tasks",
  rank: 100,
  matches: (_, uri) => isList(uri),
  title: () => texts.tasks.title,
  source: () => null,
  load: () => import("./TasksPage"),
  entry: { text: texts.tasks.title, uri: tasksUri, order: 20, icon: "☰", key: "g t", has: isList },
};
export default page;
