// What is asked, and what the answer is to be. A question is { method, params, expected,
// got(message), loose? }; expected is "ok", "denied", "none", or a sorted list of names.
import { request as modernRequest } from "../hostile.mjs";
import { elementTypes } from "./world.mjs";
import { spell } from "./spelling.mjs";

const denied = -31403;
const meta = JSON.parse(modernRequest(1, "x")).params._meta;
const templates = {
  file: "file:///{+path}",
  code: "resource://file/{+path}/{aspect}{?compact,max_depth,use_symbol_table,include_semantic_hash,expr,symbol,lines}",
  project: "resource://project/{+path}/{aspect}{?pattern,exclude,max_depth,cursor}",
  element: "capability-index://elements/{type}/{id}",
  skill: "skill://{name}/{+path}",
  resource: "mcp://backlog/resources/{+path}",
  task: "mcp://backlog/tasks/{id}",
};
const toolNames = ["resource_read", "resource_find", "find_files", "file_ops", "ast_analyze", "element_manage", "backlog_manage"];

const outcome = ({ result, error }) => (result ? "ok" : error.code === denied ? "denied" : "none");
const sorted = (names) => [...new Set(names)].sort();
const linesOf = (text) => text.split("\n").filter((line) => line !== "");

// A question whose answer is a list of names, if there is one at all.
const listing = (method, params, expected, names) => ({
  method,
  params,
  expected: Array.isArray(expected) ? sorted(expected) : expected,
  got: (message) => (message.result ? sorted(names(message.result)) : outcome(message)),
});
const reading = (uri, expected, names) => listing("resources/read", { uri }, expected, (result) => names(result.contents[0].text));
const calling = (reference, name, args, expected, names) => {
  const may = reference.calls(name);
  const answer = ({ result, error }) => {
    if (error) return error.code === denied ? "denied" : "none";
    return result.isError ? "none" : names(result.content[0].text);
  };
  return {
    method: "tools/call",
    params: { name, arguments: args },
    expected: may !== "ok" ? may : Array.isArray(expected) ? sorted(expected) : expected,
    got: (message) => {
      const got = answer(message);
      return Array.isArray(got) ? sorted(got) : got;
    },
  };
};

export class Questions {
  constructor(world, reference, random) {
    this.world = world;
    this.reference = reference;
    this.random = random;
  }

  // ---- what there is to ask about ----

  anyPath() {
    const { world, random } = this;
    return random.pick(random.pick([world.regular, world.regular, world.directories, world.absent]));
  }
  anySkillFile() {
    const { world, random } = this;
    const name = random.pick(Object.keys(world.skillFolders));
    const { files, directories } = world.skillFolders[name];
    return world.skillFile(name, random.pick(random.chance(0.7) ? files : directories));
  }
  anyThing() {
    const { world, random } = this;
    return random.pick([
      () => world.file(this.anyPath()),
      () => world.file(this.anyPath()),
      () => world.code(this.anyPath() || "main.ts", random.pick(["symbols", "source", "structure", "imports"])),
      () => world.project(random.chance(0.8) ? random.pick(world.directories) : this.anyPath(), random.pick(["structure", "summary", "files"])),
      () => random.pick(world.elements),
      () => this.anySkillFile(),
      () => random.pick(world.tasks),
      () => random.pick(world.artifacts),
      () => world.resource(this.anyPath()),
      () => world.page(random.pick(["summary", "full", "active", "stats", "elements/persona", "elements/skill"])),
    ])();
  }
  exists(thing) {
    const { world } = this;
    if (thing.kind === "file" || thing.kind === "resource") return world.isFile(thing.path) || world.isDirectory(thing.path);
    if (thing.kind === "code") return world.isFile(thing.path);
    if (thing.kind === "project") return world.isDirectory(thing.path) && !this.reference.hides(thing.path);
    return true;
  }

  // ---- resources ----

