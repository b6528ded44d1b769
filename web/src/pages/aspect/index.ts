import type { PageDefinition } from "../../core/registry";

const aspects = /^(symbols|structure|imports|exports|diagnostics|references|ast|query)$/;

// What is known about a file of code: resource://file/PATH/ASPECT.
const page: PageDefinition = {
  name: "aspect",
  rank: 30,
  matches: ({ scheme, host, segments }) =>
    scheme === "resource" && host === "file" && segments.length > 1 && aspects.test(segments.at(-1) ?? ""),
  title: ({ segments }) => `${segments.at(-2)}: ${segments.at(-1)}`,
  load: () => import("./AspectPage"),
};
export default page;
