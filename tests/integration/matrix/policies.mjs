// Policies of one to eight rules, about the things of a world. Seeded.

export class Random {
  // Seeds that are near each other give series that are not.
  constructor(...seeds) {
    this.state = 0;
    for (const seed of seeds) this.state = Math.imul((this.state ^ seed) + 0x9e3779b9, 0x85ebca6b) >>> 0;
  }
  // 0 to 1 (mulberry32).
  next() {
    this.state = (this.state + 0x6d2b79f5) >>> 0;
    let t = this.state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  }
  below(count) {
    return Math.floor(this.next() * count);
  }
  pick(list) {
    return list[this.below(list.length)];
  }
  chance(part) {
    return this.next() < part;
  }
  weighted(pairs) {
    let at = this.next() * pairs.reduce((sum, [, weight]) => sum + weight, 0);
    return pairs.find(([, weight]) => (at -= weight) < 0)[0];
  }
}

const actions = ["list", "read", "subscribe", "complete", "call", "write"];
const families = ["file:///**", "resource://**", "resource://file/**", "resource://project/**", "capability-index://**", "capability-index://elements/**", "skill://**", "mcp://backlog/**", "mcp://backlog/tasks/**", "mcp://backlog/artifacts/**", "mcp://backlog/resources/**", "lode://**", "lode://tools/**", "lode://prompts/**", "lode://search"];

function someActions(random) {
  if (random.chance(0.45)) return ["*"];
  const some = actions.filter(() => random.chance(0.35));
  return some.length > 0 ? some : [random.pick(actions)];
}

function blurred(random, address) {
  const at = address.lastIndexOf("/") + 1;
  const name = address.slice(at);
  const stem = address.slice(0, at);
  return random.pick([
    `${stem}*`,
    `${stem}${name.slice(0, 1)}*`,
    `**/${name || "*"}`,
    `${stem}[!${name.slice(0, 1) || "a"}]*`,
    name.length > 1 && !name.includes("%") ? `${stem}?${name.slice(1)}` : `${stem}*`,
    `${stem}{${name},other}`,
    `${address.slice(0, address.indexOf("//") + 2)}**/${name || "*"}`,
  ]);
}

function someGlob(random, world, questions) {
  if (random.chance(0.15)) return random.pick(families);
  const thing = random.chance(0.15)
    ? random.pick([...world.elements.map((each) => world.prompt(`${each.type}-${each.id}`)), world.tool("find_files"), world.tool("file_ops"), world.broken])
    : questions.anyThing();
  // As often the file behind it, by one of its names.
  const path = thing.path !== undefined && random.chance(0.5) ? random.pick([thing.path, world.real(thing.path)]) : undefined;
  const address = path === undefined ? thing.address : world.file(path).address;
  return random.pick([
    () => address,
    () => address,
    () => `${address}/**`,
    () => `${address.slice(0, address.lastIndexOf("/"))}/**`,
    () => `{${address}/**,${questions.anyThing().address}}`,
    () => blurred(random, address),
  ])();
}

// What most policies that allow little begin with.
function someFamilies(random, world) {
  const files = ["file:///**", `${world.file("").address}/**`, `${world.file("open").address}/**`];
  const some = ["resource://file/**", "resource://project/**", "capability-index://**", "skill://**", "mcp://backlog/**", "lode://**"].filter(() => random.chance(0.7));
  if (random.chance(0.7)) some.push(random.pick(files));
  return some.length > 0 ? some : ["lode://**"];
}

export function makePolicy(random, world, questions) {
  const count = 1 + random.below(8);
  const rules = random.weighted([
    [[{ effect: "allow", actions: ["*"], uris: ["**"] }], 45],
    [[{ effect: "allow", actions: someActions(random), uris: ["**"] }], 10],
    [[{ effect: "allow", actions: random.chance(0.7) ? ["*"] : someActions(random), uris: someFamilies(random, world) }], 35],
    [[], 10],
  ]);
  while (rules.length < count) {
    const uris = Array.from({ length: 1 + random.below(3) }, () => someGlob(random, world, questions));
    rules.push({ effect: random.chance(rules[0]?.uris[0] === "**" ? 0.15 : 0.6) ? "allow" : "deny", actions: someActions(random), uris });
  }
  return rules;
}
