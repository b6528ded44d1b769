import type { PageDefinition } from "../../core/registry";

const page: PageDefinition = {
  name: "json",
  rank: 20,
  shows: ({ type, encoding }) => encoding === "utf-8" && /^application\/([\w.-]+\+)?json$/.test(type),
  load: () => import("./JsonPage"),
};
export default page;
