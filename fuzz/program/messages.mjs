// MCP messages of every revision, with values that are right, odd and wrong.
import { address, plainAddress } from "./addresses.mjs";
import { weighted } from "./random.mjs";
import { toolArguments, toolName } from "./tools.mjs";
import { json, number, text, word } from "./values.mjs";

export const revisions = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"];
const newest = "2026-07-28";
const quoted = JSON.stringify;
const key = (name) => `"io.modelcontextprotocol/${name}"`;
const levels = ["debug", "info", "warning", "emergency", "loud"];
const prompts = ["persona-reviewer", "persona-tutor", "template-letter", "template-letter", "letter", "none"];

// What may stand in params of a method, as members of an object.
const parameters = {
  "resources/read": (m) => [`"uri":${quoted(m.address())}`],
  "resources/subscribe": (m) => [`"uri":${quoted(m.address())}`],
  "resources/unsubscribe": (m) => [`"uri":${quoted(m.address())}`],
  "resources/list": (m) => m.cursor(),
  "resources/templates/list": (m) => m.cursor(),
  "resources/directory/read": (m) => [`"uri":${quoted(m.random.chance(0.5) ? "skill://pdf" : m.address())}`, ...m.cursor()],
  "tools/list": (m) => m.cursor(),
  "prompts/list": (m) => m.cursor(),
  "skills/list": (m) => m.cursor(),
  "skills/get": (m) => [`"uri":${quoted(m.random.chance(0.5) ? "skill://pdf/SKILL.md" : m.address())}`, `"name":${quoted(word(m.random))}`],
  "tools/call": (m) => {
    const tool = toolName(m.random);
    return [`"name":${quoted(tool)}`, `"arguments":${toolArguments(m.random, m.workspace, tool)}`];
  },
  "prompts/get": (m) => {
    const { random } = m;
    const name = random.chance(0.85) ? random.pick(prompts) : text(random);
    return [`"name":${quoted(name)}`, `"arguments":{"who":${quoted(text(random))},"tone":${random.chance(0.9) ? quoted(random.pick(["kind", "stern", "x"])) : json(random, 1)}}`];
  },
  "completion/complete": (m) => {
    const { random } = m;
    const ref = random.chance(0.5)
      ? `{"type":"ref/prompt","name":${quoted(random.pick(prompts))}}`
      : `{"type":"ref/resource","uri":${quoted(random.pick(m.workspace.templates))}}`;
    const name = random.pick(["path", "aspect", "type", "id", "name", "who", "tone", "pattern", "symbol", "after", "none"]);
    return [`"ref":${random.chance(0.9) ? ref : json(random)}`, `"argument":{"name":${quoted(name)},"value":${quoted(text(random))}}`,
      ...(random.chance(0.3) ? [`"context":{"arguments":{"path":${quoted(random.pick(m.workspace.paths))},"type":${json(random, 0)}}}`] : [])];
  },
  "logging/setLevel": (m) => [`"level":${quoted(m.random.pick(levels))}`],
  "subscriptions/listen": (m) => {
    const uris = Array.from({ length: m.random.below(5) }, () => quoted(m.address()));
    return [`"notifications":{"toolsListChanged":true,"promptsListChanged":${json(m.random, 0)},"resourcesListChanged":true,"resourceSubscriptions":[${uris}]}`];
  },
  initialize: (m) => [
    `"protocolVersion":${quoted(m.random.chance(0.9) ? m.random.pick(revisions) : text(m.random))}`,
    `"capabilities":${m.random.chance(0.8) ? "{\"roots\":{},\"sampling\":{},\"elicitation\":{}}" : json(m.random)}`,
    `"clientInfo":{"name":${quoted(text(m.random))},"version":"1"}`,
  ],
  ping: () => [],
  "server/discover": () => [],
};
const methods = weighted([
  [30, "resources/read"], [22, "tools/call"], [8, "completion/complete"], [3, "resources/list"], [2, "resources/templates/list"], [2, "tools/list"], [2, "prompts/list"],
  [5, "prompts/get"], [4, "resources/subscribe"], [3, "resources/unsubscribe"], [1, "subscriptions/listen"], [2, "skills/list"], [2, "skills/get"],
  [2, "resources/directory/read"], [5, "ping"], [3, "server/discover"], [2, "logging/setLevel"], [1, "initialize"],
]);
const notes = ["initialized", "roots/list_changed", "progress", "cancelled", "message", "none"];

