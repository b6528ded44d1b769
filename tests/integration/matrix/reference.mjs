// What the program must answer, worked out from the rules, the exposure list and the real
// paths of files.
import { Rules } from "./rules.mjs";

export class Reference {
  constructor(world, rules) {
    this.world = world;
    this.rules = rules instanceof Rules ? rules : new Rules(rules);
  }

  // by name: a subscription does not tell where a link leads; that is asked at each event.
  // elsewhere: a deny of an element or a skill's address denies its file.
  fileVerdicts(action, path, byName = false, elsewhere = true) {
    const names = new Set(byName ? [path] : [path, this.world.real(path)]);
    return [...names].map((name) => this.fileVerdict(action, name, elsewhere));
  }
  fileVerdict(action, name, elsewhere) {
    const others = elsewhere ? this.world.shownAt(name) : [];
    if (others.some((address) => this.rules.verdict(action, address) === "deny")) return "deny";
    return this.rules.verdict(action, this.world.fileAddress(this.world.absolute(name)));
  }
  realVerdict(action, path) {
    return this.fileVerdict(action, this.world.real(path), true);
  }
  permits(action, thing, byName = false) {
    if (this.rules.verdict(action, thing.address) !== "allow") return false;
    if (thing.path === undefined) return true;
    if (thing.also?.some((address) => this.rules.verdict(action, address) === "deny")) return false;
    const verdicts = this.fileVerdicts(action, thing.path, byName, thing.same);
    return thing.same ? verdicts.every((verdict) => verdict === "allow") : !verdicts.includes("deny");
  }
  // In a list.
  shows(thing) {
    return this.world.exposes(thing.address) && this.permits("list", thing);
  }
  // In a search.
  finds(thing) {
    return this.shows(thing) && this.permits("read", thing);
  }
  // "ok", "denied" or "none": there is no such thing, for this caller.
  admits(action, thing) {
    if (!this.world.exposes(thing.address)) return "none";
    const byName = action === "subscribe";
    // Which file an element, a skill or a task has depends on what is there, which is not to be learned so.
    const asked = byName && /^(capability-index:|skill:|mcp:\/\/backlog\/(tasks|artifacts)\b)/.test(thing.address) ? { ...thing, path: undefined } : thing;
    if (this.permits(action, asked, byName)) return "ok";
    if (this.permits("list", asked, byName)) return "denied";
    return byName ? "ok" : "none"; // what is hidden can be listened to, in vain, like what is not there
  }
  // A file that tools and searches may name.
  names(path) {
    const file = this.world.file(path);
    return this.permits("list", file) && this.permits("read", file);
  }
  // A file that is in no page of a project.
  hides(path) {
    return ["list", "read"].some((action) => this.fileVerdicts(action, path).includes("deny"));
  }
  calls(tool) {
    const thing = this.world.tool(tool);
    if (!this.permits("list", thing)) return "none";
    return this.permits("call", thing) ? "ok" : "denied";
  }
}
