import type { PageDefinition } from "../../core/registry";
import { texts } from "../../texts";

const pages = /^(summary|full|stats|active|problems|recent|search)$/;

// Personas, skills, templates, agents, ensembles and memories: capability-index://…
const page: PageDefinition = {
  name: "elements",
  rank: 30,
  matches: ({ scheme, host, segments }) =>
    scheme === "capability-index" &&
    (segments.length === 0 ? pages.test(host) : host === "elements" && segments.length === 1),
  title: ({ host, segments }) =>
    host === "elements"
      ? (texts.elements.types[segments[0] ?? ""] ?? segments[0] ?? "")
      : host === "summary"
        ? texts.elements.title
        : (texts.elements.pages[host] ?? host),
  load: () => import("./ElementsPage"),
  entry: {
    text: texts.elements.title,
    uri: "capability-index://summary",
    order: 40,
    icon: "✦",
    key: "g e",
    has: (uri) => uri.startsWith("capability-index://") || uri.startsWith("skill://"),
  },
};
export default page;