  read() {
    const thing = this.anyThing();
    const { text: uri, name: spelling, loose } = spell(this.random, thing);
    const admitted = this.reference.admits("read", thing);
    const expected = admitted === "ok" && !this.exists(thing) ? "none" : admitted;
    const byTool = this.random.chance(0.2);
    if (byTool) return { ...calling(this.reference, "resource_read", { uri }, expected, () => "ok"), loose, spelling };
    const method = this.random.chance(0.2) ? "GET /mcp/resource" : "resources/read";
    return { method, params: { uri }, expected, got: outcome, loose, spelling };
  }
  subscribe() {
    const thing = this.anyThing();
    const { text: uri, name: spelling } = spell(this.random, thing, { known: true });
    return { method: "resources/subscribe", params: { uri }, expected: this.reference.admits("subscribe", thing), got: outcome, spelling };
  }
  // A directory's entries, by reading it or as a list.
  directory() {
    const { world, reference, random } = this;
    const path = random.pick([...world.directories, ...world.absent]);
    const as = random.chance(0.6) ? (each) => world.file(each) : (each) => world.resource(each);
    const thing = as(path);
    const { text: uri } = spell(random, thing, { known: true });
    const admitted = reference.admits("read", thing);
    const there = world.isDirectory(path);
    const entries = () => world.names(path).map((name) => as(world.below(path, name))).filter((each) => reference.shows(each));
    const refused = admitted !== "ok" ? admitted : there ? undefined : "none";
    if (random.chance(0.5)) return reading(uri, refused ?? entries().map((each) => each.address), linesOf);
    const opened = () => entries().filter((each) => this.exists(each)).map((each) => each.address);
    return listing("resources/directory/read", { uri, _meta: meta }, refused ?? opened(), (result) => result.resources.map((each) => each.uri));
  }
  skillDirectory() {
    const { world, reference, random } = this;
    const name = random.pick(Object.keys(world.skillFolders));
    const { files, directories } = world.skillFolders[name];
    const inner = random.pick(directories);
    const thing = world.skillFile(name, inner);
    const { text: uri } = spell(random, thing, { known: true });
    const admitted = reference.admits("read", thing);
    const isEntry = (path) => path !== "" && path.split("/").slice(0, -1).join("/") === inner;
    const entries = [...files, ...directories].filter(isEntry).map((path) => world.skillFile(name, path)).filter((each) => reference.shows(each));
    const expected = admitted === "ok" ? entries.map((each) => each.address) : admitted;
    if (random.chance(0.5)) return reading(uri, expected, linesOf);
    return listing("resources/directory/read", { uri, _meta: meta }, expected, (result) => result.resources.map((each) => each.uri));
  }
  resources() {
    const { world, reference } = this;
    const worth = world.names("").filter((name) => (world.isDirectory(name) ? !name.startsWith(".") : world.isFile(name) && /^readme/i.test(name)));
    const things = [
      ...worth.map((name) => world.file(name)),
      ...["summary", "full", "active", "stats"].map((name) => world.page(name)),
      ...Object.keys(world.skillFolders).map((name) => world.skillFile(name, "SKILL.md")),
      { address: "mcp://backlog/board" },
      { address: "lode://activity" },
      ...world.tasks,
      // A task's file is listed for those who find the task.
      ...world.tasks.filter((each) => reference.finds(each)).map((each) => ({ ...each, address: `${each.address}/file` })),
    ];
    const project = world.project("", "summary");
    if (!reference.hides("")) things.push(project);
    const expected = things.filter((each) => reference.shows(each)).map((each) => each.address);
    if (this.random.chance(0.3)) {
      const prefix = this.random.pick(["file:///", "skill://", "capability-index://", "resource://", "mcp://backlog/"]);
      const some = expected.filter((address) => address.startsWith(prefix));
      return calling(reference, "resource_find", { prefix, limit: 100 }, some, (text) => linesOf(text).filter((line) => line.includes("://")).map((line) => line.split(" ")[0]));
    }
    return listing("resources/list", {}, expected, (result) => result.resources.map((each) => each.uri));
  }

  // ---- searches and pages ----

