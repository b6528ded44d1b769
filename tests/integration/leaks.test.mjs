// Ways in which a rule of the policy, or the exposure list, could be walked around:
// each is closed, at every address and by every method.
import assert from "node:assert/strict";
import { mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { connect, eventually, makeWorkspace, program, run, serve } from "./support.mjs";
import { request } from "./hostile.mjs";

process.setMaxListeners(64); // one for each server

const on = ["--resources-enabled", "true"];
const elements = ".lode/elements";
const element = (name, words) => `---\nname: ${name}\ndescription: About ${words}\n---\nThe ${words} of {{it}}.\n`;
const modern = (params) => ({ ...params, _meta: JSON.parse(request(1, "x")).params._meta });

const rule = (effect, uris, actions = ["*"]) =>
  `[[rule]]\neffect = "${effect}"\nroles = ["*"]\nactions = ${JSON.stringify(actions)}\nuris = ${JSON.stringify(uris)}\n`;
const everything = rule("allow", ["**"]);
const codeTemplate = "resource://file/{+path}/{aspect}{?compact,max_depth,use_symbol_table,include_semantic_hash,expr,symbol,lines}";
const projectTemplate = "resource://project/{+path}/{aspect}{?pattern,exclude,max_depth,cursor}";

// A server over these files, with this policy, and short words for what is asked of it.
// links: by name, where they lead; they are there before the server is.
async function start({ files, links = {}, policy = () => everything, args = [], directory, loaded = true }) {
  const work = makeWorkspace(files);
  for (const [name, target] of Object.entries(links)) {
    mkdirSync(join(work.root, name, ".."), { recursive: true });
    symlinkSync(target, join(work.root, name));
  }
  const file = join(work.base, "policy.toml");
  writeFileSync(file, policy(work));
  const words = [...on, "--policy-file", file, ...args];
  const client = directory
    ? await connect("/bin/sh", ["-c", 'cd "$1" && shift && exec "$@"', "sh", work.root, program, "serve", "--workspace", directory(work), ...words], work.environment)
    : await serve(work, words);
  const read = async (uri) => {
    const { result, error } = await client.request("resources/read", { uri });
    return result ? result.contents[0].text : error.code;
  };
  const complete = async (uri, name, value, context = {}) => {
    const params = { ref: { type: "ref/resource", uri }, argument: { name, value }, context: { arguments: context } };
    return (await client.request("completion/complete", params)).result.completion.values;
  };
  const call = async (name, args) => {
    const { result, error } = await client.request("tools/call", { name, arguments: args });
    return error ? `error ${error.code}: ${error.message}` : result.content[0].text;
  };
  const subscribe = async (uri) => (await client.request("resources/subscribe", { uri })).error?.code ?? "accepted";
  if (loaded) await eventually(() => client.request("prompts/list"), (answer) => answer.result !== undefined);
  after(async () => {
    await client.stop();
    work.remove();
  });
  return { work, client, read, complete, call, subscribe };
}

describe("a link inside the workspace", () => {
  const files = { "vault/plan.md": "the plan\n", "a.txt": "a\n" };
  const links = { door: "vault", "page.md": "vault/plan.md", "second": "door" };
  const policy = (work) => everything + rule("deny", [`${work.uri("vault")}/**`]);
  const entrances = ["door/plan.md", "page.md", "second/plan.md"];

  it("opens no denied directory", async () => {
    const { work, read } = await start({ files, links, policy });
    for (const path of [...entrances, "door", "second"]) assert.equal(await read(work.uri(path)), -32002, path);
  });
  it("names no denied directory in lists", async () => {
    const { work, client, read } = await start({ files, links, policy });
    const { resources } = (await client.request("resources/list")).result;
    assert.deepEqual(resources.filter((each) => /door|second|vault|page/.test(each.uri)), []);
    assert.equal(await read(work.uri("")), `${work.uri("a.txt")}\n`);
  });
  it("completes no denied path", async () => {
    const { work, client, complete } = await start({ files, links, policy });
    const { resourceTemplates } = (await client.request("resources/templates/list")).result;
    const fileTemplate = resourceTemplates.map((each) => each.uriTemplate).find((each) => each.startsWith("file:"));
    const below = (path) => join(work.root, path).slice(1);
    for (const path of ["door/", "second/"]) assert.deepEqual(await complete(fileTemplate, "path", below(path)), [], path);
    assert.deepEqual(await complete(fileTemplate, "path", `${work.root.slice(1)}/`), [below("a.txt")]);
  });
  it("completes nothing in a denied directory, not even what leads out of it", async () => {
    const { complete } = await start({ files, links: { ...links, "vault/exit": "../open", "open/inner": "../nothing" }, policy });
    assert.deepEqual(await complete(codeTemplate, "path", "door/"), []);
    assert.deepEqual(await complete(codeTemplate, "path", "door/", { aspect: "symbols" }), []);
    assert.deepEqual(await complete(projectTemplate, "path", "door/"), []);
    assert.deepEqual(await complete(projectTemplate, "path", "door/", { aspect: "summary" }), []);
  });
  // It looks as if nothing were there, which can be subscribed to.
  it("tells nobody of what is denied", async () => {
    const { work, client, subscribe } = await start({ files, links, policy });
    for (const path of [...entrances, "door", "none.md", "a.txt"]) assert.equal(await subscribe(work.uri(path)), "accepted", path);
    writeFileSync(join(work.root, "vault/plan.md"), "another plan\n");
    writeFileSync(join(work.root, "vault/new.md"), "new\n");
    writeFileSync(join(work.root, "a.txt"), "b\n");
    assert.equal((await client.notification("notifications/resources/updated")).params.uri, work.uri("a.txt"));
    assert.deepEqual(client.take("notifications/resources/updated").filter(({ params }) => params.uri !== work.uri("a.txt")), []);
  });
});

describe("what is replaced by a link to something denied", () => {
  const files = { "vault/plan.md": "the plan\n", "vault/c.ts": "export const c = 1;\n", "page.md": "page\n", "src/c.ts": "export const c = 2;\n", "b.ts": "export const b = 1;\n", "fence.txt": "f\n" };
  const policy = (work) => everything + rule("deny", [`${work.uri("vault")}/**`]);

  // Whoever could read it hears that it is gone, and nothing of what it leads to.
  it("is told as if it were removed", async () => {
    const server = await start({ files, policy });
    const { work, subscribe, read } = server;
    const pass = () => fence(server, work.uri("fence.txt"), (text) => writeFileSync(join(work.root, "fence.txt"), text));
    const watched = [work.uri("page.md"), work.uri("src"), work.uri("src/c.ts"), "resource://file/b.ts/symbols", "resource://file/src/c.ts/symbols"];
    for (const uri of [...watched, work.uri("fence.txt")]) assert.equal(await subscribe(uri), "accepted", uri);
    await pass();
    for (const [name, target] of [["page.md", "vault/plan.md"], ["src", "vault"], ["b.ts", "vault/c.ts"]]) {
      renameSync(join(work.root, name), join(work.base, `old-${name}`));
      symlinkSync(target, join(work.root, name));
    }
    assert.deepEqual([...new Set(await pass())].filter((each) => !each.startsWith("notifications")).sort(), [...watched].sort());
    for (const uri of watched) assert.equal(await read(uri), -32002, uri);
    writeFileSync(join(work.root, "vault/plan.md"), "another plan\n");
    writeFileSync(join(work.root, "vault/c.ts"), "export const c = 3;\n");
    writeFileSync(join(work.root, "vault/new.md"), "new\n");
    assert.deepEqual(await pass(), []);
  });
});

describe("a directory", () => {
  const files = { "open/a.txt": "a\n", "open/b.txt": "b\n", "shut/c.txt": "c\n" };

  it("does not name its denied entries", async () => {
    const policy = (work) => everything + rule("deny", [work.uri("open/b.txt")]);
    const { work, client, read } = await start({ files, policy });
    assert.equal(await read(work.uri("open")), `${work.uri("open/a.txt")}\n`);
    const { result } = await client.request("resources/directory/read", modern({ uri: work.uri("open") }));
    assert.deepEqual(result.resources.map((each) => each.uri), [work.uri("open/a.txt")]);
  });
  it("is covered by what is said of all below it", async () => {
    const policy = (work) => everything + rule("deny", [`${work.uri("shut")}/**`]);
    const { work, read, subscribe } = await start({ files, policy });
    assert.equal(await read(work.uri("shut")), -32002);
    assert.equal(await subscribe(work.uri("shut")), "accepted");
    assert.doesNotMatch(await read(work.uri("")), /shut/);
  });
  it("that is denied takes all below it with it", async () => {
    const policy = (work) => everything + rule("deny", [work.uri("shut")]);
    const { work, read } = await start({ files, policy });
    assert.equal(await read(work.uri("shut/c.txt")), -32002);
    assert.equal(await read("resource://file/shut/c.txt/source"), -32002);
  });
});

// A file that may be listened to and neither be listed nor be read is a fence: when the second
// change of it was told, all that was told of what came before the first is here.
const shy = ["list", "read"];
async function fence({ client }, uri, change) {
  const seen = [];
  for (let i = 0; i < 2; ++i) {
    change(`${i} ${Math.random()}\n`);
    for (;;) {
      const { params } = await client.notification("notifications/resources/updated");
      if (params.uri === uri) break;
      seen.push(params.uri);
    }
  }
  const lists = ["resources", "prompts", "tools"].flatMap((list) => client.take(`notifications/${list}/list_changed`));
  return [...seen, ...lists.map((message) => message.method)];
}

describe("a change of files that are hidden", () => {
  const files = {
    "a.ts": 'import { b } from "./b";\nexport const one = b;\n',
    "b.ts": "export const b = 1;\n",
    "open/c.txt": "c\n",
    "shut/d.ts": "export const d = 1;\n",
    "fence.txt": "f\n",
  };
  const policy = (work) => everything + rule("deny", [`${work.uri("shut")}/**`, work.uri("**/hidden*")]) + rule("deny", [work.uri("fence.txt")], shy);
  const pages = ["resource://project/summary", "resource://project/files", "resource://file/a.ts/imports", "resource://file/b.ts/references?symbol=b"];

  it("is told to nobody, and one of another file is", async () => {
    const server = await start({ files, policy });
    const { work, client, subscribe } = server;
    const write = (path, text) => writeFileSync(join(work.root, path), text);
    const pass = () => fence(server, work.uri("fence.txt"), (text) => write("fence.txt", text));
    const watched = [...pages, work.uri("open"), `file://${work.root}`];
    for (const uri of [...watched, work.uri("fence.txt")]) assert.equal(await subscribe(uri), "accepted", uri);
    await pass();
    write("shut/d.ts", "export const d = 2;\n");
    write("hidden.ts", "export const h = 1;\n");
    write("open/hidden.txt", "h\n");
    mkdirSync(join(work.root, "shut/deeper"));
    assert.deepEqual(await pass(), []);
    rmSync(join(work.root, "shut"), { recursive: true });
    rmSync(join(work.root, "hidden.ts"));
    assert.deepEqual(await pass(), []);
    write("open/seen.txt", "s\n");
    mkdirSync(join(work.root, "other"));
    const told = new Set();
    await eventually(async () => {
      for (const { params } of client.take("notifications/resources/updated")) told.add(params.uri);
      return watched.every((uri) => told.has(uri));
    }, (all) => all);
    assert.deepEqual([...told].sort(), [...watched].sort());
    await client.notification("notifications/resources/list_changed");
  });
});

describe("a change of elements that are hidden", () => {
  const skill = (name) => `---\nname: ${name}\ndescription: Goes ${name}\n---\nGo.\n`;
  const files = {
    [`${elements}/persona/open.md`]: element("Open", "tulips"),
    [`${elements}/persona/named.md`]: element("Named", "quasars"),
    [`${elements}/persona/fence.md`]: element("Fence", "0"),
    [`${elements}/skill/far/SKILL.md`]: skill("far"),
    [`${elements}/skill/far/inner.txt`]: "i\n",
  };
  const policy = (work) =>
    everything +
    rule("deny", [work.uri(`${elements}/*/hidden*`), work.uri(`${elements}/*/ghost.yaml`), `${work.uri(`${elements}/skill/far`)}/**`, "capability-index://elements/persona/named"]) +
    rule("deny", ["capability-index://elements/persona/fence"], shy);
  const pages = ["summary", "full", "problems"].map((page) => `capability-index://${page}`);
  const ghost = "capability-index://elements/persona/ghost";

  it("is told to nobody, and one of another element is", async () => {
    const server = await start({ files, policy });
    const { work, client, read, subscribe } = server;
    const at = (path) => join(work.root, elements, path);
    const own = "capability-index://elements/persona/fence";
    const pass = () => fence(server, own, (text) => writeFileSync(at("persona/fence.md"), element("Fence", text)));
    await eventually(() => read("capability-index://summary"), (text) => !text.includes("still being read"));
    for (const uri of [...pages, ghost, own]) assert.equal(await subscribe(uri), "accepted", uri);
    await pass();
    writeFileSync(at("persona/hidden.md"), element("Hidden", "roses"));
    writeFileSync(at("persona/named.md"), element("Named", "roses"));
    writeFileSync(at("persona/hidden-too.md"), "---\nname: [\n---\n");
    writeFileSync(at("persona/ghost.yaml"), "name: Ghost\ndescription: d\n");
    writeFileSync(at("skill/far/SKILL.md"), skill("farther"));
    writeFileSync(at("skill/far/inner.txt"), "j\n");
    assert.deepEqual(await pass(), []);
    for (const path of ["persona/hidden.md", "persona/named.md", "persona/hidden-too.md", "persona/ghost.yaml", "skill/far"]) rmSync(at(path), { recursive: true });
    assert.deepEqual(await pass(), []);
    writeFileSync(at("persona/ghost.md"), element("Ghost", "roses"));
    const told = new Set();
    await eventually(async () => {
      for (const { params } of client.take("notifications/resources/updated")) told.add(params.uri);
      return [...pages, ghost].every((uri) => told.has(uri));
    }, (all) => all);
    assert.deepEqual([...told].sort(), [...pages, ghost].sort());
    await client.notification("notifications/prompts/list_changed");
  });
});

describe("import and export", () => {
  const files = {
    "closed/persona/ada.md": element("Ada", "sums"),
    [`${elements}/persona/bo.md`]: element("Bo", "songs"),
    "sealed/x.txt": "x\n",
  };
  const policy = (work) => everything + rule("deny", [`${work.uri("closed")}/**`], ["read"]) + rule("deny", [`${work.uri("sealed")}/**`], ["write"]);
  for (const [name, directory] of [[".", () => "."], ["a path with a slash", (work) => `${work.root}/`]]) {
    it(`obey the rules of files in a workspace given as ${name}`, async () => {
      const { work, call } = await start({ files, policy, directory });
      const taken = await call("element_manage", { operation: "import", path: "closed" });
      assert.doesNotMatch(taken, /"kept":1|persona\/ada/, taken);
      await call("element_manage", { operation: "export", path: "sealed", format: "dollhouse" });
      assert.throws(() => readFileSync(join(work.root, "sealed/personas/bo.md")));
      assert.throws(() => readFileSync(join(work.root, "sealed/persona/bo.md")));
      assert.throws(() => readFileSync(join(work.root, elements, "persona/ada.md")));
    });
  }
});

describe("an alias of an element", () => {
  it("reads nothing that is denied", async () => {
    const policy = () => everything + rule("allow", ["capability-index://elements/**"]) + rule("deny", ["capability-index://elements/persona/hidden"]);
    const { read, subscribe } = await start({ files: { [`${elements}/persona/hidden.md`]: element("Hidden Name", "x") }, policy });
    for (const begin of ["dollhouse://capability-index/", "capability://nexs-mcp/index/", "capability-index://"]) {
      for (const rest of ["persona/hidden", "personas/hidden", "personas/Hidden%20Name", "Persona/hidden", "persona/h%69dden"]) {
        const uri = `${begin}elements/${rest}`;
        assert.equal(await read(uri), -32002, uri);
        assert.equal(await subscribe(uri), "accepted", uri);
      }
    }
  });
});

describe("denying the file of an element or a skill", () => {
  const files = {
    [`${elements}/persona/hidden.md`]: element("Hidden", "quasars"),
    [`${elements}/persona/open.md`]: element("Open", "tulips"),
    [`${elements}/template/hidden.md`]: element("Hidden", "quasars"),
    [`${elements}/skill/pdf/SKILL.md`]: "---\nname: pdf\ndescription: Reads PDFs\n---\nRead.\n",
    [`${elements}/skill/pdf/inner.txt`]: "inner\n",
    ".claude/skills/far/SKILL.md": "---\nname: far\ndescription: Goes far\n---\nGo.\n",
  };
  const policy = (work) =>
    everything +
    rule("deny", [`${work.root}/${elements}/*/hidden.md`, `${work.root}/${elements}/skill/pdf/inner.txt`, `${work.root}/.claude/**`].map((path) => `file://${path}`));
  const open = () => start({ files, policy });

  it("holds at skill://, and for skills/list and skills/get", async () => {
    const { client, read } = await open();
    for (const uri of ["skill://pdf/inner.txt", "skill://far", "skill://far/SKILL.md"]) assert.equal(await read(uri), -32002, uri);
    assert.equal(await read("skill://pdf"), "skill://pdf/SKILL.md\n");
    const { skills } = (await client.request("skills/list", modern({}))).result;
    assert.deepEqual(skills.map((skill) => [skill.uri, skill.resources.map((file) => file.uri)]), [["skill://pdf/SKILL.md", ["skill://pdf/SKILL.md"]]]);
    const [far, none] = await Promise.all(["far", "none"].map((name) => client.request("skills/get", modern({ uri: `skill://${name}/SKILL.md` }))));
    assert.ok(far.error);
    assert.deepEqual([far.error.code, far.error.message], [none.error.code, none.error.message], "a denied skill is like none");
    const { resources } = (await client.request("resources/list")).result;
    assert.deepEqual(resources.filter((each) => each.uri.includes("far")), []);
  });
  it("lets nobody tell by subscribing whether it is there", async () => {
    const { subscribe } = await open();
    for (const name of ["hidden", "none"]) assert.equal(await subscribe(`capability-index://elements/persona/${name}`), "accepted", name);
    for (const name of ["far", "none"]) {
      assert.equal(await subscribe(`skill://${name}`), "accepted", name);
      assert.equal(await subscribe(`skill://${name}/SKILL.md`), "accepted", name);
    }
  });
  it("holds for prompts", async () => {
    const { client } = await open();
    const { prompts } = (await client.request("prompts/list")).result;
    assert.deepEqual(prompts.map((prompt) => prompt.name), ["persona-open"]);
    for (const name of ["persona-hidden", "template-hidden"]) assert.ok((await client.request("prompts/get", { name })).error, name);
  });
  it("holds in the index and in the search", async () => {
    const { read, complete } = await open();
    for (const page of ["summary", "full", "elements/persona", "elements/skill", "recent?days=7", "search?q=quasars", "search?q=far"]) {
      assert.doesNotMatch(await read(`capability-index://${page}`), /\b(Hidden|hidden)\b|\/far\b|Goes far/, page);
    }
    assert.equal(await read("capability-index://elements/persona/hidden"), -32002);
    assert.deepEqual(JSON.parse(await read("lode://search?q=quasars")).hits, []);
    assert.deepEqual(await complete("capability-index://elements/{type}/{id}", "id", "", { type: "persona" }), ["open"]);
  });
  it("holds for what the tool reads and writes", async () => {
    const { work, call } = await open();
    const hidden = await call("element_manage", { operation: "update", type: "persona", id: "hidden", description: "x" });
    const absent = await call("element_manage", { operation: "update", type: "persona", id: "nobody", description: "x" });
    assert.equal(hidden.replace("hidden", "nobody"), absent);
    assert.equal(readFileSync(join(work.root, elements, "persona/hidden.md"), "utf8"), files[`${elements}/persona/hidden.md`]);
    assert.match(await call("element_manage", { operation: "render", id: "hidden", values: { it: "x" } }), /no template has the id/);
  });
  it("holds where the folder of elements is behind a link", async () => {
    const behind = { "store/persona/hidden.md": element("Hidden", "quasars"), "store/persona/open.md": element("Open", "tulips") };
    const { client, read } = await start({
      files: behind,
      links: { [elements]: "../store" },
      policy: (work) => everything + rule("deny", [work.uri("store/persona/hidden.md")]),
    });
    assert.equal(await read("capability-index://elements/persona/hidden"), -32002);
    const { prompts } = (await client.request("prompts/list")).result;
    assert.deepEqual(prompts.map((prompt) => prompt.name), ["persona-open"]);
  });
});

describe("source code and projects", () => {
  const files = { "src/open.ts": "export const a = 1;\n", "src/hidden.ts": "export const b = 2;\n", "hidden.ts": "export {};\n", "shut/c.ts": "export {};\n" };
  const policy = (work) => everything + rule("deny", [work.uri("src/hidden.ts"), work.uri("hidden.ts"), `${work.uri("shut")}/**`]);

  it("complete no path that is denied as a file", async () => {
    const { complete } = await start({ files, policy });
    assert.deepEqual(await complete(codeTemplate, "path", ""), ["src"]);
    assert.deepEqual(await complete(codeTemplate, "path", "src/"), ["src/open.ts"]);
    assert.deepEqual(await complete(codeTemplate, "path", "shut/"), []);
  });
  it("complete no path that is denied, where the aspect is known", async () => {
    const { complete } = await start({ files, policy });
    assert.deepEqual(await complete(codeTemplate, "path", "", { aspect: "symbols" }), ["src"]);
    assert.deepEqual(await complete(codeTemplate, "path", "src/", { aspect: "symbols" }), ["src/open.ts"]);
    assert.deepEqual(await complete(projectTemplate, "path", ""), ["src"]);
  });
  it("let nobody tell a denied project or file from an absent one by subscribing", async () => {
    const { subscribe } = await start({ files, policy });
    for (const uri of ["resource://project/shut/summary", "resource://project/shut/files", "resource://project//shut/structure/", "resource://file/src/hidden.ts/symbols", "resource://file/src/absent.ts/symbols", "resource://project/absent/summary", "resource://project/src/summary"]) {
      assert.equal(await subscribe(uri), "accepted", uri);
    }
  });
  it("show nothing of a file that is not allowed at file:///", async () => {
    const allowed = (work) => rule("allow", ["resource://**", "lode://**", "capability-index://**", work.uri("src/open.ts")]);
    const { read } = await start({ files, policy: allowed });
    assert.match(await read("resource://file/src/open.ts/source"), /const a/);
    for (const uri of ["resource://file/src/hidden.ts/source", "resource://file/src/hidden.ts/symbols"]) {
      assert.ok([-32002, -31403].includes(await read(uri)), uri);
    }
  });
});

describe("a prompt", () => {
  const files = { [`${elements}/persona/a.md`]: element("A", "sums"), [`${elements}/persona/b.md`]: element("B", "songs"), [`${elements}/persona/c.md`]: element("C", "tulips") };

  it("that is listed can be had", async () => {
    const policy = () => everything + rule("deny", ["capability-index://elements/persona/a", "lode://prompts/persona-b"], ["read"]);
    const { client } = await start({ files, policy });
    const { prompts } = (await client.request("prompts/list")).result;
    assert.deepEqual(prompts.map((prompt) => prompt.name), ["persona-c"]);
    for (const name of ["persona-a", "persona-b"]) assert.ok((await client.request("prompts/get", { name })).error, name);
    assert.ok((await client.request("prompts/get", { name: "persona-c" })).result);
  });
});

// Every page of a list: the sizes of the pages, the cursors, and all items.
async function pagesOf(client, method, items, params = {}) {
  const seen = { sizes: [], cursors: [], all: [] };
  for (let cursor, i = 0; i === 0 || (cursor && i < 20); ++i) {
    const { result } = await client.request(method, modern(cursor ? { ...params, cursor } : params));
    seen.sizes.push(result[items].length);
    seen.all.push(...result[items]);
    cursor = result.nextCursor;
    if (cursor) seen.cursors.push(cursor);
  }
  return seen;
}

describe("a page", () => {
  // For each visible name a hidden one before it: what ends a part is hidden as often as not.
  const pairs = (count, path, text = () => "") =>
    Object.fromEntries(
      Array.from({ length: count }, (_, i) => `n${String(i).padStart(4, "0")}`).flatMap((name) => [`${name}a-hidden`, `${name}b-seen`]).map((name) => [path(name), text(name)]),
    );
  const skill = (name) => `---\nname: ${name}\ndescription: Goes ${name}\n---\nGo.\n`;
  const policy = (work) => everything + rule("deny", [work.uri("**/*-hidden"), work.uri("**/*-hidden.md")]);
  const plain = (cursor) => `${cursor} ${Buffer.from(cursor, "base64url").toString("latin1")}`;
  const tellsNothing = ({ cursors }) => {
    for (const cursor of cursors) assert.doesNotMatch(plain(cursor), /-hidden|-seen|files|capability/);
  };
  const forged = (text) => Buffer.from(text).toString("base64url");
  const code = async (client, method, params) => (await client.request(method, modern(params))).error?.code;

  it("of a list is full of what is shown, and its cursor tells nothing", async () => {
    const { client } = await start({ files: pairs(130, (name) => `${name}/x.txt`), policy });
    const list = await pagesOf(client, "resources/list", "resources");
    const names = list.all.map((each) => each.name).filter((name) => /^n\d/.test(name));
    assert.equal(new Set(names).size, 130);
    assert.deepEqual(names.filter((name) => !name.endsWith("-seen")), []);
    assert.deepEqual(list.sizes.slice(0, -1), list.sizes.slice(0, -1).map(() => 100));
    tellsNothing(list);
    assert.equal(list.cursors.length, 1);
    assert.equal(await code(client, "resources/list", { cursor: forged("rfiles\n0\n/") }), -32602);
    assert.equal(await code(client, "prompts/list", { cursor: list.cursors[0] }), -32602);
    assert.equal(await code(client, "skills/list", { cursor: list.cursors[0] }), -32602);
  });
  it("of a directory too, and its cursor is for that directory", async () => {
    const { work, client } = await start({ files: { ...pairs(130, (name) => `many/${name}`), "other/x.txt": "" }, policy });
    const uri = work.uri("many");
    const list = await pagesOf(client, "resources/directory/read", "resources", { uri });
    assert.deepEqual(list.sizes, [100, 30]);
    assert.equal(new Set(list.all.map((each) => each.uri)).size, 130);
    assert.deepEqual(list.all.filter((each) => !each.name.endsWith("-seen")), []);
    tellsNothing(list);
    assert.equal(await code(client, "resources/directory/read", { uri, cursor: forged("cfiles\n0\nn0") }), -32602);
    assert.equal(await code(client, "resources/directory/read", { uri: work.uri("other"), cursor: list.cursors[0] }), -32602);
  });
  it("of a directory's text counts and names what is shown alone", async () => {
    const { work, read } = await start({ files: pairs(1001, (name) => `many/${name}`), policy });
    const lines = (await read(work.uri("many"))).trimEnd().split("\n");
    assert.equal(lines.length, 1001);
    assert.equal(lines.pop(), `# more: ${work.uri("many")}?after=n0999b-seen`);
    assert.deepEqual(lines.filter((line) => !line.endsWith("-seen")), []);
    assert.equal(await read(`${work.uri("many")}?after=n0999b-seen`), `${work.uri("many/n1000b-seen")}\n`);
  });
  it("of prompts and skills is full as well", async () => {
    const files = {
      ...pairs(120, (name) => `${elements}/persona/${name}.md`, (name) => element(name, "x")),
      ...pairs(120, (name) => `${elements}/skill/${name}/SKILL.md`, skill),
    };
    const { client, complete } = await start({ files, policy: (work) => policy(work) + rule("deny", [work.uri(`${elements}/skill/*-hidden/**`)]) });
    for (const [method, items] of [["prompts/list", "prompts"], ["skills/list", "skills"]]) {
      const list = await pagesOf(client, method, items);
      assert.deepEqual(list.sizes, [100, 20], method);
      assert.doesNotMatch(JSON.stringify(list.all), /hidden/);
      tellsNothing(list);
    }
    const names = await complete("skill://{name}/{+path}", "name", "n");
    assert.equal(names.length, 100);
    assert.deepEqual(names.filter((name) => !name.endsWith("-seen")), []);
    const ids = await complete("capability-index://elements/{type}/{id}", "id", "n", { type: "persona" });
    assert.equal(ids.length, 100);
    assert.deepEqual(ids.filter((id) => !id.endsWith("-seen")), []);
  });
  it("of a skill's folder too", async () => {
    const files = { [`${elements}/skill/pdf/SKILL.md`]: skill("pdf"), ...pairs(130, (name) => `${elements}/skill/pdf/${name}`) };
    const { client } = await start({ files, policy });
    const list = await pagesOf(client, "resources/directory/read", "resources", { uri: "skill://pdf" });
    assert.deepEqual(list.sizes, [100, 31]);
    assert.doesNotMatch(JSON.stringify(list.all), /hidden/);
    tellsNothing(list);
  });
});

describe("a template", () => {
  const files = { "a.ts": "export {};\n", [`${elements}/persona/open.md`]: element("Open", "tulips") };
  const templatesOf = async (client) => (await client.request("resources/templates/list")).result.resourceTemplates.map((each) => each.uriTemplate);

  it("is not listed if all its addresses are denied, nor named elsewhere", async () => {
    const policy = () => everything + rule("deny", ["resource://**", "capability-index://elements/**", "lode://search"], ["read"]);
    const { client, read } = await start({ files, policy });
    const templates = await templatesOf(client);
    assert.ok(templates.includes("file:///{+path}"), templates.join());
    assert.ok(templates.some((each) => each.startsWith("capability-index://recent")), templates.join());
    assert.deepEqual(templates.filter((each) => /^resource:|elements|^lode:/.test(each)), []);
    assert.doesNotMatch(client.initialized.instructions, /resource:\/\/|lode:\/\/search/);
    assert.match(client.initialized.instructions, /file:\/\//);
    assert.doesNotMatch(await read("capability-index://summary"), /capability-index:\/\/elements/);
  });
  it("is not listed if none of its addresses is allowed", async () => {
    const { client } = await start({ files, policy: (work) => rule("allow", [`${work.uri("docs")}/**`, "lode://prompts/**"]) });
    assert.deepEqual(await templatesOf(client), ["file:///{+path}"]);
    assert.doesNotMatch(client.initialized.instructions, /resource:\/\/|lode:\/\//);
  });
});

describe("keywords", () => {
  it("have no words of denied elements", async () => {
    const files = { [`${elements}/persona/hidden.md`]: element("Quasar", "quasars"), [`${elements}/persona/open.md`]: element("Tulip", "tulips") };
    const policy = () => everything + rule("deny", ["capability-index://elements/persona/hidden"]);
    const { read } = await start({ files, policy });
    for (const page of ["summary", "full"]) {
      const text = await read(`capability-index://${page}`);
      assert.match(text, /tulip/i);
      assert.doesNotMatch(text, /quasar/i, page);
    }
  });
});

describe("lode policy test", () => {
  it("asks about the file behind an address, and where it really is", async () => {
    const work = makeWorkspace({ "secret/a.ts": "export const tulip = 1;\n", "open/b.ts": "" });
    symlinkSync("secret", join(work.root, "link"));
    const file = join(work.base, "policy.toml");
    writeFileSync(file, everything + rule("deny", [`file://${work.root}/secret/**`]));
    const ask = (uri, ...args) => run(work, ["policy", "test", "local", "read", uri, "--policy-file", file, ...on, ...args]);
    const refused = await ask("resource://file/link/a.ts/symbols");
    assert.equal(refused.status, 4);
    assert.match(refused.stdout, new RegExp(`file://${work.root}/secret/a.ts\n(.*\n)*.*deny  matches`));
    const permitted = await ask("resource://file/open/b.ts/symbols", "--json");
    assert.equal(permitted.status, 0);
    assert.deepEqual(JSON.parse(permitted.stdout).files.map((each) => [each.uri, each.permitted]), [[work.uri("open/b.ts"), true]]);
    work.remove();
  });
  // Each refused thing is one that the server refuses, with resources on.
  it("asks as a server with resources on, of files, elements and prompts", async () => {
    const persona = (id) => `${elements}/persona/${id}.md`;
    const work = makeWorkspace({ "secret/a.ts": "export const tulip = 1;\n", [persona("open")]: element("Open", "tulips"), [persona("hidden")]: element("Hidden", "quasars"), [persona("named")]: element("Named", "roses") });
    const file = join(work.base, "policy.toml");
    writeFileSync(file, everything + rule("deny", [`${work.uri("secret")}/**`, work.uri(persona("hidden")), "capability-index://elements/persona/named"]));
    const refused = async (uri, ...args) => (await run(work, ["policy", "test", "local", "read", uri, "--policy-file", file, ...args])).status === 4;
    for (const args of [[], on, ["--resources-enabled", "false"]]) {
      for (const uri of ["resource://file/secret/a.ts/symbols", "capability-index://elements/persona/hidden", "lode://prompts/persona-hidden", "lode://prompts/persona-named"]) {
        assert.ok(await refused(uri, ...args), `${uri} ${args}`);
      }
      for (const uri of ["capability-index://elements/persona/open", "lode://prompts/persona-open", "lode://prompts/persona-nobody"]) {
        assert.ok(!(await refused(uri, ...args)), `${uri} ${args}`);
      }
    }
    work.remove();
  });
  it("tells wrong usage from a refusal", async () => {
    const work = makeWorkspace({ "a.ts": "" });
    for (const words of [["reed", work.uri("a.ts")], ["read", "notauri"]]) {
      const { status, stderr } = await run(work, ["policy", "test", "local", ...words]);
      assert.equal(status, 2, stderr);
    }
    work.remove();
  });
});

describe("the exposure list", () => {
  const files = {
    "a.ts": "export const tulip = 1;\n",
    [`${elements}/persona/hidden.md`]: element("Hidden", "quasars"),
    [`${elements}/persona/open.md`]: element("Open", "tulips"),
    [`${elements}/skill/pdf/SKILL.md`]: "---\nname: pdf\ndescription: Reads PDFs\n---\nRead.\n",
    [`${elements}/skill/far/SKILL.md`]: "---\nname: far\ndescription: Goes far\n---\nGo.\n",
  };
  const shown = ["capability-index://summary", "capability-index://elements/persona", "capability-index://elements/persona/open", "skill://pdf/**", "lode://search"];
  const open = () => start({ files, args: ["--resources-expose", shown.join(",")] });

  it("holds for prompts and skills", async () => {
    const { client } = await open();
    const { prompts } = (await client.request("prompts/list")).result;
    assert.deepEqual(prompts.map((prompt) => prompt.name), ["persona-open"]);
    assert.ok((await client.request("prompts/get", { name: "persona-hidden" })).error);
    const { skills } = (await client.request("skills/list", modern({}))).result;
    assert.deepEqual(skills.map((skill) => skill.uri), ["skill://pdf/SKILL.md"]);
    const [far, none] = await Promise.all(["far", "none"].map((name) => client.request("skills/get", modern({ uri: `skill://${name}/SKILL.md` }))));
    assert.ok(far.error);
    assert.deepEqual([far.error.code, far.error.message], [none.error.code, none.error.message], "a denied skill is like none");
  });
  it("shows a directory with what is below it", async () => {
    const { read } = await open();
    assert.equal(await read("skill://pdf"), "skill://pdf/SKILL.md\n");
    assert.equal(await read("skill://far"), -32002);
  });
  it("holds for elements that texts name", async () => {
    const { read } = await open();
    for (const page of ["summary", "elements/persona"]) assert.doesNotMatch(await read(`capability-index://${page}`), /Hidden|quasar/i, page);
    assert.deepEqual(JSON.parse(await read("lode://search?q=tulip")).hits.map((hit) => hit.uri), ["capability-index://elements/persona/open"]);
  });
  it("holds for addresses in the summary", async () => {
    const { read } = await open();
    assert.doesNotMatch(await read("capability-index://summary"), /capability-index:\/\/(full|stats|recent|search)/);
  });
  it("holds for addresses in the instructions", async () => {
    const { client } = await open();
    assert.doesNotMatch(client.initialized.instructions ?? "", /capability-index:\/\/(full|stats|recent|search)|resource:\/\/|file:\/\//);
  });
  it("holds for addresses in the text of a directory", async () => {
    const { work, client, read } = await start({ files, args: ["--resources-expose", "file:///**/work"] });
    assert.equal(await read(work.uri("")), "");
    assert.deepEqual((await client.request("resources/directory/read", modern({ uri: work.uri("") }))).result.resources, []);
  });
});

describe("a rule about one address of a text", () => {
  const skill = "---\nname: Secret Plan\ndescription: About a quasar\n---\nThe quasar.\n";
  const files = {
    [`${elements}/skill/plan/SKILL.md`]: skill,
    [`${elements}/skill/plan/extra.txt`]: "extra\n",
    [`${elements}/persona/open.md`]: element("Open", "tulips"),
    ".lode/backlog/tasks/TASK-0001.md": "---\ntitle: Zephyr\nstatus: open\n---\n\nA zephyr.\n",
    ".lode/backlog/tasks/TASK-0002.md": "---\ntitle: Open work\nstatus: open\n---\n\nA breeze.\n",
    ".lode/backlog/artifacts/x.txt": "artifact x\n",
    ".lode/backlog/artifacts/y.txt": "artifact y\n",
  };
  const named = rule("allow", ["capability-index://elements/**", "capability-index://active"]);
  it("denies a skill as the element that it is", async () => {
    const { client, read, call, complete } = await start({ files, policy: () => everything + named + rule("deny", ["skill://secret-plan/**"]) });
    assert.equal(await read("skill://secret-plan/SKILL.md"), -32002);
    assert.equal(await read("capability-index://elements/skill/plan"), await read("capability-index://elements/skill/none"));
    for (const page of ["full", "summary", "recent?days=9", "elements/skill", "search?q=quasar", "active"]) {
      assert.doesNotMatch(await read(`capability-index://${page}`), /Secret Plan|skill\/plan/, page);
    }
    assert.deepEqual(JSON.parse(await read("lode://search?q=quasar")).hits, []);
    assert.deepEqual(await complete("capability-index://elements/{type}/{id}", "id", "", { type: "skill" }), []);
    for (const operation of ["activate", "delete", "list", "search"]) {
      const more = operation === "search" ? { query: "quasar" } : operation === "list" ? { type: "skill" } : { type: "skill", id: "plan" };
      assert.doesNotMatch(await call("element_manage", { operation, ...more }), /Secret Plan|activated|not permitted/, operation);
    }
    assert.match(await read("capability-index://elements/persona/open"), /tulips/);
    assert.doesNotMatch(JSON.stringify((await client.request("resources/list")).result), /secret-plan/);
  });
  it("denies an element as the skill that it is", async () => {
    const { read } = await start({ files, policy: () => everything + rule("deny", ["capability-index://elements/skill/plan"]) });
    assert.equal(await read("skill://secret-plan/SKILL.md"), -32002);
    assert.equal(await read("skill://secret-plan/extra.txt"), "extra\n");
  });
  it("holds for what was read before the rule came", async () => {
    const { work, client, read } = await start({ files, policy: () => everything + named });
    const addresses = ["capability-index://elements/skill/plan", work.uri(`${elements}/skill/plan/SKILL.md`)];
    for (const uri of addresses) assert.match(await read(uri), /quasar/, uri);
    writeFileSync(join(work.base, "policy.new"), everything + named + rule("deny", ["skill://secret-plan/**"]));
    renameSync(join(work.base, "policy.new"), join(work.base, "policy.toml"));
    await eventually(() => client.request("resources/read", { uri: "skill://secret-plan/SKILL.md" }), (answer) => answer.error !== undefined);
    for (const uri of addresses) assert.equal(await read(uri), -32002, uri);
  });
  it("denies a task and an artifact as the files that they are", async () => {
    const { work, read, call } = await start({ files, policy: () => everything + rule("deny", ["mcp://backlog/tasks/TASK-0001", "mcp://backlog/artifacts/x.txt"]) });
    await eventually(() => read("mcp://backlog/tasks"), (text) => String(text).includes("TASK-0002"));
    for (const path of ["tasks/TASK-0001.md", "artifacts/x.txt"]) {
      for (const uri of [work.uri(`.lode/backlog/${path}`), `mcp://backlog/resources/.lode/backlog/${path}`]) assert.equal(await read(uri), -32002, uri);
    }
    for (const uri of ["mcp://backlog/tasks/TASK-0001", "mcp://backlog/tasks/TASK-0001/file", "mcp://backlog/tasks/TASK-0001/history", "mcp://backlog/artifacts/x.txt", "mcp://backlog/artifacts/artifacts/x.txt", "mcp://backlog/artifacts/artifacts/artifacts/x.txt"]) {
      assert.equal(await read(uri), -32002, uri);
    }
    assert.doesNotMatch(await read(work.uri(".lode/backlog/tasks")), /TASK-0001/);
    assert.doesNotMatch(await read(work.uri(".lode/backlog/artifacts")), /x\.txt/);
    assert.doesNotMatch(await read("resource://project/.lode/backlog/files"), /TASK-0001|x\.txt/);
    assert.doesNotMatch(await call("find_files", { pattern: "*", path: ".lode/backlog" }), /TASK-0001|x\.txt/);
    assert.match(await read(work.uri(".lode/backlog/tasks/TASK-0002.md")), /breeze/);
    assert.equal(await read("mcp://backlog/artifacts/artifacts/y.txt"), "artifact y\n", "another spelling of the same");
  });
});
