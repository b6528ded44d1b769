import type { PageDefinition } from "../../core/registry";
import { nameOf } from "../../core/uri";
import { languageOfFile, languageOfType } from "../../parts/code/languages";

const page: PageDefinition = {
  name: "source",
  rank: 10,
  matches: ({ scheme, host, segments }) =>
    scheme === "resource" && host === "file" && segments.length > 1 && segments.at(-1) === "source",
  shows: ({ type, encoding, path, uri }) =>
    encoding === "utf-8" && (languageOfFile(path ?? nameOf(uri)) !== "" || languageOfType(type) !== ""),
  title: ({ host, segments, query }) =>
    host === "file" && segments.at(-1) === "source"
      ? (query.get("symbol") ?? segments.at(-2) ?? "")
      : (segments.at(-1) ?? ""),
  load: () => import("./SourcePage"),
};
export default page;