  search() {
    const { world, reference, random } = this;
    const [words, things] = random.pick([
      ["alpha", ["main.ts", "open/a.ts", "secret/a.ts", "secret/deep/d.ts", "sp ace/é+@.ts", "open/deep/c.py"].map((path) => world.code(path, "source"))],
      ["quasar", world.elements],
      ["zephyr", world.tasks],
    ]);
    const expected = things.filter((each) => reference.finds(each)).map((each) => each.address);
    const names = (text) => JSON.parse(text).hits.map((hit) => hit.uri.replace(/\?.*/, ""));
    if (random.chance(0.5)) return calling(reference, "resource_find", { query: words, limit: 100 }, expected, names);
    const admitted = reference.admits("read", { address: "lode://search" });
    return reading(`lode://search?q=${words}&limit=100`, admitted === "ok" ? expected : admitted, names);
  }
  elementPage() {
    const { world, reference, random } = this;
    const uris = (list) => (text) => JSON.parse(text)[list].map((each) => each.uri);
    const type = random.pick(elementTypes);
    const shown = (things) => things.filter((each) => reference.shows(each)).map((each) => each.address);
    const names = (text) => world.elements.filter((each) => text.includes(`**ID:** ${each.id}\n`) && text.includes(`#### ${each.name}\n`)).map((each) => each.address);
    const [page, expected, parse] = random.pick([
      () => [world.page(`elements/${type}`), shown(world.elements.filter((each) => each.type === type)), uris("elements")],
      () => [world.page("recent"), shown(world.elements), uris("elements")],
      () => [world.page("search"), world.elements.filter((each) => reference.finds(each)).map((each) => each.address), uris("hits")],
      () => [world.page("full"), shown(world.elements), names],
      () => [world.page("problems"), shown([world.broken]), (text) => JSON.parse(text).problems.filter((each) => each.file.includes("broken")).map(() => world.broken.address)],
    ])();
    const query = page.address.endsWith("recent") ? "?days=9" : page.address.endsWith("search") ? "?q=quasar&limit=50" : "";
    const admitted = reference.admits("read", page);
    return { ...reading(spell(random, page, { known: true }).text + query, admitted === "ok" ? expected : admitted, parse), page: page.address };
  }
  taskPage() {
    const { world, reference, random } = this;
    const seen = world.tasks.filter((each) => reference.finds(each));
    const ids = (text) => JSON.parse(text).tasks.map((each) => each.id);
    const [address, expected, parse] = random.pick([
      ["mcp://backlog/tasks", seen, ids],
      ["mcp://backlog/tasks?q=zephyr", seen, ids],
      ["mcp://backlog/tasks?ready=true&sort=id", seen.filter((each) => each.id.startsWith("TASK")), ids],
      ["mcp://backlog/board", seen, (text) => [...text.matchAll(/^- (\S+-\d+) /gm)].map((match) => match[1])],
    ]);
    const admitted = reference.admits("read", { address: address.replace(/\?.*/, "") });
    return reading(address, admitted === "ok" ? expected.map((each) => each.id) : admitted, parse);
  }
  projectFiles() {
    const { world, reference, random } = this;
    const path = random.pick(world.directories);
    const aspect = random.pick(["files", "structure"]);
    const thing = world.project(path, aspect);
    const admitted = reference.admits("read", thing);
    if (admitted !== "ok" || reference.hides(path)) return reading(thing.address, admitted === "ok" ? "none" : admitted, () => []);
    const base = world.real(path);
    const found = [];
    world.walk(base, (each, info) => {
      if (aspect === "files" ? info.isFile() : true) found.push(each);
    });
    // A tree does not show what is below a directory that it does not show.
    const above = (each) => each.split("/").slice(0, -1).map((_, i, all) => all.slice(0, i + 1).join("/")).filter((name) => name.length > base.length);
    const hidden = (each) => reference.hides(each) || (aspect === "structure" && above(each).some((name) => reference.hides(name)));
    const expected = found.filter((each) => !hidden(each)).map((each) => (base === "" ? each : each.slice(base.length + 1)));
    if (aspect === "files") return reading(thing.address, expected, (text) => JSON.parse(text).files.map((each) => each.path));
    return reading(`${thing.address}?max_depth=9`, expected, (text) => {
      const at = [];
      return linesOf(text).slice(1).filter((line) => !/^Depth /.test(line)).map((line) => {
        const depth = /^ */.exec(line)[0].length / 2;
        at.length = depth;
        at.push(line.trim().replace(/\/$|\/? \(.*\)$| -> .*$|@$/g, ""));
        return at.join("/");
      });
    });
  }
  // Other files that an aspect names.
  otherFiles() {
    const { world, reference, random } = this;
    const [path, aspect, query, others] = random.pick([
      ["main.ts", "imports", "", ["open/a.ts", "secret/a.ts"]],
      ["open/a.ts", "references", "?symbol=alphaOpen", ["main.ts", "open/a.ts"]],
      ["secret/a.ts", "references", "?symbol=alphaSecret", ["main.ts", "secret/a.ts"]],
    ]);
    const thing = world.code(path, aspect);
    const admitted = reference.admits("read", thing);
    const expected = others.filter((each) => each === path || reference.names(each));
    return reading(thing.address + query, admitted === "ok" ? expected.filter((each) => each !== path) : admitted, (text) =>
      world.regular.filter((each) => each !== path && text.includes(`"${each}"`)),
    );
  }

  // ---- completion ----

