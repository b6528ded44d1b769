// The pages of files, code, projects and elements in a browser.
import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { file, files, png } from "./content.mjs";
import { audit, closeBrowser, equals, start, until } from "./harness.mjs";

after(closeBrowser);

const uriOf = (page) => new URL(page.url()).searchParams.get("uri") ?? "";
const paneOf = (page) => new URL(page.url()).searchParams.get("pane") ?? "";
const nodes = (page) => page.evaluate(() => document.querySelectorAll("*").length);

let app;
let page;
before(async () => {
  app = await start({ files, git: true });
  page = await app.owner();
});
after(() => app.stop());

describe("source", () => {
  it("is highlighted, with an outline that jumps and references beside", async () => {
    await page.at(file("src/shop.ts"));
    await page.locator(".code .tok-keyword", { hasText: "class" }).waitFor();
    await page.locator(".outline").getByRole("link", { name: "sell" }).click();
    await page.locator(".code-row.marked", { hasText: "sell(name" }).waitFor();
    assert.equal(uriOf(page), `${file("src/shop.ts")}#L5`);
    await page.at(`${file("src/price.ts")}#L1`);
    await page.getByRole("heading", { name: "Where Price is used" }).waitFor();
    await page.locator(".references").getByRole("link", { name: "6 return new Price(name);" }).click();
    await page.locator(".beside .code-row.marked", { hasText: "new Price" }).waitFor();
    assert.equal(paneOf(page), `${file("src/shop.ts")}#L6`);
    // Beside there is no room for an outline, unless it is asked for.
    await page.locator(".beside").getByRole("button", { name: "Outline" }).click();
    await page.locator(".beside summary", { hasText: "Imports" }).click();
    await page.locator(".beside .import-list").getByRole("link", { name: "./price" }).waitFor();
  });

  it("goes to a line that is typed, clicked or shared", async () => {
    await page.at(`${file("src/shop.ts")}#L3-L6`);
    await equals(() => page.locator(".code-row.marked").count(), 4);
    await page.getByRole("textbox", { name: "Line", exact: true }).fill("11");
    await page.keyboard.press("Enter");
    await page.locator(".code-row.marked", { hasText: "new Shop" }).waitFor();
    await page.getByRole("link", { name: "Line 9", exact: true }).click({ modifiers: ["Shift"] });
    await equals(async () => uriOf(page), `${file("src/shop.ts")}#L9-L11`);
    const editor = await page.getByRole("link", { name: "Open in editor" }).getAttribute("href");
    assert.match(editor, /^vscode:\/\/file\/.*src\/shop\.ts:9$/);
  });

  it("follows an edit from outside", async () => {
    await page.at(`${file("src/price.ts")}#L2`);
    await page.locator(".code-row.marked", { hasText: "constructor" }).waitFor();
    app.write("src/price.ts", `${files["src/price.ts"]}export const tax = 7;\n`);
    await page.locator(".code-row", { hasText: "tax = 7" }).waitFor();
    await page.locator(".outline").getByRole("link", { name: "tax" }).waitFor();
    assert.equal(await page.locator(".code-row.marked", { hasText: "constructor" }).count(), 1);
  });

  it("draws only what is seen of a long file", async () => {
    await page.at(`${file("src/long.c")}#L50000`);
    await page.locator(".code-row.marked", { hasText: "f49999(" }).waitFor();
    assert.ok((await nodes(page)) < 1500, `${await nodes(page)} nodes`);
    await page.locator(".code").evaluate((one) => {
      one.scrollTop = one.scrollHeight;
    });
    await page.locator(".code-row", { hasText: "f59999(" }).waitFor();
    assert.ok((await nodes(page)) < 1500, `${await nodes(page)} nodes`);
  });

  it("shows a symbol alone, with the numbers that its lines have", async () => {
    await page.at("resource://file/src/shop.ts/source?symbol=Shop.sell");
    await page.locator(".code-row", { hasText: "sell(name" }).waitFor();
    await equals(() => page.locator(".line-number").allTextContents(), ["5", "6", "7"]);
    await page.getByRole("link", { name: "All of src/shop.ts" }).click();
    await page.locator(".code-row.marked", { hasText: "sell(" }).waitFor();
  });

  it("has a page for each aspect", async () => {
    const shows = async (aspect, text) => {
      await page.at(`resource://file/src/${aspect}`);
      await page.locator("main .page", { hasText: text }).waitFor();
    };
    await shows("shop.ts/symbols", "sell(name: string): Price");
    await shows("shop.ts/structure", "class Shop (line 4)");
    await shows("shop.ts/imports", "./price");
    await shows("shop.ts/exports", "open");
    await shows("broken.py/diagnostics", "missing )");
    await shows("price.ts/references?symbol=Price", "imports it");
    await shows("shop.ts/ast", "program");
    await shows("shop.ts/query?expr=(class_declaration%20name:%20(_)%20@name)", "matches");
    await page.at("resource://file/src/shop.ts/symbols");
    await page.getByRole("link", { name: "open", exact: true }).click();
    await equals(async () => paneOf(page), `${file("src/shop.ts")}#L10`);
  });
});

