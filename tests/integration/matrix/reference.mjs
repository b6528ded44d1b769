// What the program must answer, worked out from the rules, the exposure list and the real
// paths of files.
import { Rules } from "./rules.mjs";

export class Reference {
  constructor(world, rules) {
    this.world = world;
    this.rules = rules instanceof Rules ? rules : new Rules(rules);
  }

  // by name: a subscription does not tell where a link leads; that is asked at each event.
  fileVerdicts(action, path, byName = false) {
    const names = new Set(byName ? [path] : [path, this.world.real(path)]);
    return [...names].map((name) => this.rules.verdict(action, this.world.fileAddress(this.world.absolute(name))));
  }
  realVerdict(action, path) {
    return this.rules.verdict(action, this.world.fileAddress(this.world.absolute(this.world.real(path))));
  }
  permits(action, thing, byName = false) {
    if (this.rules.verdict(action, thing.address) !== "allow") return false;
    if (thing.path === undefined) return true;
    const verdicts = this.fileVerdicts(action, thing.path, byName);
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
    // Which file an element or a skill has depends on what is there, which is not to be learned so.
    const asked = byName && /^(capability-index|skill):/.test(thing.address) ? { ...thing, path: undefined } : thing;
    if (this.permits(action, asked, byName)) return "ok";
    return this.permits("list", asked, byName) ? "denied" : "none";
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
