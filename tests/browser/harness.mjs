// The viewer in a real browser, served by the real program on a workspace made for the test.
//
//   const app = await start({ files: { ".lode/backlog/tasks/TASK-0001.md": … } });
//   const page = await app.owner();          // opened by the link with the token; app.visitor(): without
//   await page.at("mcp://backlog/board");    // goes there; page.at(URI, PANE) opens a pane beside it
//   await audit(page, "board");              // axe in both themes, wide and narrow, with screenshots
//   await app.stop();                        // fails if any page met an error
//
// Chromium is Debian's. Screenshots go to LODE_SCREENSHOTS, or to build/screenshots.
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { isDeepStrictEqual } from "node:util";
import { chromium } from "playwright-core";
import { makeWorkspace, program } from "../integration/support.mjs";

const patience = 60_000; // ms
const here = dirname(fileURLToPath(import.meta.url));
const screenshots = process.env.LODE_SCREENSHOTS ?? join(here, "../../build/screenshots");
const axeSource = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
export const wide = { width: 1280, height: 800 };
export const narrow = { width: 360, height: 740 };

// ---- the server ----

async function serve(work, port, args) {
  const words = ["serve", "--workspace", work.root, "--resources-enabled", "true", "--http", `127.0.0.1:${port}`];
  const child = spawn(program, [...words, ...args], { env: work.environment, stdio: ["ignore", "ignore", "pipe"] });
  const kill = () => child.kill("SIGKILL");
  process.once("exit", kill);
  let stderr = "";
  child.stderr.on("data", (bytes) => (stderr += bytes));
  const ended = new Promise((resolve) => child.once("close", (code) => resolve(code)));
  ended.then(() => process.off("exit", kill));
  const bound = () => Number(/"port":"(\d+)"/.exec(stderr)?.[1] ?? 0);
  await until(() => bound() > 0 || child.exitCode !== null, "a port");
  assert.ok(bound() > 0, stderr);
  return {
    port: bound(),
    end: async () => {
      child.kill("SIGTERM");
      assert.equal(await ended, 0, stderr.slice(-2000));
    },
  };
}

export async function until(wanted, what) {
  const end = Date.now() + patience;
  for (;;) {
    const found = await wanted();
    if (found) return found;
    if (Date.now() > end) throw new Error(`waited in vain for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

// Asks until the answer is as wanted; if it never is, says what it was last.
export async function equals(ask, wanted) {
  const end = Date.now() + patience;
  for (;;) {
    const found = await ask();
    if (isDeepStrictEqual(found, wanted)) return;
    if (Date.now() > end) assert.deepEqual(found, wanted);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

function gitIn(work, ...args) {
  const who = { GIT_AUTHOR_NAME: "Ana", GIT_AUTHOR_EMAIL: "ana@example.org", GIT_COMMITTER_NAME: "Ana", GIT_COMMITTER_EMAIL: "ana@example.org" };
  return execFileSync("git", ["-C", work.root, ...args], { env: { ...work.environment, ...who }, encoding: "utf8" });
}

// ---- the browser ----

let browser = null;

async function theBrowser() {
  browser ??= await chromium.launch({
    executablePath: process.env.LODE_CHROMIUM ?? "/usr/bin/chromium",
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  });
  return browser;
}

// ---- both ----

// files: path → text. git: they are committed before the server starts.
export async function start({ files = {}, git = false, args = [] } = {}) {
  const work = makeWorkspace({ "README.md": "# Shop\n", ...files });
  if (git) {
    gitIn(work, "init", "-q", "-b", "main");
    gitIn(work, "add", "-A");
    gitIn(work, "commit", "-qm", "Begin");
  }
  let server = await serve(work, 0, args);
  const { port } = server;
  const contexts = [];
  const complaints = [];
  const app = {
    work,
    root: work.root,
    port,
    url: `http://127.0.0.1:${port}`,
    complaints,
    git: (...words) => gitIn(work, ...words),
    read: (path) => readFileSync(join(work.root, path), "utf8"),
    exists: (path) => existsSync(join(work.root, path)),
    write: (path, text) => {
      mkdirSync(dirname(join(work.root, path)), { recursive: true });
      writeFileSync(join(work.root, path), text);
    },
    get token() {
      const state = join(work.base, "state/lode");
      const [mine] = readdirSync(state).filter((name) => existsSync(join(state, name, "token")));
      return readFileSync(join(state, mine, "token"), "utf8").trim();
    },
    // What a tool answers, called as the owner from outside of any page.
    call: async (name, given) => {
      const answer = await fetch(`${app.url}/mcp`, {
        method: "POST",
        headers: { authorization: `Bearer ${app.token}`, "content-type": "application/json", accept: "application/json, text/event-stream" },
        body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: given } }),
      });
      const { result, error } = await answer.json();
      assert.ok(!error && !result.isError, JSON.stringify(error ?? result));
      return result.content[0].text;
    },
    // A new browser profile, of its own storage. options: those of a context of playwright.
    owner: (options = {}) => openPage(app, contexts, { ...options, token: app.token }),
    visitor: (options = {}) => openPage(app, contexts, options),
    halt: () => server.end(),
    resume: async () => {
      server = await serve(work, port, args);
    },
    stop: async () => {
      for (const context of contexts) await context.close();
      await server.end();
      work.remove();
      assert.deepEqual(complaints, []);
    },
  };
  return app;
}

