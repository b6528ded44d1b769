// The policy, told a second time and plainly: what the rules say of an address.

// Alternatives in braces, written out.
function expand(glob) {
  const open = glob.indexOf("{");
  if (open < 0) return [glob];
  let depth = 0;
  const cuts = [open];
  for (let at = open; at < glob.length; ++at) {
    if (glob[at] === "{") depth += 1;
    if (glob[at] === "}") depth -= 1;
    if ((glob[at] === "," && depth === 1) || depth === 0) cuts.push(at);
    if (depth === 0) break;
  }
  const end = cuts.at(-1);
  return cuts.slice(1).flatMap((cut, i) => expand(glob.slice(0, open) + glob.slice(cuts[i] + 1, cut) + glob.slice(end + 1)));
}

function pattern(glob) {
  let text = "";
  for (let at = 0; at < glob.length; ) {
    const rest = glob.slice(at);
    const set = /^\[(!?)([^\]]+)\]/.exec(rest);
    const begins = at === 0 || glob[at - 1] === "/";
    const [wild, means] =
      begins && rest.startsWith("**/") ? ["**/", "(?:.*/)?"]
      : rest.startsWith("**") ? ["**", ".*"]
      : rest[0] === "*" ? ["*", "[^/]*"]
      : rest[0] === "?" ? ["?", "[^/]"]
      : set ? [set[0], `(?!/)[${set[1] ? "^" : ""}${set[2]}]`]
      : [rest[0], rest[0].replace(/[\\^$.|+()\]}]/, "\\$&")];
    text += means;
    at += wild.length;
  }
  return new RegExp(`^${text}$`, "s");
}

// "x/**" covers x itself.
export function ruleMatcher(glob) {
  const all = expand(glob).flatMap((one) => {
    const itself = one.endsWith("/**") ? one.slice(0, -3) : "";
    return itself && !/[/:]$/.test(itself) ? [one, itself] : [one];
  });
  const patterns = all.map(pattern);
  return (address) => patterns.some((each) => each.test(address));
}

// Addresses of files and directories; what is denied to a directory is denied to all below it.
const inTree = (address) => /^(file:\/\/\/.|skill:\/\/.|mcp:\/\/backlog\/(resources|artifacts)(\/|$))/.test(address);

const originalOf = (address) => /^(.*[^/])\.bak\d*$/is.exec(address)?.[1];

export class Rules {
  // rules: [{ effect, actions, uris }]
  constructor(rules) {
    this.rules = rules.map((rule) => ({ ...rule, matchers: rule.uris.map(ruleMatcher) }));
    this.known = new Map();
  }
  // "deny", "allow" or "none": of the address alone.
  #at(action, address) {
    const matching = this.rules.filter(
      (rule) => (rule.actions.includes(action) || rule.actions.includes("*")) && rule.matchers.some((matches) => matches(address)),
    );
    if (matching.some((rule) => rule.effect === "deny")) return "deny";
    return matching.length > 0 ? "allow" : "none";
  }
  // With what a backup and a directory add to it.
  #decide(action, address) {
    const chain = [];
    for (let name = address; name; name = originalOf(name)) chain.push(this.#at(action, name));
    const above = [];
    for (let name = address; inTree(name); name = name.slice(0, name.lastIndexOf("/"))) above.push(this.#at(action, name));
    if (chain.includes("deny") || above.includes("deny")) return "deny";
    return chain.includes("none") ? "none" : "allow";
  }
  verdict(action, address) {
    const key = `${action} ${address}`;
    if (!this.known.has(key)) this.known.set(key, this.#decide(action, address));
    return this.known.get(key);
  }
  toml() {
    return this.rules
      .map(
        ({ effect, actions, uris }) =>
          `[[rule]]\neffect = "${effect}"\nroles = ["*"]\nactions = ${JSON.stringify(actions)}\nuris = ${JSON.stringify(uris)}\n`,
      )
      .join("");
  }
}
