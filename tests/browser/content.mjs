// A workspace with a file of every kind, for the tests of the viewer's content pages.
import { deflateSync, crc32 } from "node:zlib";

// A picture of one colour.
export function png(width, height, [r, g, b]) {
  const row = Buffer.from([0, ...Array.from({ length: width }, () => [r, g, b]).flat()]);
  const chunk = (name, data) => {
    const body = Buffer.concat([Buffer.from(name), data]);
    const out = Buffer.alloc(body.length + 8);
    out.writeUInt32BE(data.length, 0);
    body.copy(out, 4);
    out.writeUInt32BE(crc32(body), body.length + 4);
    return out;
  };
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 2, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from("\x89PNG\r\n\x1a\n", "latin1"),
    chunk("IHDR", head),
    chunk("IDAT", deflateSync(Buffer.concat(Array.from({ length: height }, () => row)))),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

// A tenth of a second of silence.
function wav() {
  const samples = Buffer.alloc(1600);
  const head = Buffer.alloc(44);
  head.write("RIFF", 0);
  head.writeUInt32LE(36 + samples.length, 4);
  head.write("WAVEfmt ", 8);
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(1, 22);
  head.writeUInt32LE(8000, 24);
  head.writeUInt32LE(16000, 28);
  head.writeUInt16LE(2, 32);
  head.writeUInt16LE(16, 34);
  head.write("data", 36);
  head.writeUInt32LE(samples.length, 40);
  return Buffer.concat([head, samples]);
}

const pdf = `%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 200]>>endobj
trailer<</Root 1 0 R>>
`;

export const kitchen = `---
title: Kitchen sink
tags: [markdown, test]
---
# Kitchen sink

A note[^1], **bold**, ~~gone~~, $e = mc^2$ and \`mcp://backlog/board\`.

## A table

| Name | Count |
|:-----|------:|
| one  | 1     |

## Tasks

- [x] done
- [ ] open, see [the guide](guide.md#second)

\`\`\`ts
// Says hello
export function hello(name: string): string {
  return name;
}
\`\`\`

\`\`\`mermaid
graph LR
  A[Client] --> B(Engine)
\`\`\`

\`\`\`mermaid
this is no diagram
\`\`\`

![Red](../media/red.png)
![Remote](https://images.example/x.png)

<details><summary>More</summary>

Hidden **text**.

</details>

[web](https://web.example/), [mail](mailto:a@b.example), [line](../src/shop.ts#L5), [root](/README.md)

[^1]: The note.
`;

const rows = Array.from({ length: 3000 }, (_, i) => `${i},"Name, ${i % 7}",${(i * 37) % 1000},"said ""hi"""`);

export const files = {
  "README.md": "# Shop\n\nSells things.\n",
  "docs/kitchen.md": kitchen,
  "docs/guide.md": `# Guide\n\n${"First.\n\n".repeat(60)}## Second\n\nHere.\n`,
  "src/shop.ts":
    'import { Price } from "./price";\n\n// What is sold.\nexport class Shop {\n  sell(name: string): Price {\n    return new Price(name);\n  }\n}\n\nexport function open(): Shop {\n  return new Shop();\n}\n',
  "src/price.ts": "export class Price {\n  constructor(readonly name: string) {}\n}\n",
  "src/broken.py": "def f(:\n    pass\n",
  "src/long.c": Array.from({ length: 60_000 }, (_, i) => `int f${i}(int a) { return a * ${i}; }`).join("\n"),
  "data/people.csv": `id,name,amount,note\n${rows.join("\n")}\n`,
  "data/tree.json": JSON.stringify({ name: "lode", list: Array.from({ length: 500 }, (_, id) => ({ id, ok: id % 2 === 0 })), nested: { "a key": null } }),
  "data/broken.json": '{"a": 1,\n "b": }',
  "media/red.png": png(60, 40, [200, 30, 30]),
  "media/logo.svg":
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8" width="80" height="80"><rect width="8" height="8" fill="teal"/><script>top.pwned = 1</script></svg>',
  "media/tone.wav": wav(),
  "media/paper.pdf": pdf,
  "media/blob.bin": Buffer.from(Array.from({ length: 2000 }, (_, i) => (i * 7) % 256)),
  "notes.txt": "Only words.\n",
  "package.json": JSON.stringify({ name: "shop", description: "Sells things.", scripts: { build: "tsc" }, dependencies: { lit: "^3.1.0" } }),
  ".lode/elements/persona/reviewer.md":
    "---\nname: Code Reviewer\ndescription: Reviews changes with care\ntags: [review]\n---\nYou look for races.\n",
  ".lode/elements/agent/checker.md": "---\nname: Checker\ndescription: Checks changes\npersona: reviewer\n---\nCheck.\n",
  ".lode/elements/persona/broken.md": "---\nname: [unclosed\n---\nx\n",
  ".lode/skills/pdf/SKILL.md": "---\nname: pdf\ndescription: Reads PDFs.\nlicense: MIT\n---\n# PDF\n\nUse [the script](scripts/run.sh).\n",
  ".lode/skills/pdf/scripts/run.sh": "echo run\n",
};

export const file = (path) => `mcp://backlog/resources/${path}`;
