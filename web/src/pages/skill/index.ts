import type { PageDefinition } from "../../core/registry";

const page: PageDefinition = {
  name: "skill",
  rank: 30,
  matches: ({ scheme, segments }) => scheme === "skill" && segments.join("/") === "SKILL.md",
  title: ({ host }, resource) => {
    const name = resource?.frontmatter.name;
    return typeof name === "string" ? name : host;
  },
  load: () => import("./SkillPage"),
};
export default page;