describe("a project", () => {
  it("shows its summary, languages, commands, dependencies and tree", async () => {
    await page.at("resource://project/summary");
    await page.getByText("Sells things.").waitFor();
    assert.ok((await page.locator(".language-bar span").count()) > 1);
    await page.getByText("npm run build").waitFor();
    await page.getByText("lit ^3.1.0").waitFor();
    const src = page.locator(".tree summary", { hasText: "src" });
    await src.click();
    await page.locator(".tree").getByRole("link", { name: "shop.ts" }).click();
    await equals(async () => paneOf(page), file("src/shop.ts"));
    assert.equal(await page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: "Project" }).getAttribute("aria-current"), "page");
  });

  it("lists files by a glob", async () => {
    await page.at("resource://project/files");
    await page.getByRole("textbox", { name: "Files that fit" }).fill("*.ts");
    await page.keyboard.press("Enter");
    await equals(() => page.locator(".file-list a").allTextContents(), ["src/price.ts", "src/shop.ts"]);
    assert.equal(uriOf(page), "resource://project/files?pattern=*.ts");
  });
});

describe("a directory", () => {
  it("is a table that the keyboard walks", async () => {
    await page.at(file("src"));
    const names = () => page.locator(".directory tbody th").allTextContents();
    await equals(names, ["broken.py", "long.c", "price.ts", "shop.ts"]);
    await page.getByRole("button", { name: "Size" }).click();
    await page.getByRole("button", { name: "Size" }).click();
    await equals(async () => (await names())[0], "long.c");
    await page.locator(".directory tbody a").first().focus();
    await page.keyboard.press("End");
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("Enter");
    await until(() => paneOf(page) !== "", "the pane");
    await page.locator(".directory tbody a").first().focus();
    await page.keyboard.press("Backspace");
    await equals(async () => uriOf(page), "mcp://backlog/resources");
    await page.getByRole("region", { name: "README" }).getByRole("heading", { name: "Shop" }).waitFor();
    await page.getByRole("link", { name: "docs/" }).click();
    await equals(async () => uriOf(page), file("docs"));
  });

  it("follows files that come", async () => {
    await page.at(file("docs"));
    await page.getByRole("link", { name: "guide.md" }).waitFor();
    app.write("docs/fresh.md", "# Fresh\n");
    await page.getByRole("link", { name: "fresh.md" }).waitFor();
  });
});

describe("elements and skills", () => {
  it("have an overview, lists, and what is wrong", async () => {
    await page.at("capability-index://summary");
    await page.getByRole("link", { name: "1 Personas" }).waitFor();
    await page.getByRole("link", { name: "One problem with a file" }).click();
    await page.getByText("a list in '[' that is not closed").waitFor();
    await page.getByRole("link", { name: "persona/broken.md:2" }).click();
    await page.locator(".beside .code-row.marked", { hasText: "[unclosed" }).waitFor();
    await page.getByRole("searchbox", { name: "Search the elements" }).fill("review");
    await page.locator(".element-list").getByRole("link", { name: "Code Reviewer" }).click();
    await page.locator(".beside .element-about", { hasText: "Reviews changes with care" }).waitFor();
  });

  it("lead from one to another", async () => {
    await page.at("capability-index://elements/agent/checker");
    await page.getByRole("link", { name: "reviewer", exact: true }).click();
    await equals(async () => paneOf(page), "capability-index://elements/persona/reviewer");
  });

  it("show a skill with its files", async () => {
    await page.at("skill://pdf/SKILL.md");
    await page.getByText("Reads PDFs.").waitFor();
    await page.getByRole("link", { name: "the script" }).click();
    await equals(async () => paneOf(page), "skill://pdf/scripts/run.sh");
    await page.locator(".beside .code-row", { hasText: "echo run" }).waitFor();
    await page.getByRole("region", { name: "Files of the skill" }).getByRole("link", { name: "scripts" }).waitFor();
  });

  it("hear of elements that come", async () => {
    await page.at("capability-index://elements/persona");
    await page.getByText("1 element", { exact: true }).waitFor();
    app.write(".lode/elements/persona/poet.md", "---\nname: Poet\ndescription: Writes verses\n---\nYou rhyme.\n");
    await page.getByRole("link", { name: "Poet" }).waitFor();
  });
});

