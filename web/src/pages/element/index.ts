import type { PageDefinition } from "../../core/registry";
import { nameOf } from "../../core/uri";

const page: PageDefinition = {
  name: "element",
  rank: 30,
  matches: ({ scheme, host, segments }) =>
    scheme === "capability-index" && host === "elements" && segments.length === 2,
  title: ({ segments }, resource) => {
    const named = resource && /"name":"((?:[^"\\]|\\.)*)"/.exec(resource.content)?.[1];
    const name = resource?.frontmatter.name;
    return typeof name === "string" ? name : (named ?? nameOf(segments.join("/")));
  },
  load: () => import("./ElementPage"),
};
export default page;
