// Differences that are known to be there, by name. Each is to be taken out of here when
// the program is mended.

const uriOf = ({ params }) => params.uri ?? params.ref?.uri ?? params.arguments?.uri ?? "";
const completes = (question, family) => question.method === "completion/complete" && question.params.ref.uri.startsWith(family);
const ofSkills = (question) => ["skills", "skillDirectory", "resources"].includes(question.kind) || /^skill:/i.test(uriOf(question));

// Whether a policy has no deny, and no allow that could hold for one file and not for another.
const allowsNoFile = (rules) =>
  rules.rules.every(({ effect, uris }) => effect === "allow" && uris.every((uri) => !/^(file:|\*|\{)/.test(uri)));

const known = {
  "a policy that allows no file at all lets resource://file be found, completed and subscribed to": (question, world, rules) =>
    allowsNoFile(rules) && (question.kind === "search" || /^resource:\/\/file/i.test(uriOf(question))),
  "a skill's file has no name but the real one": (question, world) => world.behindLink && ofSkills(question),
  "a prompt that is called by its element's name is not asked for by its id": ({ method, params }) =>
    method === "prompts/get" && !/^[a-z]+-[a-z]+$/.test(params.name),
  "a path of resource://file is completed as if its last name were an aspect": (question) =>
    completes(question, "resource://file/") && question.params.context.arguments.aspect === undefined,
  "a path of resource://project is completed that may not be completed as a file": (question) => completes(question, "resource://project/"),
  "the problem of a malformed file is told whose file is denied": ({ page }) => page === "capability-index://problems",
  "capability-index://search names elements that may not be read": ({ page }) => page === "capability-index://search",
  "the files of a skill are named that may not be listed": ({ kind }) => kind === "skills",
  "imports name files that may not be listed": ({ kind, params }) => kind === "otherFiles" && params.uri.includes("/imports"),
  "the text of a directory names addresses that are not exposed": ({ kind, method }, world) =>
    kind === "directory" && method === "resources/read" && world.expose.length > 0,
};

export function knownDifference(question, rules, world) {
  return Object.keys(known).find((name) => known[name](question, world, rules));
}
