import type { PageDefinition } from "../../core/registry";
import { texts } from "../../texts";

const aspects = /^(summary|structure|files)$/;

const page: PageDefinition = {
  name: "project",
  rank: 30,
  matches: ({ scheme, host, segments }) =>
    scheme === "resource" && host === "project" && aspects.test(segments.at(-1) ?? ""),
  title: ({ segments }) => {
    const path = segments.slice(0, -1).join("/");
    return path === "" || path === "." ? texts.project.title : path;
  },
  load: () => import("./ProjectPage"),
  entry: {
    text: texts.project.title,
    uri: "resource://project/summary",
    order: 30,
    icon: "◫",
    key: "g p",
    has: (uri) => uri.startsWith("resource://project/"),
  },
};
export default page;