describe("files of other kinds", () => {
  it("shows images as they are or as they fit, and follows them", async () => {
    await page.at(file("media/red.png"));
    const image = page.getByRole("img", { name: "red.png" });
    await page.getByText("60 × 40").waitFor();
    assert.match(await image.getAttribute("src"), /^blob:/);
    await page.getByRole("button", { name: "Actual size" }).click();
    assert.equal(await page.getByRole("button", { name: "Actual size" }).getAttribute("aria-pressed"), "true");
    app.write("media/red.png", png(61, 41, [0, 200, 0]));
    await page.getByText("61 × 41").waitFor();
    await page.at(file("media/logo.svg"));
    await page.getByRole("img", { name: "logo.svg" }).waitFor();
    assert.equal(await page.evaluate(() => globalThis.pwned), undefined);
    await page.getByRole("button", { name: "Source" }).click();
    await page.locator(".code-row", { hasText: "top.pwned" }).waitFor();
    assert.equal(await page.evaluate(() => globalThis.pwned), undefined);
  });

  it("shows CSV as a table to sort and filter, a window of it at a time", async () => {
    await page.at(file("data/people.csv"));
    await page.getByText("3,000 rows, 4 columns.").waitFor();
    assert.ok((await nodes(page)) < 1500);
    await page.getByRole("button", { name: "amount" }).click();
    await page.getByRole("button", { name: "amount" }).click();
    const first = page.locator(".csv tbody tr:not(.gap)").first();
    await equals(() => first.locator("td").nth(2).textContent(), "999");
    assert.equal(uriOf(page), `${file("data/people.csv")}#sort=-amount`);
    await page.getByRole("searchbox", { name: "Filter the rows" }).fill("name, 3");
    await page.getByText(/^4\d\d of 3,000 rows/).waitFor();
    await page.locator(".csv").evaluate((one) => {
      one.scrollTop = one.scrollHeight;
    });
    assert.ok((await nodes(page)) < 1500);
  });

  it("folds JSON, finds in it, and copies the path of a value", async () => {
    await page.at(file("data/tree.json"));
    const tree = page.getByRole("tree");
    await tree.getByRole("treeitem", { name: "list: [ 500 entries ]" }).waitFor();
    await page.getByRole("searchbox", { name: "Search keys and values" }).fill("499");
    await page.keyboard.press("Enter");
    await tree.locator(".json-row.current", { hasText: "499" }).waitFor();
    await page.getByRole("button", { name: "Copy the path" }).click();
    await equals(() => page.evaluate(() => navigator.clipboard.readText()), "$.list[499]");
    await tree.focus();
    await page.keyboard.press("Home");
    await page.keyboard.press("ArrowLeft");
    await equals(() => tree.getByRole("treeitem").count(), 1);
    await page.keyboard.press("ArrowRight");
    await until(async () => (await tree.getByRole("treeitem").count()) > 3, "the entries");
    assert.ok((await nodes(page)) < 1500);
    await page.at(file("data/broken.json"));
    await page.getByText("This is no JSON").waitFor();
    await page.locator(".code-row.marked").waitFor();
  });

  it("leaves PDF and sound to the browser", async () => {
    await page.at(file("media/paper.pdf"));
    assert.match(await page.locator("iframe.pdf").getAttribute("src"), /^blob:/);
    await page.at(file("media/tone.wav"));
    await until(() => page.locator("audio").evaluate((one) => one.duration > 0), "the sound");
  });

  it("shows the beginning of bytes, to be saved, and text as text", async () => {
    await page.at(file("media/blob.bin"));
    await page.getByText("00000010").waitFor();
    const [saved] = await Promise.all([page.waitForEvent("download"), page.getByRole("link", { name: "Save" }).click()]);
    assert.equal(saved.suggestedFilename(), "blob.bin");
    await page.at(file("notes.txt"));
    await page.locator("pre.text", { hasText: "Only words." }).waitFor();
    await page.goto(`${app.url}/?uri=capability-index%3A%2F%2Fnothing`);
    await page.getByText("There is nothing at this address").waitFor();
  });
});

describe("activity", () => {
  it("draws the last hour and goes on drawing", async () => {
    await page.at("lode://activity");
    await page.getByRole("img", { name: /^Requests in the last hour/ }).waitFor();
    assert.equal(await page.locator(".chart").count(), 4);
    const requests = () => page.locator(".totals dd").first().textContent();
    const before = Number(await requests());
    for (let i = 0; i < 5; i += 1) await fetch(`${app.url}/mcp/resource?uri=capability-index://stats`);
    await until(async () => Number((await requests()).replaceAll(",", "")) >= before + 5, "more requests");
    await page.getByText("The numbers, minute by minute").click();
    assert.ok((await page.locator(".numbers tbody tr").count()) >= 1);
  });
});

describe("each page", () => {
  const pages = {
    source: `${file("src/shop.ts")}#L5`,
    symbols: "resource://file/src/shop.ts/symbols",
    references: "resource://file/src/price.ts/references?symbol=Price",
    project: "resource://project/summary",
    "project-files": "resource://project/files?pattern=*.ts",
    directory: file(""),
    elements: "capability-index://summary",
    "element-list": "capability-index://elements/persona",
    element: "capability-index://elements/agent/checker",
    problems: "capability-index://problems",
    skill: "skill://pdf/SKILL.md",
    image: file("media/red.png"),
    csv: file("data/people.csv"),
    json: file("data/tree.json"),
    bytes: file("media/blob.bin"),
    text: file("notes.txt"),
    activity: "lode://activity",
  };
  for (const [name, uri] of Object.entries(pages)) {
    it(`is in order for axe: ${name}`, async () => {
      await page.at(uri);
      await until(async () => (await page.getByText("Loading…").count()) === 0, "the page");
      await audit(page, name);
    });
  }
});
