// Other ways to write an address. `loose`: the program may know it or not; it must only not
// be a way around a rule.

const lowerHex = (text) => text.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase());
const plurals = { persona: "personas", template: "templates", agent: "agents", skill: "skills" };

// The address in three parts: what names the family, the path, the query.
function parts(address) {
  const [, begin, path, query] = /^([a-z-]+:\/\/[^/?]*)([^?]*)(.*)$/.exec(address);
  return { begin, path, query };
}

function encodeOne(random, path) {
  const places = [...path.matchAll(/(?<!%|%[0-9A-F])[A-Za-z0-9._-]/g)].map((match) => match.index);
  if (places.length === 0) return path;
  const at = random.pick(places);
  const code = `%${path.charCodeAt(at).toString(16)}`;
  return path.slice(0, at) + (random.chance(0.5) ? code : code.toUpperCase()) + path.slice(at + 1);
}

function insertBefore(random, path, text) {
  const slashes = [...path.matchAll(/\//g)].map((match) => match.index);
  if (slashes.length === 0) return path;
  const at = random.pick(slashes);
  return path.slice(0, at) + text + path.slice(at);
}

const inPath = (change) => (random, address, thing) => {
  const { begin, path, query } = parts(address);
  return begin + change(random, path, thing) + query;
};

// Which kinds of addresses know the spelling; others may.
const spellings = {
  plain: { change: (random, address) => address, known: ["file", "code", "project", "skill", "element", "page", "task", "resource", "artifact"] },
  encoded: { change: inPath(encodeOne), known: ["file", "code", "project", "skill", "element", "page", "task", "resource", "artifact"] },
  lowerHex: { change: (random, address) => lowerHex(address), known: ["file", "code", "project", "skill", "element", "page", "task", "resource", "artifact"] },
  doubled: { change: inPath((random, path) => insertBefore(random, path, "/")), known: ["file", "code", "project", "skill"] },
  dot: { change: inPath((random, path) => insertBefore(random, path, "/.")), known: ["file", "code", "project", "skill", "element", "task", "resource", "artifact"] },
  slash: { change: inPath((random, path) => `${path}/`), known: ["file", "code", "project", "skill", "resource"] },
  capitals: {
    change: (random, address) => {
      const { begin, path, query } = parts(address);
      return begin.toUpperCase() + path + query;
    },
    known: ["file", "code", "project", "skill", "element", "page", "task", "resource", "artifact"],
  },
  query: { change: (random, address) => address + (address.includes("?") ? "&" : "?") + random.pick(["x=1", "after=", "after=%20"]), known: [] },
  up: { change: inPath((random, path) => insertBefore(random, path, "/open/..")), known: [] },
  encodedSlash: { change: inPath((random, path) => path.slice(0, 1) + path.slice(1).replace("/", "%2F")), known: [] },
  localhost: { change: (random, address) => address.replace("file:///", random.pick(["file://localhost/", "file:/"])), known: [] },
};

const aliases = ["dollhouse://capability-index/", "dollhouse://capability-index//", "capability://nexs-mcp/index/"];

// An element by its name, its type in the plural, and any of it behind an alias.
function respell(random, thing) {
  if (thing.kind === "artifact" && random.chance(0.3)) return thing.address.replace("/artifacts/", random.pick(["/artifacts/artifacts/", "/artifacts/artifacts/artifacts/"]));
  if (thing.kind !== "element" && thing.kind !== "page") return thing.address;
  let rest = thing.address.slice("capability-index://".length);
  if (thing.kind === "element") {
    const type = random.chance(0.4) ? plurals[thing.type] : thing.type;
    const id = thing.name && random.chance(0.4) ? encodeURIComponent(random.chance(0.5) ? thing.name : thing.name.toUpperCase()) : thing.id;
    rest = `elements/${type}/${id}`;
  }
  return (random.chance(0.4) ? random.pick(aliases) : "capability-index://") + rest;
}

// known: only spellings that the program knows.
export function spell(random, thing, { known: only = false } = {}) {
  const begin = respell(random, thing);
  const names = Object.keys(spellings).filter((name) => !only || spellings[name].known.includes(thing.kind));
  const name = random.chance(0.25) ? "plain" : random.pick(names);
  const { change, known } = spellings[name];
  const text = change(random, begin, thing);
  const same = name === "plain" || text === begin;
  return { text, name, loose: !same && !known.includes(thing.kind) };
}