  completion() {
    const { random } = this;
    return random.pick([() => this.completePath("file"), () => this.completePath("code"), () => this.completePath("project"), () => this.completePath("resource"), () => this.completeTask(), () => this.completeId(), () => this.completeSkill()])();
  }
  #complete(uri, name, value, context, expected) {
    const params = { ref: { type: "ref/resource", uri }, argument: { name, value }, context: { arguments: context } };
    return listing("completion/complete", params, expected, (result) => result.completion.values);
  }
  #completes(thing) {
    return this.world.exposes(thing.address) && this.reference.permits("complete", thing);
  }
  completePath(kind) {
    const { world, random } = this;
    const directory = random.pick([...world.directories, "out"]);
    const aspect = random.chance(0.5) ? random.pick(kind === "project" ? ["summary", "files"] : ["symbols", "source"]) : undefined;
    const begin = directory === "" ? "" : `${directory}/`;
    const names = world.isDirectory(directory) ? world.names(directory).map((name) => begin + name) : [];
    const value = kind === "file" ? `${this.world.root}/${begin}`.slice(1) : begin;
    const things = {
      file: (path) => world.file(path),
      code: (path) => world.code(path, aspect),
      project: (path) => world.project(path, aspect),
      resource: (path) => world.resource(path),
    };
    // Of a directory that may not be completed nothing is, even what leads out of it.
    const shut = this.reference.realVerdict("complete", directory) === "deny" || (kind === "project" && this.reference.hides(directory));
    const found = names.filter((path) => !shut && this.#completes(things[kind](path)) && (kind !== "project" || (world.isDirectory(path) && !this.reference.hides(path))));
    const shown = found.map((path) => (kind === "file" ? world.absolute(path).slice(1) : path));
    return this.#complete(templates[kind], "path", value, ["code", "project"].includes(kind) && aspect ? { aspect } : {}, shown);
  }
  completeId() {
    const { world, random } = this;
    const type = random.pick(elementTypes);
    const found = world.elements.filter((each) => each.type === type && this.#completes(each));
    return this.#complete(templates.element, "id", "", { type }, found.map((each) => each.id));
  }
  completeTask() {
    const found = this.world.tasks.filter((each) => this.#completes(each));
    return this.#complete(templates.task, "id", "", {}, found.map((each) => each.id));
  }
  completeSkill() {
    const { world, random } = this;
    const name = random.pick(Object.keys(world.skillFolders));
    const { files, directories } = world.skillFolders[name];
    if (random.chance(0.3)) {
      const all = Object.keys(world.skillFolders).filter((each) => this.#completes(world.skillFile(each, "")));
      return this.#complete(templates.skill, "name", "", {}, all);
    }
    const inner = [...files, ...directories].filter((path) => path !== "" && !path.includes("/"));
    const found = inner.filter((path) => this.#completes(world.skillFile(name, path)));
    return this.#complete(templates.skill, "path", "", { name }, found);
  }

  // ---- prompts and skills ----

  prompts() {
    const { world, reference, random } = this;
    const things = world.elements.filter((each) => each.type === "persona" || each.type === "template");
    const named = (each) => world.prompt(`${each.type}-${each.id}`);
    if (random.chance(0.4)) {
      const found = things.filter((each) => reference.finds(each) && ["list", "read"].every((action) => reference.permits(action, named(each))));
      return listing("prompts/list", {}, found.map((each) => `${each.type}-${each.id}`), (result) => result.prompts.map((prompt) => prompt.name));
    }
    const thing = random.pick(things);
    const name = `${thing.type}-${random.pick([thing.id, thing.id, thing.name, thing.name.toUpperCase()])}`;
    const ok = reference.finds(thing) && reference.permits("read", named(thing));
    const args = thing.type === "template" ? { arguments: { it: "x" } } : {};
    return { method: "prompts/get", params: { name, ...args }, expected: ok ? "ok" : "none", got: outcome };
  }
  skills() {
    const { world, reference, random } = this;
    const filesOf = (name) => world.skillFolders[name].files.map((path) => world.skillFile(name, path)).filter((each) => reference.finds(each));
    if (random.chance(0.5)) {
      const found = Object.keys(world.skillFolders).filter((name) => reference.shows(world.skillFile(name, "SKILL.md")));
      const expected = found.flatMap((name) => [name, ...filesOf(name).map((each) => each.address)]);
      return listing("skills/list", { _meta: meta }, expected, (result) =>
        result.skills.flatMap((skill) => [/^skill:\/\/([^/]+)/.exec(skill.uri)[1], ...skill.resources.map((file) => file.uri)]),
      );
    }
    const name = random.pick(Object.keys(world.skillFolders));
    const thing = world.skillFile(name, "SKILL.md");
    const { text: uri } = spell(random, thing, { known: true });
    const admitted = reference.admits("read", thing);
    return listing("skills/get", { uri, _meta: meta }, admitted === "ok" ? filesOf(name).map((each) => each.address) : admitted, (result) =>
      result.skill.resources.map((file) => file.uri),
    );
  }

  // ---- tools ----

  tools() {
    const { world, reference } = this;
    return listing("tools/list", {}, toolNames.filter((name) => reference.permits("list", world.tool(name))), (result) => result.tools.map((tool) => tool.name));
  }
  // How a tool's argument names a path.
  #argument(path) {
    const { world, random } = this;
    return random.pick([path, `./${path}`, `${path}/`, path.replaceAll("/", "//"), world.absolute(path), world.file(path).address]);
  }
  filesBelow(directory, wanted) {
    const found = [];
    this.world.walk(this.world.real(directory), (path, info) => {
      if (info.isFile() && wanted(path) && this.reference.names(path)) found.push(path);
    });
    return found;
  }
  findFiles() {
    const { world, reference, random } = this;
    const path = random.chance(0.3) ? "" : random.pick(world.directories);
    const [more, wanted, parse] = random.pick([
      [{ pattern: "*" }, () => true, linesOf],
      [{ content: "alpha" }, (each) => /\.(ts|py)$/.test(each), (text) => linesOf(text).filter((line) => !/^\d+[-:]/.test(line))],
    ]);
    const verdicts = ["list", "read"].map((action) => reference.fileVerdicts(action, path));
    const seen = verdicts[0].every((verdict, i) => verdict === "allow" || verdicts[1][i] === "allow");
    const expected = path === "" || seen ? this.filesBelow(path, wanted) : "none";
    const args = { limit: 1000, ...more, ...(path === "" ? {} : { path: this.#argument(path) }) };
    return calling(reference, "find_files", args, expected, (text) => parse(text).filter((line) => !/^\d+ (match|file)/.test(line)));
  }
  analyze() {
    const { world, reference, random } = this;
    const path = random.chance(0.4) ? "" : random.pick(world.directories.filter((each) => world.real(each) === each && each !== ""));
    const found = this.filesBelow(path, (each) => each.endsWith(".ts"));
    const seen = path === "" || reference.permits("read", world.file(path));
    const args = { query: "(function_declaration name: (identifier) @f)", language: "typescript", limit: 500, ...(path === "" ? {} : { path: this.#argument(path) }) };
    return calling(reference, "ast_analyze", args, seen ? found : "none", (text) => linesOf(text).filter((line) => /^\S.*\.ts$/.test(line)));
  }
  edit() {
    const { world, reference, random } = this;
    const path = random.pick([...world.regular.filter((each) => !world.real(each).startsWith(".lode")), ...world.absent]);
    const thing = world.file(path);
    const isText = world.isFile(path);
    const old = isText ? world.text(path) : "x";
    // The exposure list is for resources; the tool asks for the file itself.
    const read = isText && reference.permits("read", thing);
    const expected = !read ? "none" : reference.permits("write", thing) ? "ok" : "denied";
    return calling(reference, "file_ops", { operation: "replace", path: this.#argument(path), old, new: "y", dry_run: true }, expected, () => "ok");
  }
  manage() {
    const { world, reference, random } = this;
    const writes = random.chance(0.5);
    const thing = random.pick(world.elements.filter((each) => writes || each.type === "template"));
    const id = random.pick([thing.id, thing.id, thing.name]);
    const listed = reference.permits("list", thing);
    const permitted = reference.permits(writes ? "write" : "read", thing);
    const expected = !listed ? "none" : permitted ? "ok" : "denied";
    const args = writes ? { operation: "activate", type: thing.type, id } : { operation: "render", id, values: { it: "x" } };
    return calling(reference, "element_manage", args, expected, () => "ok");
  }

  next() {
    const weights = [
      ["read", 30], ["subscribe", 14], ["directory", 8], ["skillDirectory", 4], ["resources", 3], ["search", 5], ["elementPage", 6], ["taskPage", 4], ["projectFiles", 6],
      ["otherFiles", 3], ["completion", 14], ["prompts", 6], ["skills", 4], ["tools", 1], ["findFiles", 5], ["analyze", 2], ["edit", 6], ["manage", 5],
    ];
    const kind = this.random.weighted(weights);
    return { kind, ...this[kind]() };
  }
}
