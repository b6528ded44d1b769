// Runs the official conformance suite against the fixture server.
//
//   node run.mjs SERVER     SERVER: the path of lode_fixture
//
// A run passes if no check of a scored scenario failed or warned. Scenarios
// that the suite runs but does not score (the tasks extension, which this
// server does not declare) are left out by name; nothing else is excused. The
// skills extension is tested against the program itself, in
// tests/integration/skills.test.mjs.
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { runSuite } from "./suite.mjs";

const pending = [
  ["http-header-validation", "2026-07-28"],
  ["http-custom-header-server-validation", "2026-07-28"],
  ["json-schema-2020-12", "2026-07-28"],
  ["json-schema-2020-12", "2025-11-25"],
  ["server-sse-polling", "2025-11-25"],
];
const runs = [
  ["--requirements", "2026-07-28"],
  ["--requirements", "2025-11-25"],
  ["--suite", "all", "--spec-version", "2025-06-18"],
  ["--suite", "all", "--spec-version", "2025-03-26"],
  ...pending.map(([scenario, version]) => ["--scenario", scenario, "--spec-version", version]),
];

function startServer(path) {
  const server = spawn(path, ["--no-stdio", "--http", "127.0.0.1:0"], { stdio: ["ignore", "inherit", "pipe"] });
  const lines = createInterface({ input: server.stderr });
  return new Promise((resolve, reject) => {
    server.once("exit", (code) => reject(new Error(`the server ended with ${code}`)));
    lines.on("line", (line) => {
      console.error(line);
      const event = line.startsWith("{") ? JSON.parse(line) : {};
      if (event.event === "listening") resolve({ server, url: `http://127.0.0.1:${event.port}/mcp` });
    });
  });
}

const { server, url } = await startServer(process.argv[2]);
let passed = 0;
let failed = 0;
for (const args of runs) {
  const { found, checks } = runSuite(url, args);
  console.log(`${found.length === 0 ? "ok" : "FAILED"} ${args.join(" ")}: ${checks} checks succeeded`);
  for (const problem of found) console.log(`  ${problem}`);
  passed += checks;
  failed += found.length;
}
server.removeAllListeners("exit");
const ended = new Promise((resolve) => server.once("exit", resolve));
server.kill("SIGTERM");
if ((await ended) !== 0) {
  console.log("the server did not end with 0");
  failed += 1;
}
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
