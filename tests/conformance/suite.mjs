// The official conformance suite, run against a server that listens.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

const require = createRequire(import.meta.url);
const suite = join(dirname(require.resolve("@modelcontextprotocol/conformance/package.json")), "dist", "index.js");

// One line for each check that failed or warned, and for each that was skipped.
function results(directory) {
  const found = [];
  const skipped = [];
  let checks = 0;
  for (const scenario of readdirSync(directory)) {
    if (scenario.startsWith("server-tasks-")) continue;
    for (const check of JSON.parse(readFileSync(join(directory, scenario, "checks.json"), "utf8"))) {
      const line = `${check.status} ${scenario} ${check.id}: ${check.errorMessage ?? ""}`;
      checks += check.status === "SUCCESS" ? 1 : 0;
      if (check.status === "FAILURE" || check.status === "WARNING") found.push(line);
      if (check.status === "SKIPPED") skipped.push(line);
    }
  }
  return { found, skipped, checks };
}

// args: which scenarios, as the suite takes them.
export function runSuite(url, args) {
  const out = mkdtempSync(join(tmpdir(), "lode-conformance-"));
  try {
    const done = spawnSync(process.execPath, [suite, "server", "--url", url, ...args, "-o", out], {
      encoding: "utf8",
      timeout: 300_000,
    });
    const { found, skipped, checks } = results(out);
    if (done.status !== 0) found.push(`the suite ended with ${done.status}: ${done.stderr.slice(-2000)}`);
    if (checks === 0) found.push("no check succeeded");
    return { found, skipped, checks };
  } finally {
    rmSync(out, { recursive: true });
  }
}