export class Messages {
  // workspace: root, paths, templates, cursors; lines: messages that others wrote.
  constructor(random, workspace, lines) {
    this.random = random;
    this.workspace = workspace;
    this.lines = lines;
    this.sequence = 0;
  }

  address() {
    return this.random.chance(0.4) ? plainAddress(this.random, this.workspace) : address(this.random, this.workspace);
  }

  cursor() {
    if (this.random.chance(0.5)) return [];
    const { cursors } = this.workspace;
    return [`"cursor":${cursors.length > 0 && this.random.chance(0.5) ? quoted(this.random.pick(cursors)) : json(this.random, 1)}`];
  }

  // The id as JSON text; a request that nobody repeats has one of its own.
  id() {
    this.sequence += 1;
    if (this.random.chance(0.9)) return this.random.chance(0.5) ? `${this.sequence}` : `"q${this.sequence}"`;
    return this.random.chance(0.3) ? number(this.random) : quoted(`${text(this.random).slice(0, 1500)}${this.sequence}`);
  }

  meta(modern) {
    const { random } = this;
    const members = [];
    if (modern && random.chance(0.98)) members.push(`${key("protocolVersion")}:${random.chance(0.98) ? quoted(newest) : json(random, 1)}`);
    if (modern && random.chance(0.98)) members.push(`${key("clientCapabilities")}:${random.chance(0.97) ? "{}" : json(random)}`);
    if (random.chance(0.3)) members.push(`${key("clientInfo")}:{"name":"fuzz","version":"1"}`);
    if (random.chance(0.2)) members.push(`"progressToken":${json(random, 0)}`);
    if (random.chance(0.1)) members.push(`${key("logLevel")}:${quoted(random.pick(levels))}`);
    if (random.chance(0.05)) members.push(`${quoted(text(random))}:${json(random)}`);
    return `"_meta":{${members}}`;
  }

  request(modern, method = this.random.draw(methods)) {
    const { random } = this;
    const members = parameters[method](this);
    if (random.chance(0.03)) members.splice(random.below(members.length + 1), random.below(2), `${quoted(text(random))}:${json(random)}`);
    if (modern || random.chance(0.1)) members.push(this.meta(modern));
    const name = random.chance(0.98) ? method : random.chance(0.5) ? `${method}/x` : text(random);
    const params = random.chance(0.99) ? `{${members}}` : json(random);
    return `{"jsonrpc":"2.0","id":${this.id()},"method":${quoted(name)},"params":${params}}`;
  }

  notification() {
    const { random } = this;
    const name = random.pick(notes);
    const recent = Math.max(0, this.sequence - random.below(40));
    const params = name === "cancelled" ? `{"requestId":${random.pick([`${recent}`, `"q${recent}"`, json(random, 1)])},"reason":${json(random, 0)}}` : json(random);
    return `{"jsonrpc":"2.0","method":"notifications/${name}","params":${params}}`;
  }

  response() {
    const { random } = this;
    return `{"jsonrpc":"2.0","id":${random.pick([`"lode-${random.below(9)}"`, number(random)])},${random.pick(["\"result\"", "\"error\""])}:${json(random)}}`;
  }

  batch() {
    const parts = Array.from({ length: this.random.below(6) }, () =>
      this.random.chance(0.8) ? this.request(this.random.chance(0.1)) : this.random.chance(0.5) ? this.notification() : json(this.random));
    return `[${parts}]`;
  }

  // One message as text, without a newline in it unless a kept line has one.
  next() {
    const kind = this.random.below(100);
    if (kind < 4) return this.notification();
    if (kind < 5) return this.response();
    if (kind < 7) return this.batch();
    if (kind < 12 && this.lines.length > 0) return this.random.pick(this.lines);
    return this.request(this.random.chance(0.5));
  }
}
