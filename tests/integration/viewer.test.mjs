// The viewer as HTTP serves it, and what pages of others get. What it shows is tested in a browser.
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import http from "node:http";
import { after, before, describe, it } from "node:test";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { serveHttp, well } from "./hostile.mjs";

const built = existsSync(new URL("../../web/package.json", import.meta.url));

// As a browser asks: with headers that fetch() does not let a script set.
function ask(port, path, headers = {}, method = "GET") {
  return new Promise((resolve, reject) => {
    const sent = http.request({ port, host: "127.0.0.1", path, method, headers }, (response) => {
      const parts = [];
      response.on("data", (bytes) => parts.push(bytes));
      response.on("end", () => resolve({ status: response.statusCode, headers: response.headers, body: Buffer.concat(parts) }));
    });
    sent.on("error", reject);
    sent.end();
  });
}

describe("the viewer", { skip: built ? false : "it was built without web/" }, () => {
  let server;
  let page;
  before(async () => {
    server = await serveHttp();
    page = await ask(server.port, "/");
  });
  after(async () => assert.deepEqual(await server.stop(), well));
  const parts = () => [...page.body.toString().matchAll(/(?:src|href)="(\/[^"]+)"/g)].map(([, path]) => path);

  it("is a page that runs nothing but its own scripts", () => {
    assert.equal(page.status, 200);
    assert.match(page.body.toString(), /<!doctype html>/i);
    assert.doesNotMatch(page.body.toString(), /<script(?![^>]*\bsrc=)[^>]*>|\son\w+=|<style|\sstyle=/, "nothing inline");
    const policy = page.headers["content-security-policy"];
    for (const rule of ["default-src 'none'", "script-src 'self'", "style-src 'self'", "object-src 'none'", "connect-src 'self'", "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"]) {
      assert.ok(policy.split("; ").includes(rule), rule);
    }
    assert.doesNotMatch(policy, /unsafe|\*|data:|https?:/);
    assert.equal(page.headers["content-type"], "text/html; charset=utf-8");
    assert.equal(page.headers["cache-control"], "no-cache");
    assert.equal(page.headers["referrer-policy"], "no-referrer");
    assert.equal(page.headers["x-content-type-options"], "nosniff");
    assert.equal(page.headers["cross-origin-opener-policy"], "same-origin");
    assert.equal(page.headers["cross-origin-resource-policy"], "same-origin");
    assert.match(page.headers["permissions-policy"], /camera=\(\), microphone=\(\), geolocation=\(\)/);
  });

  it("has all that it names, compressed, and kept if its name has a hash", async () => {
    assert.ok(parts().some((path) => path.startsWith("/assets/")));
    for (const path of parts()) {
      const plain = await ask(server.port, path);
      assert.equal(plain.status, 200, path);
      const kept = path.startsWith("/assets/") ? "public, max-age=31536000, immutable" : "no-cache";
      assert.equal(plain.headers["cache-control"], kept, path);
      for (const [coding, decode] of [["gzip", gunzipSync], ["br", brotliDecompressSync]]) {
        const short = await ask(server.port, path, { "accept-encoding": coding });
        const body = short.headers["content-encoding"] === coding ? decode(short.body) : short.body;
        assert.deepEqual(body, plain.body, `${path} ${coding}`);
        if (plain.body.length > 4096 && /\.(js|css)$/.test(path)) assert.equal(short.headers["content-encoding"], coding);
      }
      assert.equal((await ask(server.port, path, { "if-none-match": plain.headers.etag })).status, 304, path);
    }
    assert.equal((await ask(server.port, "/assets/none.js")).status, 404);
    assert.equal((await ask(server.port, "/assets/")).status, 404);
  });

  it("is for anybody, and needs no resources", async () => {
    assert.equal((await ask(server.port, "/", { "x-forwarded-for": "1.2.3.4" })).status, 200);
    const off = await serveHttp([], { resources: false });
    assert.equal((await ask(off.port, "/")).status, 200);
    assert.deepEqual(await off.stop(), well);
  });

  it("opens by a link of another page, and is no part of one", async () => {
    const link = { "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate", "sec-fetch-dest": "document" };
    assert.equal((await ask(server.port, "/", link)).status, 200);
    for (const dest of ["iframe", "image", "script", "style", "empty"]) {
      assert.equal((await ask(server.port, "/", { ...link, "sec-fetch-dest": dest })).status, 403, dest);
      assert.equal((await ask(server.port, parts()[0], { "sec-fetch-site": "same-site", "sec-fetch-mode": "no-cors", "sec-fetch-dest": dest })).status, 403);
    }
  });
});

describe("a page of another origin", () => {
  let server;
  before(async () => (server = await serveHttp()));
  after(async () => assert.deepEqual(await server.stop(), well));
  const paths = () => [`/mcp/resource?uri=${encodeURIComponent(server.work.uri("README.md"))}`, `/mcp/resource?uri=capability-index://stats&raw=1`, "/events?uri=capability-index://stats", "/metrics", "/mcp", "/health/live", "/nothing"];

  it("reads nothing as a script", async () => {
    const own = { host: `127.0.0.1:${server.port}` };
    for (const origin of [`http://127.0.0.1:${server.port + 1}`, `http://localhost:${server.port}`, "http://127.0.0.1", "https://evil.example", "null"]) {
      for (const path of paths()) {
        for (const method of ["GET", "POST", "OPTIONS"]) {
          const answer = await ask(server.port, path, { ...own, origin }, method);
          assert.equal(answer.status, 403, `${method} ${path} ${origin}`);
          assert.equal(answer.headers["access-control-allow-origin"], undefined);
        }
      }
    }
    const mine = await ask(server.port, "/metrics", { ...own, origin: `http://127.0.0.1:${server.port}`, "sec-fetch-site": "same-origin" });
    assert.equal(mine.status, 200);
  });

  it("has nothing as a part of itself, and no link of it leads to data", async () => {
    for (const site of ["cross-site", "same-site"]) {
      for (const path of paths()) {
        for (const [mode, dest] of [["no-cors", "image"], ["no-cors", "script"], ["no-cors", "style"], ["navigate", "iframe"], ["navigate", "document"]]) {
          const answer = await ask(server.port, path, { "sec-fetch-site": site, "sec-fetch-mode": mode, "sec-fetch-dest": dest });
          assert.equal(answer.status, 403, `${path} ${dest}`);
        }
      }
    }
    const direct = await ask(server.port, paths()[0], { "sec-fetch-site": "none", "sec-fetch-mode": "navigate", "sec-fetch-dest": "document" });
    assert.equal(direct.status, 200);
    assert.equal(direct.headers["cross-origin-resource-policy"], "same-origin");
  });

  it("may call if the user says so", async () => {
    const origin = "http://localhost:5173";
    const open = await serveHttp(["--http-origins", "HTTP://localhost:5173/"]);
    const answer = await ask(open.port, "/metrics", { origin, "sec-fetch-site": "cross-site", "sec-fetch-mode": "cors" });
    assert.equal(answer.status, 200);
    assert.equal(answer.headers["access-control-allow-origin"], origin);
    assert.equal((await ask(open.port, "/metrics", { origin: "http://localhost:5174" })).status, 403);
    assert.deepEqual(await open.stop(), well);
  });
});
