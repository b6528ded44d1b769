// The workspace of the matrix, and everything in it that has an address.
import { lstatSync, mkdirSync, readdirSync, readFileSync, realpathSync, statSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { makeWorkspace } from "../support.mjs";
import { ruleMatcher } from "./rules.mjs";

const element = (name, more = "") => `---\nname: ${name}\ndescription: A quasar called ${name}\n${more}---\nThe quasar says {{it}}.\n`;
const skill = (name) => `---\nname: ${name}\ndescription: A quasar skill\n---\nDo ${name}.\n`;
const code = (name) => `export function alpha${name}() {\n  return 1;\n}\n`;

const elementFiles = {
  "persona/open.md": element("Open Minded"),
  "persona/hidden.md": element("Hidden Gem"),
  "persona/sub/nested.md": element("Nested One"),
  "persona/broken.md": "---\nname: [\n---\n",
  "template/letter.md": element("Letter Form"),
  "template/hidden.md": element("Hidden Form"),
  "agent/helper.md": element("Helper Hand"),
  "skill/pdf/SKILL.md": skill("pdf"),
  "skill/pdf/public.txt": "public\n",
  "skill/pdf/private/plan.txt": "plan\n",
  "skill/solo.md": skill("solo"),
};
const task = (title) => `---\ntitle: ${title}\nstatus: open\n---\n\nA zephyr.\n`;
const backlogFiles = {
  "tasks/TASK-0001.md": task("Open work"),
  "tasks/TASK-0002.md": task("Hidden work"),
  "epics/EPIC-0001.md": task("Great work"),
};
const artifactFiles = { "artifacts/note.txt": "note\n", "artifacts/deep/plan.md": "# plan\n", "loose.txt": "loose\n" };
const files = {
  "README.md": "# Read me\n",
  "main.ts": `import { alphaOpen } from "./open/a";\nimport { alphaSecret } from "./secret/a";\nalphaOpen();\nalphaSecret();\n${code("Main")}`,
  "notes.txt": "notes\n",
  "notes.txt.bak": "old notes\n",
  "open/a.ts": code("Open"),
  "open/b.md": "# b\n",
  "open/deep/c.py": "def alpha_deep():\n    return 1\n",
  "secret/a.ts": code("Secret"),
  "secret/n.md": "# n\n",
  "secret/deep/d.ts": code("Deeper"),
  "sp ace/é+@.ts": code("Space"),
  ".claude/skills/far/SKILL.md": skill("far"),
  ".claude/skills/far/extra.txt": "extra\n",
};
const links = {
  "to-file.ts": "secret/a.ts",
  "to-dir": "secret",
  "to-link": "to-dir",
  "open/inner": "../secret/deep",
  "secret/back": "../open",
  out: "../outside",
  "out.txt": "../outside/o.txt",
  dangling: "nowhere",
};

export const elementTypes = ["persona", "template", "agent", "skill"];
const elementIds = [
  ["persona", "open", "persona/open.md", "Open Minded"],
  ["persona", "hidden", "persona/hidden.md", "Hidden Gem"],
  ["persona", "nested", "persona/sub/nested.md", "Nested One"],
  ["template", "letter", "template/letter.md", "Letter Form"],
  ["template", "hidden", "template/hidden.md", "Hidden Form"],
  ["agent", "helper", "agent/helper.md", "Helper Hand"],
  ["skill", "pdf", "skill/pdf/SKILL.md", "pdf"],
  ["skill", "solo", "skill/solo.md", "solo"],
];

export const encodePath = (path) =>
  [...Buffer.from(path)].map((byte) => (/[A-Za-z0-9._~!$&'()*+,;=:/-]/.test(String.fromCharCode(byte)) ? String.fromCharCode(byte) : `%${byte.toString(16).toUpperCase().padStart(2, "0")}`)).join("");

// behindLink: .lode/elements is a link to a directory elsewhere in the workspace.
// expose: what resources.expose holds; relative to the root if it begins with "ROOT".
export class World {
  constructor({ behindLink, expose = [] }) {
    this.behindLink = behindLink;
    const kept = behindLink ? "store/elements" : ".lode/elements";
    const all = { ...files };
    for (const [name, text] of Object.entries(elementFiles)) all[`${kept}/${name}`] = text;
    for (const [name, text] of Object.entries({ ...backlogFiles, ...artifactFiles })) all[`.lode/backlog/${name}`] = text;
    this.work = makeWorkspace(all);
    this.root = this.work.root;
    mkdirSync(join(this.work.base, "outside"));
    const more = { ...links, [`${kept}/skill/pdf/link.txt`]: "private/plan.txt", [`${kept}/persona/linked.md`]: "open.md" };
    if (behindLink) more[".lode/elements"] = "../store/elements";
    for (const [name, target] of Object.entries(more)) {
      mkdirSync(dirname(join(this.root, name)), { recursive: true });
      symlinkSync(target, join(this.root, name));
    }
    this.expose = expose.map((each) => each.replace("ROOT", `file://${encodePath(this.root)}`));
    const shown = this.expose.map(ruleMatcher);
    this.exposes = (address) => shown.length === 0 || shown.some((matches) => matches(address));
    this.#name();
  }

  // ---- paths: relative to the root, "" is the root ----

  absolute(path) {
    return path === "" ? this.root : `${this.root}/${path}`;
  }
  fileAddress(absolute) {
    return `file://${encodePath(absolute)}`;
  }
  // Inside the root, after all links; undefined: it leads out, or nowhere.
  inside(path) {
    try {
      const real = realpathSync(this.absolute(path));
      if (real === this.root) return "";
      return real.startsWith(`${this.root}/`) ? real.slice(this.root.length + 1) : undefined;
    } catch {
      return undefined;
    }
  }
  // The same, of what need not be there: then of the nearest directory that is.
  real(path) {
    for (let stem = path; stem !== ""; stem = stem.includes("/") ? stem.slice(0, stem.lastIndexOf("/")) : "") {
      const real = this.inside(stem);
      if (real !== undefined) return real + path.slice(stem.length);
    }
    return path;
  }
  stat(path) {
    return this.inside(path) === undefined ? undefined : statSync(this.absolute(path));
  }
  isDirectory(path) {
    return this.stat(path)?.isDirectory() ?? false;
  }
  isFile(path) {
    return this.stat(path)?.isFile() ?? false;
  }
  text(path) {
    return readFileSync(this.absolute(path), "utf8");
  }
  names(path) {
    return readdirSync(this.absolute(path)).sort();
  }
  below(directory, name) {
    return directory === "" ? name : `${directory}/${name}`;
  }
  // Every path below a directory, without following links.
  walk(directory, visit) {
    for (const name of this.names(directory)) {
      const path = this.below(directory, name);
      const info = lstatSync(this.absolute(path));
      visit(path, info);
      if (info.isDirectory()) this.walk(path, visit);
    }
  }

  // ---- things with an address: { kind, address, path?, same?, also? } ----
  // same: the address is another form of the file at path. also: other addresses that show the
  // same, of which a deny holds here.

  file(path) {
    return { kind: "file", address: this.fileAddress(this.absolute(path)), path, same: true };
  }
  code(path, aspect) {
    return { kind: "code", address: `resource://file/${encodePath(path)}${aspect ? `/${aspect}` : ""}`, path, same: true, aspect };
  }
  project(path, aspect) {
    const parts = [encodePath(path), aspect].filter((part) => part);
    return { kind: "project", address: `resource://project/${parts.join("/")}`, path, same: false, aspect };
  }
  resource(path) {
    return { kind: "resource", address: `mcp://backlog/resources${path ? `/${encodePath(path)}` : ""}`, path, same: true };
  }
  // path: behind mcp://backlog/artifacts/.
  artifact(path) {
    const file = path === "loose.txt" ? path : `artifacts/${path}`;
    return { kind: "artifact", address: `mcp://backlog/artifacts/${encodePath(path)}`, path: `.lode/backlog/${file}`, same: true };
  }
  element(type, id) {
    return this.elements.find((each) => each.type === type && each.id === id);
  }
  skillFile(name, path) {
    const { folder, alone } = this.skillFolders[name];
    const address = `skill://${name}${path ? `/${encodePath(path)}` : ""}`;
    const behind = alone ? alone : path ? `${folder}/${path}` : folder;
    const also = path === "SKILL.md" ? [`capability-index://elements/skill/${name}`] : [];
    return { kind: "skill", address, path: behind, same: false, skill: name, inner: path, also };
  }
  // The addresses of the task that a file is, and of the artifact.
  #inBacklog(path) {
    const tasks = this.tasks.filter((each) => each.path === path).flatMap((each) => [each.address, `${each.address}/file`]);
    const below = /^\.lode\/backlog\/(?!(?:tasks|epics|folders|milestones)(?:\/|$))(.+)$/.exec(path)?.[1];
    const rest = below?.replace(/^artifacts(\/|$)/, "");
    return rest === undefined ? tasks : [...tasks, `mcp://backlog/artifacts${rest ? `/${encodePath(rest)}` : ""}`];
  }
  // The addresses of the element and the skill that a file is of; a file that is in the place of
  // an element has its address, whether or not it is there.
  shownAt(path) {
    const name = this.behindLink && path.startsWith("store/elements/") ? `.lode/elements/${path.slice("store/elements/".length)}` : path;
    const known = [...this.elements, this.broken].filter((each) => each.path === name).map((each) => each.address);
    const skills = Object.entries(this.skillFolders).flatMap(([skill, { folder, alone }]) => {
      if (alone) return name === alone ? [`skill://${skill}/SKILL.md`] : [];
      if (name === folder) return [`skill://${skill}`];
      return name.startsWith(`${folder}/`) ? [`skill://${skill}/${encodePath(name.slice(folder.length + 1))}`] : [];
    });
    const meant = /^\.lode\/elements\/(persona|template|agent|skill)\/([^/]+)\.md$/.exec(name);
    const place = meant && known.length === 0 ? [`capability-index://elements/${meant[1]}/${meant[2]}`] : [];
    return [...known, ...skills, ...place, ...this.#inBacklog(path)];
  }
  page(name) {
    return { kind: "page", address: `capability-index://${name}` };
  }
  tool(name) {
    return { kind: "tool", address: `lode://tools/${name}` };
  }
  prompt(name) {
    return { kind: "prompt", address: `lode://prompts/${name}` };
  }

  #name() {
    const kept = ".lode/elements";
    this.elements = elementIds.map(([type, id, file, name]) => ({
      kind: "element", type, id, name, path: `${kept}/${file}`, same: false, address: `capability-index://elements/${type}/${id}`,
    }));
    this.elements.push({
      kind: "element", type: "skill", id: "far", name: "far", path: ".claude/skills/far/SKILL.md", same: false, address: "capability-index://elements/skill/far",
    });
    for (const each of this.elements) each.also = each.type === "skill" ? [`skill://${each.name}/SKILL.md`] : [];
    this.tasks = Object.keys(backlogFiles).map((file) => {
      const id = /([A-Z]+-\d+)\.md$/.exec(file)[1];
      return { kind: "task", id, path: `.lode/backlog/${file}`, same: false, address: `mcp://backlog/tasks/${id}` };
    });
    this.artifacts = ["note.txt", "deep/plan.md", "loose.txt"].map((path) => this.artifact(path));
    this.broken = { kind: "element", type: "persona", id: "broken", path: `${kept}/persona/broken.md`, same: false, address: "capability-index://elements/persona/broken" };
    this.skillFolders = {
      pdf: { folder: `${kept}/skill/pdf`, files: ["SKILL.md", "link.txt", "private/plan.txt", "public.txt"], directories: ["", "private"] },
      far: { folder: ".claude/skills/far", files: ["SKILL.md", "extra.txt"], directories: [""] },
      solo: { folder: `${kept}/skill`, alone: `${kept}/skill/solo.md`, files: ["SKILL.md"], directories: [""] },
    };
    this.directories = ["", "open", "open/deep", "secret", "secret/deep", "sp ace", "to-dir", "to-link", "to-dir/deep", "open/inner", "secret/back", "to-link/back/deep", ".lode/elements", ".lode/elements/persona", ".lode/backlog/tasks"];
    this.regular = [
      "README.md", "main.ts", "notes.txt", "notes.txt.bak", "open/a.ts", "open/b.md", "open/deep/c.py", "secret/a.ts", "secret/n.md", "secret/deep/d.ts", "sp ace/é+@.ts",
      "to-file.ts", "to-dir/a.ts", "to-link/a.ts", "to-link/deep/d.ts", "open/inner/d.ts", "secret/back/a.ts", "to-dir/back/deep/c.py",
      ".lode/elements/persona/hidden.md", ".lode/elements/skill/pdf/private/plan.txt", ".lode/backlog/tasks/TASK-0001.md", ".lode/backlog/artifacts/note.txt",
    ];
    this.absent = ["out", "out.txt", "out/o.txt", "dangling", "secret/absent.ts", "to-dir/absent.ts", "absent/x.ts"];
  }
}
