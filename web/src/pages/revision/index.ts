import type { PageDefinition } from "../../core/registry";
import { texts } from "../../texts";

// A literal "@" begins a version; %40 never does.
const version = /^mcp:\/\/backlog\/tasks\/([^/?#@]+)@([^/?#]+)$/;

const page: PageDefinition = {
  name: "revision",
  rank: 100,
  matches: (_, uri) => version.test(uri),
  title: (address) => {
    const [id = "", rev = ""] = (address.segments[1] ?? "").split("@");
    return texts.revision.title(id, rev.length === 40 ? rev.slice(0, 10) : rev);
  },
  load: () => import("./RevisionPage"),
};
export default page;
