import type { PageDefinition } from "../../core/registry";
import { texts } from "../../texts";

const page: PageDefinition = {
  name: "directory",
  rank: 40,
  shows: ({ type }) => type === "inode/directory",
  title: ({ scheme, host, segments }) =>
    scheme === "mcp" && segments.join("/") === "resources"
      ? texts.directory.workspace
      : (segments.at(-1) ?? (host || "/")),
  load: () => import("./DirectoryPage"),
};
export default page;
