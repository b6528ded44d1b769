// Differences that are known to be there, by name. Each is to be taken out of here when
// the program is mended.

const uriOf = ({ params }) => params.uri ?? params.ref?.uri ?? params.arguments?.uri ?? "";
const completes = (question, family) => question.method === "completion/complete" && question.params.ref.uri.startsWith(family);
const ofSkills = (question) => ["skills", "skillDirectory", "resources"].includes(question.kind) || /^skill:/i.test(uriOf(question));

// Whether a policy has no deny, and no allow that could hold for one file and not for another.
const allowsNoFile = (rules) =>
  rules.rules.every(({ effect, uris }) => effect === "allow" && uris.every((uri) => !/^(file:|\*|\{)/.test(uri)));

const known = {};

export function knownDifference(question, rules, world) {
  return Object.keys(known).find((name) => known[name](question, world, rules));
}
