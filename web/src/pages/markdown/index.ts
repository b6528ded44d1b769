import type { PageDefinition } from "../../core/registry";

const page: PageDefinition = {
  name: "markdown",
  rank: 20,
  shows: ({ type, encoding }) => type === "text/markdown" && encoding === "utf-8",
  load: () => import("./MarkdownPage"),
};
export default page;
