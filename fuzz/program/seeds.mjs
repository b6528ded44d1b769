// What mutation starts from: a workspace with one of everything, and messages.
import { mkdirSync, readFileSync, readdirSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { repository } from "./git.mjs";

export const repositoryRoot = join(import.meta.dirname, "../..");
const tests = join(repositoryRoot, "tests");

function filesBelow(directory, below = "") {
  return readdirSync(join(directory, below)).flatMap((name) => {
    const path = join(below, name);
    return statSync(join(directory, path)).isDirectory() ? filesBelow(directory, path) : [[path, readFileSync(join(directory, path))]];
  });
}

// One file of each language and shape.
export const samples = filesBelow(join(tests, "syntax/samples")).filter(([path]) => !path.endsWith(".outline"));
const portfolio = filesBelow(join(tests, "fixtures/portfolio"));

const elements = {
  "persona/reviewer.md": "---\nname: Code Reviewer\ndescription: Reviews changes\nversion: 1.2.0\nauthor: ada\ntags: [review, quality]\n---\nYou look for mistakes.\n",
  "personas/tutor.yaml": "metadata:\n  id: tutor\n  type: persona\n  name: Tutor\n  description: Explains\n  tags: [teaching]\n  createdat: 2025-01-01T00:00:00Z\ndata:\n  system_prompt: You explain.\n",
  "skill/pdf/SKILL.md": "---\nname: pdf\ndescription: Works with PDF files\n---\nUse pdftotext.\n",
  "skill/pdf/scripts/run.sh": "#!/bin/sh\n",
  "skill/plain.md": "---\nname: Plain Skill\ndescription: A skill in one file\n---\nDo it.\n",
  "template/letter.md": "---\nname: Letter\ndescription: A letter\nvariables:\n  - name: who\n    required: true\n  - name: tone\n    default: kind\n    enum: [kind, stern]\n---\nDear {{who}}, {{#if tone}}{{tone}}{{/if}}.\n",
  "agent/release.yaml": "name: Release Agent\ndescription: Cuts releases\npersona: reviewer\nskills: [pdf, none]\ngoals: [Ship]\nactions:\n  - {name: tag, type: tool}\n",
  "ensemble/team.md": "---\nname: Team\ndescription: Everyone\nmembers:\n  - agent_id: release\n    role: lead\n    priority: 1\n---\n",
  "memory/decision.yaml": "metadata:\n  name: Decision\n  description: What was decided\n  type: memory\nentries:\n  - id: mem_1\n    timestamp: 2025-01-01T00:00:00Z\n    content: SQLite.\n",
};
// Tasks that lean on each other, some of them wrongly, and artifacts.
const backlog = {
  "epics/EPIC-0001.md": "---\nid: EPIC-0001\ntitle: Ship it\nstatus: open\n---\n",
  "tasks/TASK-0001.md": "---\nid: TASK-0001\ntitle: First step\nstatus: in_progress\nparent_id: EPIC-0001\nlabels: [ui, http]\nassignee: ana\npriority: high\ndue_date: 2026-12-01\n---\n\nThe area of a circle.\n\n- [x] one\n- [ ] two\n",
  "tasks/TASK-0002-some-words.md": "---\ntitle: Second step\nstatus: blocked\nblocked_reason: [waits]\ndependencies: [TASK-0001, TASK-0404]\nreferences:\n  - url: mcp://backlog/resources/README.md\n---\n",
  "tasks/task-3 - Third.md": "---\nid: task-3\nstatus: To Do\ndependencies: [TASK-0002]\nparent: task-3\n---\n# Third\n",
  "tasks/TASK-0004.md": "---\ntitle: [\n---\nbroken\n", "tasks/TASK-0004-again.md": "# Twice\n", "tasks/odd @1.md": "# Odd\n",
  "folders/FLDR-0001.md": "# Folder\n", "artifacts/TASK-0001/trace 1.txt": "trace\n", "notes/a@v1.md": "# Named so\n",
};
const manifests = {
  "package.json": "{\"name\":\"x\",\"scripts\":{\"build\":\"tsc\"},\"dependencies\":{\"a\":\"^1\"},\"workspaces\":[\"p/*\"]}\n",
  "Cargo.toml": "[package]\nname = \"x\"\nversion = \"0.1.0\"\n[dependencies]\na = { version = \"1\" }\n",
  "pyproject.toml": "[project]\nname = \"x\"\ndependencies = [\"a>=1\"]\n", "requirements.txt": "a==1\n-r other.txt\n", "go.mod": "module example.org/x\n\ngo 1.22\n\nrequire a.b/c v1.0.0\n",
  "pom.xml": "<project><artifactId>x</artifactId><dependencies><dependency><artifactId>a</artifactId></dependency></dependencies></project>\n",
  "build.gradle": "dependencies { implementation 'a:b:1' }\n", "x.csproj": "<Project><ItemGroup><PackageReference Include=\"A\" Version=\"1\"/></ItemGroup></Project>\n",
  Gemfile: "gem 'rails', '~> 7'\n", "CMakeLists.txt": "project(x)\nadd_executable(x main.c)\n", "CMakePresets.json": "{\"configurePresets\":[{\"name\":\"dev\"}]}\n",
  Makefile: "all: x\nx:\n\tcc x.c\n", "composer.json": "{\"name\":\"a/b\",\"require\":{\"c/d\":\"1\"}}\n", "deno.json": "{\"tasks\":{\"a\":\"b\"}}\n", "setup.cfg": "[tool:pytest]\ntestpaths = t\n",
};
const settings = {
  ".lode/lode.toml": "[workspace]\nhide = [\"*.secret\"]\n[resources]\nlist_max = 500\n",
  ".lode/policy.toml": "[[rule]]\neffect = \"deny\"\nroles = [\"*\"]\nactions = [\"read\"]\nuris = [\"file:///**/private/**\"]\n",
  ".gitignore": "*.log\nbuild/\n!keep.log\n/x[0-9]\n**/tmp\n", "src/.gitignore": "a*\n", ".env": "SECRET=1\n",
};
const settingsOf = (names) => Object.entries(settings).filter(([path]) => names.includes(path));
const below = (prefix, files) => (Array.isArray(files) ? files : Object.entries(files)).map(([path, bytes]) => [prefix + path, Buffer.from(bytes)]);

// Kinds of files, each as [path, bytes]. A workspace for dialogues has them all.
export const families = {
  code: below("src/", samples),
  manifests: below("", manifests),
  elements: below(".lode/elements/", elements),
  backlog: below(".lode/backlog/", backlog),
  skills: below(".claude/skills/", below("", { "pdf2/SKILL.md": "---\nname: pdf2\ndescription: PDF\n---\nx\n", "pdf2/a/b.txt": "b\n" })),
  portfolio: below("old/", portfolio),
  settings: below("", settings),
  git: repository(".git/"),
};

// A workspace on disk; and what a generator of messages must know of it.
export function writeSeedWorkspace(root) {
  const files = [
    ...families.code, ...families.manifests, ...families.elements, ...families.backlog, ...families.skills, ...families.portfolio, ...families.git, ...settingsOf([".gitignore", ".env"]),
    ["README.md", "# Fuzz\n\nA workspace.\n"], ["scratch.txt", "one two one\na b\n"], ["private/plan.txt", "plan\n"], ["a b%c?d#e.txt", "odd name\n"],
  ];
  for (const [path, bytes] of files) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), bytes);
  }
  // More than a page of a list holds.
  for (let at = 0; at < 120; at += 1) mkdirSync(join(root, `t${at}`));
  symlinkSync("README.md", join(root, "link"));
  symlinkSync("/etc", join(root, "out"));
  symlinkSync("loop", join(root, "loop"));
  const paths = files.map(([path]) => path).filter((path) => !path.startsWith(".git/"));
  return { root, paths: [...paths, "link", "out/passwd", "loop", ".git/config", "absent.txt", "src"], templates: ["file:///{+path}"], cursors: [] };
}

// What clients say in the transcripts.
export function transcriptLines() {
  const meta = "{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\",\"io.modelcontextprotocol/clientCapabilities\":{}}";
  const directory = join(tests, "transcripts");
  const texts = readdirSync(directory).filter((name) => name.endsWith(".txt")).map((name) => readFileSync(join(directory, name), "utf8"));
  return texts.flatMap((text) => {
    const joined = text.replace(/\n {3,}/g, "");
    return [...joined.matchAll(/^-> (.*)$/gm)].map(([, line]) => line.replaceAll("{meta}", meta)).filter((line) => line.length < 4000);
  });
}
