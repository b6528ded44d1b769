import type { PageDefinition } from "../../core/registry";

const page: PageDefinition = {
  name: "text",
  rank: 0,
  shows: () => true,
  load: () => import("./TextPage"),
};
export default page;
