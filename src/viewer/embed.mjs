// Makes a part of the program of the viewer.
//
//   node embed.mjs WEB OUT
//
// Builds WEB/dist, if its sources are others than those that it was built from, compresses each
// file of it, and writes OUT/viewer_assets.cc: the bytes, and the table of src/viewer/viewer.h.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join, relative } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";

const [web, out] = process.argv.slice(2);
const dist = join(web, "dist");
const stamp = join(web, "node_modules/.lode-built");
const madeHere = new Set(["node_modules", "dist"]);
// What is compressed already, or so short that it is not worth it.
const compressed = /\.(png|jpe?g|webp|gif|ico|woff2?)$/;
const shortest = 256;

const hash = (bytes) => createHash("sha256").update(bytes).digest("hex").slice(0, 32);

function filesBelow(directory) {
  return readdirSync(directory, { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(directory, entry.name);
      return entry.isDirectory() ? filesBelow(path) : [path];
    });
}

function sources() {
  const names = readdirSync(web, { withFileTypes: true }).filter(({ name }) => !madeHere.has(name));
  const files = names.flatMap((entry) => {
    const path = join(web, entry.name);
    return entry.isDirectory() ? filesBelow(path) : [path];
  });
  return hash(files.map((path) => `${relative(web, path)} ${hash(readFileSync(path))}\n`).join(""));
}

// Two build trees share one dist: what one has built the other need not.
function build() {
  const wanted = sources();
  const known = existsSync(stamp) ? readFileSync(stamp, "utf8") : "";
  if (known === wanted && existsSync(join(dist, "index.html"))) return;
  rmSync(stamp, { force: true });
  const PATH = [dirname(process.execPath), process.env.PATH].join(delimiter);
  const built = spawnSync(process.execPath, ["--run", "build"], { cwd: web, env: { ...process.env, PATH }, encoding: "utf8" });
  if (built.status !== 0) {
    console.error(`building ${web} failed\n${built.stdout}${built.stderr}`);
    process.exit(1);
  }
  writeFileSync(stamp, wanted);
}

// Writes a form of a file under the name of its bytes, once; answers that name and the length.
function keep(name, make) {
  const path = join(out, "assets", name);
  if (!existsSync(path)) writeFileSync(path, make());
  return { path, size: readFileSync(path).length };
}

function formsOf(bytes, path) {
  const name = hash(bytes);
  const plain = keep(name, () => bytes);
  if (compressed.test(path) || bytes.length < shortest) return [plain, null, null];
  const best = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
  const gzip = keep(`${name}.gz`, () => gzipSync(bytes, { level: constants.Z_BEST_COMPRESSION }));
  const brotli = keep(`${name}.br`, () => brotliCompressSync(bytes, { params: best }));
  return [plain, ...[gzip, brotli].map((form) => (form.size < bytes.length ? form : null))];
}

function write(assets) {
  const forms = assets.flatMap((asset) => asset.forms).filter(Boolean);
  forms.forEach((form, i) => (form.symbol = `lode_viewer_asset_${i}`));
  const data = forms.map(({ symbol, path }) => `.globl ${symbol}\n.balign 16\n${symbol}:\n.incbin ${JSON.stringify(path)}\n`);
  const view = (form) => (form ? `{${form.symbol}, ${form.size}}` : "{}");
  const rows = assets.map(({ path, forms: all }) => `    {${JSON.stringify(path)}, ${all.map(view).join(", ")}},\n`);
  writeFileSync(
    join(out, "viewer_assets.cc"),
    `#include "viewer/viewer.h"\n\nasm(R"(\n.pushsection .rodata\n${data.join("")}.popsection\n)");\n\nextern "C" {\n${forms.map(({ symbol }) => `extern const char ${symbol}[];\n`).join("")}}\n\n` +
      `namespace lode {\nnamespace {\n\nconst ViewerAsset kAssets[] = {\n${rows.join("")}};\n\n}  // namespace\n\n` +
      "std::span<const ViewerAsset> viewer_assets() { return kAssets; }\n\n}  // namespace lode\n",
  );
}

build();
mkdirSync(join(out, "assets"), { recursive: true });
const assets = filesBelow(dist)
  .filter((path) => !path.endsWith(".map") && readFileSync(path).length > 0)
  .map((path) => ({ path: relative(dist, path), forms: formsOf(readFileSync(path), path) }));
write(assets);
