// The official conformance suite against the real program.
//
// Most scenarios ask for tools, prompts and addresses of a server that was written for the suite; lode_fixture
// has them (run.mjs), the program has not. Those checks are below, each with what it lacks. All others pass,
// and a check that is here and passes, or no longer runs, is as wrong as one that fails and is not here.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { serveHttp, well } from "../integration/hostile.mjs";
import { runChecks } from "./suite.mjs";

const runs = [
  ["--requirements", "2026-07-28"],
  ["--requirements", "2025-11-25"],
  ["--suite", "all", "--spec-version", "2025-06-18"],
  ["--suite", "all", "--spec-version", "2025-03-26"],
];

// What a scenario is counted as that says nothing is wrong, and nothing right either.
const unchecked = "(nothing)";

// By what is lacking: scenario, then its checks that cannot be made without.
const lacking = {
  "a tool of this name and contents": {
    "tools-call-simple-text": ["tools-call-simple-text"],
    "tools-call-image": ["tools-call-image"],
    "tools-call-audio": ["tools-call-audio"],
    "tools-call-embedded-resource": ["tools-call-embedded-resource"],
    "tools-call-mixed-content": ["tools-call-mixed-content"],
    "tools-call-error": ["tools-call-error"],
    "json-schema-2020-12": ["json-schema-2020-12-tool-found"],
  },
  "a tool that logs or tells its progress, at its leisure": {
    "tools-call-with-logging": ["tools-call-with-logging"],
    "tools-call-with-progress": ["tools-call-with-progress"],
    "server-sse-polling": [unchecked],
  },
  "a tool that asks the client for something": {
    "tools-call-sampling": ["tools-call-sampling"],
    "tools-call-elicitation": ["tools-call-elicitation"],
    "elicitation-sep1034-defaults": ["elicitation-sep1034-general"],
    "elicitation-sep1330-enums": ["elicitation-sep1330-general"],
    "input-required-result-basic-elicitation": ["sep-2322-elicitation-incomplete"],
    "input-required-result-basic-sampling": ["sep-2322-sampling-incomplete"],
    "input-required-result-basic-list-roots": ["sep-2322-list-roots-incomplete"],
    "input-required-result-request-state": ["sep-2322-request-state-incomplete"],
    "input-required-result-multiple-input-requests": ["sep-2322-multiple-inputs-incomplete"],
    "input-required-result-multi-round": ["sep-2322-multi-round-r1"],
    "input-required-result-missing-input-response": ["sep-2322-missing-response-rerequests"],
    "input-required-result-result-type": ["sep-2322-result-type-included"],
    "input-required-result-tampered-state": ["sep-2322-reject-tampered-state"],
    "input-required-result-capability-check": ["sep-2322-respect-client-capabilities"],
    "input-required-result-ignore-extra-params": ["sep-2322-ignore-unexpected-params"],
  },
  "a tool with x-mcp-header annotations": {
    "http-custom-header-server-validation": [
      "sep-2243-server-no-xmcp-tool",
      "sep-2243-server-decode-base64",
      "sep-2243-server-validate-param-match",
      "sep-2243-server-reject-invalid-param-chars",
      "sep-2243-server-reject-param-mismatch",
    ],
  },
  "the diagnostic tools test_missing_capability, test_streaming_elicitation, test_logging_tool, test_trigger_…_change": {
    "server-stateless": [
      "sep-2575-server-rejects-undeclared-capability",
      "sep-2575-missing-capability-http-400",
      "sep-2575-http-server-no-independent-requests-on-stream",
      "sep-2575-server-no-log-without-loglevel",
      "sep-2575-server-sends-prompts-list-changed-on-subscription",
      "sep-2575-server-sends-tools-list-changed-on-subscription",
    ],
  },
  "a prompt of this name: those of the program are named after elements": {
    "prompts-get-simple": ["prompts-get-simple"],
    "prompts-get-with-args": ["prompts-get-with-args"],
    "prompts-get-embedded-resource": ["prompts-get-embedded-resource"],
    "prompts-get-with-image": ["prompts-get-with-image"],
    "completion-complete": ["completion-complete"],
    "input-required-result-non-tool-request": ["sep-2322-non-tool-incomplete"],
  },
  "the addresses test://…": {
    "resources-read-text": ["resources-read-text"],
    "resources-read-binary": ["resources-read-binary"],
    "resources-templates-read": ["resources-templates-read"],
    "resources-subscribe": ["resources-subscribe"],
    "resources-unsubscribe": ["resources-unsubscribe"],
  },
};
const excused = Object.assign({}, ...Object.values(lacking));

// By scenario, the checks that did not succeed; in words, if they are not excused.
function problems(checks) {
  const scenarios = new Map(checks.map(({ scenario }) => [scenario, { found: [], succeeded: 0 }]));
  for (const { scenario, id, status, message } of checks) {
    const now = scenarios.get(scenario);
    const named = excused[scenario]?.includes(id);
    if (status === "SUCCESS") now.succeeded += 1;
    if (!["SUCCESS", "INFO"].includes(status)) now.found.push(named ? id : `${status} ${id}: ${message}`);
  }
  for (const now of scenarios.values()) if (now.found.length + now.succeeded === 0) now.found.push(unchecked);
  return scenarios;
}

const everything = '[[rule]]\neffect = "allow"\nroles = ["*"]\nactions = ["*"]\nuris = ["**"]\n';
const template = "---\nname: Letter\ndescription: A letter\nvariables:\n  - name: to\n---\nDear {{to}},\n";

let server;
const outside = mkdtempSync(join(tmpdir(), "lode-conformance-"));
before(async () => {
  // The suite shows no token: whoever sends none may do what the owner may.
  const policy = join(outside, "policy.toml");
  writeFileSync(policy, everything);
  server = await serveHttp(["--policy-file", policy], { files: { ".lode/elements/template/letter.md": template } });
});
after(async () => {
  rmSync(outside, { recursive: true });
  assert.deepEqual(await server.stop(), well);
});

const ran = new Set();
for (const args of runs) {
  test(args.join(" "), () => {
    const { checks, stderr } = runChecks(`http://127.0.0.1:${server.port}/mcp`, args);
    const scenarios = problems(checks);
    assert.ok(scenarios.size > 0, stderr);
    for (const [scenario, { found }] of scenarios) {
      ran.add(scenario);
      assert.deepEqual(found.sort(), [...(excused[scenario] ?? [])].sort(), scenario);
    }
    console.log(`${checks.filter(({ status }) => status === "SUCCESS").length} checks succeeded`);
  });
}

test("every scenario that is excused has run", () => {
  assert.deepEqual(Object.keys(excused).filter((scenario) => !ran.has(scenario)), []);
});
