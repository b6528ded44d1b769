import { problemsUri } from "../../backlog/types";
import type { PageDefinition } from "../../core/registry";
import { withoutQuery } from "../../core/uri";
import { texts } from "../../texts";

const page: PageDefinition = {
  name: "problems",
  rank: 100,
  matches: (_, uri) => withoutQuery(uri) === problemsUri,
  title: () => texts.problems.title,
  load: () => import("./ProblemsPage"),
};
export default page;
