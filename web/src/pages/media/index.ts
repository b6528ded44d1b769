import type { PageDefinition } from "../../core/registry";

const page: PageDefinition = {
  name: "media",
  rank: 30,
  shows: ({ type }) => /^(video|audio)\//.test(type) || type === "application/pdf",
  load: () => import("./MediaPage"),
};
export default page;
