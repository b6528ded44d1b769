// The program as its users meet it: off and on, exposure, changes, policy,
// and addresses that try to leave the workspace.
import assert from "node:assert/strict";
import { existsSync, mkdirSync, readdirSync, readlinkSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { after, before, describe, it } from "node:test";
import { eventually, makeWorkspace, run, serve } from "./support.mjs";

const on = ["--resources-enabled", "true"];

function openBelow(pid, root) {
  return readdirSync(`/proc/${pid}/fd`)
    .map((fd) => {
      try {
        return readlinkSync(`/proc/${pid}/fd/${fd}`);
      } catch {
        return "";
      }
    })
    .filter((path) => path.startsWith(root) || path.includes("inotify"));
}

const tools = ["ast_analyze", "backlog_manage", "element_manage", "file_ops", "find_files"];

describe("lode", () => {
  let work;
  before(() => {
    work = makeWorkspace({ "README.md": "# Hello\n", "src/a.txt": "one\n", ".env": "SECRET=1\n", ".git/HEAD": "x\n" });
  });
  after(() => work.remove());

  it("offers nothing of the workspace while resources are off", async () => {
    const client = await serve(work, []);
    assert.equal(client.initialized.capabilities.resources, undefined);
    assert.equal(client.initialized.capabilities.prompts, undefined);
    assert.equal((await client.request("resources/list")).error.code, -32601);
    assert.deepEqual((await client.request("tools/list")).result.tools.map((tool) => tool.name).sort(), tools);
    assert.deepEqual(openBelow(client.pid, work.root), [work.root], "only where tools begin, and no watcher");
    assert.equal(await client.stop(), 0);
    const read = await run(work, ["read", work.uri("README.md")]);
    assert.equal(read.status, 1);
    assert.match(read.stderr, /resources are off/);
  });

  it("reads, lists and mirrors while they are on", async () => {
    const client = await serve(work, on);
    assert.match(client.stderr(), /MCP Resources Protocol enabled/);
    const { resources } = (await client.request("resources/list")).result;
    const files = resources.filter((entry) => entry.uri.startsWith("file:"));
    assert.deepEqual(files.map((entry) => entry.name), ["README.md", "src"]);
    const { contents } = (await client.request("resources/read", { uri: work.uri("README.md") })).result;
    assert.equal(contents[0].text, "# Hello\n");
    assert.equal(contents[0].mimeType, "text/markdown");
    assert.match(contents[0]._meta["lode.content/version"], /^[0-9a-f]{32}$/);
    const called = await client.request("tools/call", { name: "resource_read", arguments: { uri: work.uri("src/a.txt") } });
    assert.equal(called.result.content[0].resource.text, "one\n");
    assert.equal(await client.stop(), 0);
  });

  it("shows only what is exposed", async () => {
    const client = await serve(work, [...on, "--resources-expose", `${work.uri("src")}/**`]);
    assert.equal((await client.request("resources/read", { uri: work.uri("README.md") })).error.code, -32002);
    assert.ok((await client.request("resources/read", { uri: work.uri("src/a.txt") })).result);
    assert.deepEqual((await client.request("resources/list")).result.resources.map((each) => each.uri), [work.uri("src")]);
    assert.equal(await client.stop(), 0);
  });

  for (const ttl of ["5m", "0s"]) {
    it(`tells of an edit, and the next read is fresh (cache ${ttl})`, async () => {
      const client = await serve(work, [...on, "--resources-cache-ttl", ttl]);
      const uri = work.uri("src/a.txt");
      await client.request("resources/read", { uri });
      await client.request("resources/subscribe", { uri });
      const read = async () => (await client.request("resources/read", { uri })).result.contents[0].text;
      for (const text of [`two ${ttl}\n`, `three ${ttl}\n`]) {
        writeFileSync(join(work.root, "src/a.txt"), text);
        assert.equal(await read(), text);
        const heard = await client.notification("notifications/resources/updated");
        assert.equal(heard.params.uri, uri);
        assert.equal(await read(), text);
      }
      assert.equal(await client.stop(), 0);
    });
  }

  it("hears through one process what happens beside another", async () => {
    const [one, two] = await Promise.all([serve(work, on), serve(work, on)]);
    const uri = work.uri("src/shared.txt");
    await one.request("resources/subscribe", { uri });
    await two.request("resources/subscribe", { uri });
    writeFileSync(join(work.root, "src/shared.txt"), "new\n");
    for (const client of [one, two]) {
      assert.equal((await client.notification("notifications/resources/updated")).params.uri, uri);
      assert.equal((await client.request("resources/read", { uri })).result.contents[0].text, "new\n");
      assert.equal(await client.stop(), 0);
    }
  });

  it("obeys a changed policy without a restart", async () => {
    const file = join(work.base, "policy.toml");
    const rules = (denied) => `[[rule]]\neffect = "allow"\nroles = ["local"]\nactions = ["*"]\nuris = ["**"]\n${denied}`;
    writeFileSync(file, rules(""));
    const client = await serve(work, [...on, "--policy-file", file]);
    const uri = work.uri("README.md");
    const read = () => client.request("resources/read", { uri });
    assert.ok((await read()).result);
    writeFileSync(`${file}.new`, rules(`[[rule]]\neffect = "deny"\nroles = ["local"]\nactions = ["*"]\nuris = ["file:///**/README.md"]\n`));
    renameSync(`${file}.new`, file);
    assert.equal((await eventually(read, (answer) => answer.error)).error.code, -32002);
    writeFileSync(file, "this is no policy");
    assert.equal((await read()).error.code, -32002);
    assert.equal(await client.stop(), 0);
    const told = await run(work, ["policy", "test", "visitor", "read", uri, "--policy-file", `${file}.none`]);
    assert.notEqual(told.status, 0);
  });

  it("reads lode.toml again, and says what changes at the next start and what is kept", async () => {
    const mine = join(work.base, ".config/lode/lode.toml");
    mkdirSync(dirname(mine), { recursive: true });
    mkdirSync(join(work.root, ".lode"));
    const client = await serve(work, on);
    const says = (words) => eventually(client.stderr, (text) => words.test(text)).then((text) => assert.match(text, words));
    const read = async () => (await client.request("resources/read", { uri: work.uri("README.md") })).error?.code ?? 0;
    writeFileSync(mine, `[http]\naddress = "127.0.0.1:0"\n[limits]\nworkers = 2\n`);
    await says(/these keys change at the next start","keys":"http, limits\.workers"/);
    writeFileSync(mine, "[resources]\nexpse = []\n");
    await says(/configuration kept","problem":"\S+lode\.toml:2: unknown key \\"resources\.expse\\"; did you mean/);
    rmSync(mine);
    const theirs = join(work.root, ".lode/lode.toml");
    writeFileSync(theirs, `[resources]\nexpose = ["file:///**/src/**"]\n[log]\nlevel = "debug"\n`);
    assert.equal(await eventually(read, (code) => code !== 0), -32002);
    await says(/the workspace's files are not trusted","ignored":"\S+: log\.level"/);
    rmSync(theirs);
    await says(/configuration kept","gone":"\S+\/\.lode\/lode\.toml"/);
    assert.equal(await read(), -32002);
    const denies = join(work.root, ".lode/policy.toml");
    writeFileSync(denies, `[[rule]]\neffect = "deny"\nroles = ["visitor"]\nactions = ["*"]\nuris = ["**"]\n`);
    await says(/"policy changed"/);
    rmSync(denies);
    await says(/policy kept","gone":"\S+\/\.lode\/policy\.toml"/);
    assert.equal(await client.stop(), 0);
    rmSync(join(work.root, ".lode"), { recursive: true });
  });

  it("names the line and the nearest key of a wrong configuration", async () => {
    const file = join(work.base, ".config/lode/lode.toml");
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, "[resources]\n\nenabld = true\n");
    const { status, stderr } = await run(work, ["list"]);
    assert.equal(status, 1);
    assert.match(stderr, /lode\.toml:3: .*enabld.*did you mean "(resources\.)?enabled"/);
    writeFileSync(file, "[resources]\nenabled = true\n");
    assert.equal((await run(work, ["read", work.uri("README.md")])).stdout, "# Hello\n");
    rmSync(file);
  });

  it("refuses flags that have no effect yet, and does not show them", async () => {
    for (const [flag, value] of [["--store-url", "postgres://x"], ["--tools", "full"]]) {
      const { status, stderr } = await run(work, ["list", ...on, flag, value]);
      assert.equal(status, 2, stderr);
      assert.match(stderr, new RegExp(`^lode: ${flag}: has no effect in this version`));
    }
    assert.equal((await run(work, ["list", ...on, "--tools", "core"])).status, 0);
    assert.doesNotMatch((await run(work, ["--help"])).stdout, /--store-url|--tools/);
  });

  it("refuses to serve others without authentication", async () => {
    for (const address of ["0.0.0.0:0", "[::]:0", "192.0.2.1:0"]) {
      const { status, stderr } = await run(work, ["serve", "--http", address]);
      assert.equal(status, 2);
      assert.match(stderr, /is no loopback address/);
    }
  });

  it("tells what changed while it was away", async () => {
    const looked = async () => {
      const client = await serve(work, on);
      const line = await eventually(client.stderr, (text) => /looked through/.test(text));
      assert.equal(await client.stop(), 0);
      return line.match(/changed_meanwhile\W+(\w+)/)[1];
    };
    await looked();
    assert.equal(await looked(), "0");
    writeFileSync(join(work.root, "src/away.txt"), "new\n");
    writeFileSync(join(work.root, "README.md"), "# Hello\n");
    assert.equal(await looked(), "2");
  });

  it("serves several roots", async () => {
    const other = makeWorkspace({ "README.md": "# Other\n", "lib/b.txt": "b\n" });
    const client = await serve(work, [...on, "--workspace", other.root]);
    for (const [where, text] of [[work, "# Hello\n"], [other, "# Other\n"]]) {
      const { contents } = (await client.request("resources/read", { uri: where.uri("README.md") })).result;
      assert.equal(contents[0].text, text);
    }
    const { resources } = (await client.request("resources/list")).result;
    assert.deepEqual(
      resources.map((entry) => entry.uri).filter((uri) => uri.startsWith("file:")).sort(),
      [work.uri("README.md"), work.uri("src"), other.uri("README.md"), other.uri("lib")].sort(),
    );
    const uri = other.uri("lib/b.txt");
    await client.request("resources/subscribe", { uri });
    writeFileSync(join(other.root, "lib/b.txt"), "c\n");
    assert.equal((await client.notification("notifications/resources/updated")).params.uri, uri);
    assert.equal(await client.stop(), 0);
    other.remove();
  });

  it("keeps count of what it serves, and names nothing hidden", async () => {
    const client = await serve(work, [...on, "--http", "127.0.0.1:0"]);
    const port = client.stderr().match(/port\W+(\d+)/)[1];
    const metrics = async () => (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
    const value = (text, name) => Number(text.match(new RegExp(`^${name.replace(/[{}]/g, "\\$&")} (\\S+)$`, "m"))?.[1]);
    const served = 'lode_tokens_served_total{counted="exactly",method="resources/read"}';
    const uri = work.uri("README.md");
    for (let i = 0; i < 5; i += 1) await client.request("resources/read", { uri });
    await client.request("resources/read", { uri: work.uri(".env") });
    const text = await eventually(metrics, (now) => value(now, served) >= 5 * 3);
    assert.equal(value(text, served), 5 * 3); // "# Hello\n" is three tokens
    assert.equal(value(text, "lode_cache_hits_total"), 4);
    assert.equal(value(text, 'lode_requests_total{method="resources/read",outcome="ok"}'), 5);
    assert.equal(value(text, 'lode_requests_total{method="resources/read",outcome="refused"}'), 1);
    assert.ok(text.includes("lode_request_seconds_bucket"));
    assert.doesNotMatch(text, /\.env|README|file:/);
    assert.equal(await client.stop(), 0);
  });

  it("answers a wrong word with the nearest right one", async () => {
    const flag = await run(work, ["list", "--resources-enabld", "true"]);
    assert.equal(flag.status, 2);
    assert.match(flag.stderr, /--resources-enabld.*did you mean "--resources-enabled"/);
    const command = await run(work, ["reed", "x"]);
    assert.equal(command.status, 2);
    assert.match(command.stderr, /no command "reed" \(did you mean "read"\?\)/);
    const below = await run(work, ["token", "rotat"]);
    assert.equal(below.status, 2);
    assert.match(below.stderr, /no command "token rotat" \(did you mean "rotate"\?\)/);
  });

  it("counts the tokens of its registration", async () => {
    const { stdout, status } = await run(work, ["tokens", "--json", ...on]);
    assert.equal(status, 0);
    const { items, total } = JSON.parse(stdout);
    for (const item of items) assert.ok(item.tokens > 0 && item.tokens < 220, JSON.stringify(item));
    assert.ok(total > 0 && total < 3000);
  });
});

describe("addresses that try to leave", () => {
  let work;
  let client;
  before(async () => {
    work = makeWorkspace({ "in.txt": "inside\n", "sub/deep.txt": "inside\n", ".env": "SECRET\n", ".git/config": "SECRET\n", "key.pem": "SECRET\n" });
    writeFileSync(join(work.base, "outside.txt"), "SECRET\n");
    writeFileSync(`${work.root}x`, "SECRET\n");
    symlinkSync(join(work.base, "outside.txt"), join(work.root, "absolute"));
    symlinkSync("../outside.txt", join(work.root, "relative"));
    symlinkSync("..", join(work.root, "up"));
    symlinkSync("/proc/self", join(work.root, "proc"));
    symlinkSync("loop", join(work.root, "loop"));
    symlinkSync(".env", join(work.root, "alias"));
    client = await serve(work, on);
  });
  after(async () => {
    assert.equal(await client.stop(), 0);
    work.remove();
  });

  const dots = ["..", "%2e%2e", "%2E%2E", ".%2e", "%2e.", "%252e%252e", "..%2f", "..%5c", "..\\", "%c0%ae%c0%ae", "..;", "..%00", "...."];
  const tails = [
    ...dots.flatMap((up) => [`${up}/outside.txt`, `sub/${up}/${up}/outside.txt`, `${up}%2foutside.txt`]),
    "absolute", "relative", "alias", "up/outside.txt", "up/work/../outside.txt", "proc/root/etc/passwd", "proc/cwd", "loop",
    ".env", "%2eenv", ".%65nv", "./.env", "sub/../.env", ".git/config", ".git%2fconfig", ".GIT/config", "key.pem", "key%2epem",
    "in.txt/../../outside.txt", "in.txt%00.md", "//etc/passwd", "in.txt/", "sub//../../outside.txt",
  ];
  const whole = ["file:///etc/passwd", "file://localhost/etc/passwd", "file:/etc/passwd", "FILE:///etc/passwd", "file:////etc/passwd", "file:///proc/self/environ", "file:///dev/stdin", "file:///", "file:", "file://"];

  it("read nothing outside, whatever the spelling", async () => {
    const spellings = [...tails.map((tail) => work.uri(tail)), ...whole, `file://${work.root}x`, `file://${work.base}/outside.txt`];
    assert.ok(spellings.length >= 60, `${spellings.length} spellings`);
    for (const uri of spellings) {
      const answers = [
        await client.request("resources/read", { uri }),
        await client.request("tools/call", { name: "resource_read", arguments: { uri } }),
      ];
      for (const answer of answers) assert.doesNotMatch(JSON.stringify(answer), /SECRET|root:/, uri);
    }
    const { stdout } = await run(work, ["read", work.uri("up/outside.txt"), ...on]);
    assert.equal(stdout, "");
    assert.ok(existsSync(join(work.base, "outside.txt")));
  });
});
