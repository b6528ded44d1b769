// Servers, each with a world of its own, that are given one policy after the other and asked
// many questions under each.
import { spawn } from "node:child_process";
import { renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { program } from "../support.mjs";
import { makePolicy, Random } from "./policies.mjs";
import { Questions } from "./questions.mjs";
import { Reference } from "./reference.mjs";
import { Rules } from "./rules.mjs";
import { World } from "./world.mjs";

const perPolicy = 250;
const inFlight = 8; // a provider takes 16 calls at once
const patience = 30_000;

const worlds = [
  { behindLink: false },
  { behindLink: true },
  { behindLink: false, expose: ["ROOT/open/**", "ROOT", "ROOT/*", "resource://file/**", "capability-index://elements/*/h*", "capability-index://elements/persona", "capability-index://search", "skill://pdf/**", "lode://search"] },
];

const open = [{ effect: "allow", actions: ["*"], uris: ["**"] }];

// One server over its pipe, where answers find their questions by id, and over HTTP.
class Client {
  constructor(world, policyFile) {
    const expose = world.expose.length > 0 ? ["--resources-expose", world.expose.join(",")] : [];
    const args = ["serve", "--workspace", world.root, "--resources-enabled", "true", "--http", "127.0.0.1:0", "--policy-file", policyFile, ...expose];
    this.child = spawn(program, args, { env: world.work.environment });
    process.once("exit", () => this.child.exitCode ?? this.child.kill("SIGKILL"));
    this.ended = new Promise((resolve) => this.child.on("close", resolve));
    this.waiting = new Map();
    this.stderr = "";
    this.child.stderr.on("data", (bytes) => (this.stderr += bytes));
    this.id = 0;
    createInterface({ input: this.child.stdout }).on("line", (line) => {
      const message = JSON.parse(line);
      this.waiting.get(message.id)?.(message);
      this.waiting.delete(message.id);
    });
  }
  send(message) {
    this.child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  }
  // The same over plain HTTP, as the answer to a message would have it.
  async get(path, { uri }) {
    const answer = await fetch(`http://127.0.0.1:${this.port}${path}?uri=${encodeURIComponent(uri)}`, { signal: AbortSignal.timeout(patience) });
    const body = await answer.json();
    if (answer.status === 200) return { result: body };
    return { error: { code: answer.status === 403 ? -31403 : -32602, message: `${answer.status} ${body.message}` } };
  }
  request(method, params) {
    if (method.startsWith("GET ")) return this.get(method.slice(4), params);
    const id = ++this.id;
    this.send({ id, method, params });
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`no answer to ${method} ${JSON.stringify(params)}; ${this.stderr.slice(-2000)}`)), patience);
      this.waiting.set(id, (message) => {
        clearTimeout(timer);
        resolve(message);
      });
    });
  }
  async begin() {
    await this.request("initialize", { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "matrix", version: "1" } });
    this.send({ method: "notifications/initialized", params: {} });
    const port = () => Number(/"port":"(\d+)"/.exec(this.stderr)?.[1]);
    await until(() => port() > 0, "a port");
    this.port = port();
  }
  async stop() {
    this.child.stdin.end();
    return this.ended;
  }
}

async function until(wanted, what) {
  const end = Date.now() + patience;
  while (!(await wanted())) {
    if (Date.now() > end) throw new Error(`waited in vain: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

const equal = (a, b) => JSON.stringify(a) === JSON.stringify(b);

// Whether the answer is right. What the program need not know must only not be let through.
function isRight({ expected, loose }, got) {
  if (equal(expected, got)) return true;
  return loose === true && (expected === "ok" || got !== "ok");
}

export class Matrix {
  constructor({ seed, cases }) {
    this.seed = seed;
    this.cases = cases;
    this.asked = 0;
    this.policies = 0;
    this.differences = [];
  }

  async run() {
    await Promise.all(worlds.map((options, which) => this.#drive(options, which)));
    return this;
  }

  // One server to its end.
  async #drive(options, which) {
    const world = new World(options);
    const file = join(world.work.base, "policy.toml");
    this.#write(file, new Rules(open), "");
    const client = new Client(world, file);
    await client.begin();
    await this.#settle(client);
    const rounds = Math.ceil(this.cases / worlds.length / perPolicy);
    for (let round = 0; round < rounds; ++round) {
      const random = new Random(this.seed, which, round);
      const makes = new Questions(world, undefined, random);
      const rules = new Rules(round === 0 ? open : makePolicy(random, world, makes));
      if (round > 0) await this.#change(client, file, rules, round);
      await this.#ask(client, new Questions(world, new Reference(world, rules), random), { which, round, rules });
    }
    const status = await client.stop();
    if (status !== 0) this.differences.push(`the server ended with ${status}: ${client.stderr.slice(-3000)}`);
    world.work.remove();
  }

  // Until all elements and symbols are known.
  async #settle(client) {
    const search = { uri: "lode://search?q=alpha" };
    await until(async () => {
      const { result } = await client.request("resources/read", search);
      return result && JSON.parse(result.contents[0].text).incomplete === undefined;
    }, "the index");
    await until(async () => (await client.request("prompts/list", {})).result !== undefined, "the elements");
  }

  // note: makes a file another that says the same.
  #write(file, rules, note) {
    writeFileSync(`${file}.new`, `# ${note}\n${rules.toml()}`);
    renameSync(`${file}.new`, file);
  }
  async #change(client, file, rules, round) {
    client.stderr = "";
    this.#write(file, rules, round);
    await until(() => /policy (changed|kept)/.test(client.stderr), "the policy");
    if (client.stderr.includes("policy kept")) throw new Error(`${client.stderr}\n${rules.toml()}`);
    this.policies += 1;
  }

  async #ask(client, questions, where) {
    let left = perPolicy;
    const worker = async () => {
      while (left > 0) {
        left -= 1;
        const question = questions.next();
        const message = await client.request(question.method, question.params);
        this.asked += 1;
        const got = question.got(message);
        if (question.method === "resources/subscribe" && got === "ok") await client.request("resources/unsubscribe", question.params);
        if (!isRight(question, got)) this.#differ(question, got, message, where, questions.world);
      }
    };
    await Promise.all(Array.from({ length: inFlight }, worker));
  }

  #differ(question, got, message, { which, round, rules }, world) {
    const short = (value) => (Array.isArray(value) ? value.map((each) => each.replaceAll(world.root, "ROOT")) : value);
    const lines = [
      `--- difference: LODE_MATRIX_SEED=${this.seed} world ${which} round ${round} (${question.kind}${question.spelling ? `, ${question.spelling}` : ""})`,
      ...rules.rules.map(({ effect, actions, uris }) => `  ${effect} ${actions} ${uris.join(" ").replaceAll(world.root, "ROOT")}`),
      `  ${question.method} ${JSON.stringify({ ...question.params, _meta: undefined }).replaceAll(world.root, "ROOT")}`,
      `  expected ${JSON.stringify(short(question.expected))}`,
      `  got      ${JSON.stringify(short(got))} ${message.error ? `${message.error.code} ${message.error.message}` : message.result?.isError ? message.result.content[0].text : ""}`,
    ];
    this.differences.push(lines.join("\n"));
  }
}
