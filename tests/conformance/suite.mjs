// The official conformance suite, run against a server that listens.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

const require = createRequire(import.meta.url);
const suite = join(dirname(require.resolve("@modelcontextprotocol/conformance/package.json")), "dist", "index.js");

// Every check of every scenario that ran, but those of the tasks extension, which Lode does not declare.
function checksIn(directory) {
  return readdirSync(directory)
    .filter((name) => !name.startsWith("server-tasks-"))
    .flatMap((name) => {
      const scenario = /^server-(.*)-\d{4}-\d\d-\d\dT[\d-]+Z$/.exec(name)[1];
      const checks = JSON.parse(readFileSync(join(directory, name, "checks.json"), "utf8"));
      return checks.map(({ id, status, errorMessage = "" }) => ({ scenario, id, status, message: errorMessage }));
    });
}

// args: which scenarios, as the suite takes them. The status that the suite ends with is not 0 if a check failed.
export function runChecks(url, args) {
  const out = mkdtempSync(join(tmpdir(), "lode-conformance-"));
  try {
    const { status, stderr } = spawnSync(process.execPath, [suite, "server", "--url", url, ...args, "-o", out], {
      encoding: "utf8",
      timeout: 300_000,
    });
    return { status, stderr, checks: checksIn(out) };
  } finally {
    rmSync(out, { recursive: true });
  }
}

// One line for each check that failed or warned, and for each that was skipped; how many succeeded.
export function runSuite(url, args) {
  const { status, stderr, checks } = runChecks(url, args);
  const lines = (...wanted) =>
    checks
      .filter((check) => wanted.includes(check.status))
      .map(({ scenario, id, status: word, message }) => `${word} ${scenario} ${id}: ${message}`);
  const found = lines("FAILURE", "WARNING");
  const succeeded = lines("SUCCESS").length;
  if (status !== 0) found.push(`the suite ended with ${status}: ${stderr.slice(-2000)}`);
  if (succeeded === 0) found.push("no check succeeded");
  return { found, skipped: lines("SKIPPED"), checks: succeeded };
}