export async function closeBrowser() {
  await browser?.close();
  browser = null;
}

async function openPage(app, contexts, { token, ...options }) {
  const chrome = await theBrowser();
  const context = await chrome.newContext({ viewport: wide, colorScheme: "dark", locale: "en-GB", reducedMotion: "reduce", ...options });
  context.setDefaultTimeout(patience);
  await context.grantPermissions(["clipboard-read", "clipboard-write"], { origin: app.url });
  contexts.push(context);
  context.on("page", (page) => watch(page, app));
  const page = await context.newPage();
  await page.goto(token ? `${app.url}/#token=${token}` : app.url);
  await page.locator("main .page[data-page]").first().waitFor();
  return page;
}

// Nothing may fail unseen, and nothing may leave the server's origin.
function watch(page, app) {
  page.at = async (uri, pane = "") => {
    const query = new URLSearchParams({ uri, ...(pane ? { pane } : {}) });
    await page.goto(`${app.url}/?${query}`);
    // Where the window is narrow the pane covers the page.
    await page.locator(".page[data-page]:visible").first().waitFor();
  };
  page.on("pageerror", (error) => app.complaints.push(`error: ${error.stack ?? error}`));
  page.on("console", (message) => {
    // An answer that is no 200 is for the page to show.
    if (message.type() !== "error" || /Failed to load resource|net::ERR_/.test(message.text())) return;
    app.complaints.push(`console: ${message.text()}`);
  });
  page.on("request", (request) => {
    const url = new URL(request.url());
    if (["http:", "https:", "ws:", "wss:", "ftp:"].includes(url.protocol) && url.origin !== app.url) {
      app.complaints.push(`asked elsewhere: ${request.url()}`);
    }
  });
}

// ---- looking ----

// What axe finds amiss, in short.
export async function violations(page) {
  // Scripts of the page's own world are held to its policy; this one is not.
  await page.evaluate(axeSource);
  const { violations: found } = await page.evaluate(() => globalThis.axe.run(document, { resultTypes: ["violations"] }));
  return found.map(({ id, impact, nodes }) => `${id} (${impact}): ${nodes.slice(0, 3).map((node) => `${node.html.slice(0, 200)} ${node.failureSummary}`).join(" | ")}`);
}

export async function shot(page, name) {
  mkdirSync(screenshots, { recursive: true });
  await page.screenshot({ path: join(screenshots, `${name}.png`), animations: "disabled" });
}

// As it is now: axe is content, and there is a picture.
export async function look(page, name) {
  await shot(page, name);
  assert.deepEqual(await violations(page), [], name);
}

// Dark and light, wide and narrow: axe is content, nothing is wider than the window, and there is a
// picture of each. The page is left dark and wide.
export async function audit(page, name) {
  for (const colorScheme of ["light", "dark"]) {
    await page.emulateMedia({ colorScheme });
    for (const [width, viewport] of [["narrow", narrow], ["wide", wide]]) {
      await page.setViewportSize(viewport);
      await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
      await shot(page, `${name}-${colorScheme}-${width}`);
      assert.deepEqual(await violations(page), [], `${name}, ${colorScheme}, ${width}`);
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      assert.ok(overflow <= 0, `${name}, ${width}: ${overflow} px wider than the window`);
    }
  }
}

// ---- a backlog ----

// A task's file: ["path", "text"].
export function task(id, fields = {}, body = "") {
  const folder = { EPIC: "epics", MLST: "milestones", FLDR: "folders" }[id.split("-")[0]] ?? "tasks";
  const lines = Object.entries({ id, title: id, status: "open", ...fields }).map(([key, value]) => `${key}: ${typeof value === "string" ? value : JSON.stringify(value)}`);
  return [`.lode/backlog/${folder}/${id}.md`, `---\n${lines.join("\n")}\n---\n\n${body}`];
}

export function backlog(...tasks) {
  return Object.fromEntries(tasks);
}
