import type { PageDefinition } from "../../core/registry";
import { texts } from "../../texts";

const page: PageDefinition = {
  name: "activity",
  rank: 30,
  matches: ({ scheme, host, segments }) => scheme === "lode" && host === "activity" && segments.length === 0,
  title: () => texts.activity.title,
  load: () => import("./ActivityPage"),
  entry: { text: texts.activity.title, uri: "lode://activity", order: 50, icon: "∿", key: "g a" },
};
export default page;
