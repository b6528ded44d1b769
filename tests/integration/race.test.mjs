// Links that are swapped while they are read: for half a minute, names of the
// workspace point by turns inside, outside and to a secret, and nothing but what
// is inside may ever be read.
import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { Worker, isMainThread, workerData } from "node:worker_threads";
import { renameSync, rmSync, symlinkSync } from "node:fs";
import { makeWorkspace, serve } from "./support.mjs";

const seconds = 30;

// Swaps until the clock says stop: links over links in one step, and a
// directory for a link in two.
function swap({ root, outside, until, done }) {
  const link = (target, name) => {
    symlinkSync(target, join(root, "next"));
    renameSync(join(root, "next"), join(root, name));
  };
  let swaps = 0;
  for (; Date.now() < until; swaps += 1) {
    for (const target of ["inside", outside]) link(target, "dirlink");
    for (const target of ["inside/file.txt", join(outside, "file.txt"), ".env"]) link(target, "filelink");
    renameSync(join(root, "real/deep"), join(root, "real/aside"));
    symlinkSync(outside, join(root, "real/deep"));
    rmSync(join(root, "real/deep"));
    renameSync(join(root, "real/aside"), join(root, "real/deep"));
  }
  Atomics.store(done, 0, swaps);
}

if (!isMainThread) {
  swap(workerData);
} else {
  describe("links swapped while they are read", () => {
    it(`never lead outside, in ${seconds} seconds`, async () => {
      const work = makeWorkspace({
        "inside/file.txt": "INSIDE",
        "real/deep/file.txt": "INSIDE",
        ".env": "FORBIDDEN secret",
      });
      const outside = join(work.base, "outside");
      mkdirSync(outside);
      writeFileSync(join(outside, "file.txt"), "FORBIDDEN outside");
      writeFileSync(join(outside, "forbidden-name.txt"), "FORBIDDEN outside");
      const done = new Int32Array(new SharedArrayBuffer(4));
      const until = Date.now() + seconds * 1000;
      const swapper = new Worker(new URL(import.meta.url), { workerData: { root: work.root, outside, until, done } });
      const ended = new Promise((resolve, reject) => swapper.on("exit", resolve).on("error", reject));

      const client = await serve(work, ["--resources-enabled", "true", "--resources-cache-ttl", "0s"]);
      const paths = ["dirlink/file.txt", "filelink", "real/deep/file.txt", "dirlink", "real/deep", "real/../dirlink/file.txt"];
      const seen = { read: 0, refused: 0 };
      const look = (answer) => {
        const text = JSON.stringify(answer);
        assert.doesNotMatch(text, /FORBIDDEN|forbidden-name/);
        if (answer.error || answer.result.isError) seen.refused += 1;
        else seen.read += 1;
      };
      while (Date.now() < until) {
        const asked = paths.flatMap((path) => [
          client.request("resources/read", { uri: work.uri(path) }),
          client.request("tools/call", { name: "resource_read", arguments: { uri: work.uri(path) } }),
        ]);
        (await Promise.all(asked)).forEach(look);
      }
      await ended;
      assert.equal(await client.stop(), 0);
      const swaps = Atomics.load(done, 0);
      console.log(`${swaps} rounds of swaps, ${seen.read} reads, ${seen.refused} refusals`);
      assert.ok(swaps > 100 && seen.read > 100 && seen.refused > 100, "the race was run");
      work.remove();
    });
  });
}
