import type { PageDefinition } from "../../core/registry";
import { texts } from "../../texts";

const page: PageDefinition = {
  name: "history",
  rank: 100,
  matches: (_, uri) => /^mcp:\/\/backlog\/tasks\/[^/?#]+\/history(?:\?|$)/.test(uri),
  title: (address) => texts.history.title(address.segments[1] ?? ""),
  load: () => import("./HistoryPage"),
};
export default page;
