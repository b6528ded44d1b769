// A large tree of real sources: what Debian's packages and npm's bring (tools/setup).
//
// Each text once, since an outline is kept by the text; what machines made (texts over 1 MB,
// or with lines of more than 200 bytes on average) and what is no UTF-8 is left out.
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, extname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const repository = fileURLToPath(new URL('../..', import.meta.url));
const kMostBytes = 1_000_000;
const kLineBytes = 200;

const boost = ['algorithm', 'asio', 'beast', 'container', 'geometry', 'graph', 'interprocess', 'intrusive', 'json', 'math',
  'multiprecision', 'numeric', 'regex', 'spirit', 'thread', 'url'];

// By language: where its sources are, and what their names end with.
export const sources = {
  c: { ends: ['.c', '.h'], in: ['/usr/include/linux', '/usr/include/asm-generic',
    join(repository, 'src/syntax/grammars/node_modules/tree-sitter/vendor')] },
  cpp: { ends: ['.hpp', '.ipp', '.cc', '.cpp', '.h'], in: ['/usr/include/CLI', '/usr/include/fmt', '/usr/include/re2',
    '/usr/include/toml++', ...boost.map((part) => join('/usr/include/boost', part))] },
  python: { ends: ['.py'], in: [join(repository, 'build/sources/usr/lib/python3.11')] },
  javascript: { ends: ['.js', '.mjs', '.cjs'], in: [join(repository, 'tests/node_modules')] },
  typescript: { ends: ['.ts', '.mts', '.cts'], in: [join(repository, 'tests/node_modules')] },
  go: { ends: ['.go'], in: [join(repository, 'build/sources/usr/share/gocode')] },
  rust: { ends: ['.rs'], in: [join(repository, 'build/sources/usr/share/cargo')] },
  java: { ends: ['.java'], in: [join(repository, 'tests/syntax/sources/node_modules')] },
};

const hash = (bytes) => createHash('sha256').update(bytes).digest('hex');

function* filesBelow(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory() && !/^node-linux-/.test(entry.name)) yield* filesBelow(path);
    else if (entry.isFile()) yield path;
  }
}

// The text of a source that belongs into the tree; nothing: it does not.
function textOf(path) {
  const bytes = readFileSync(path);
  if (bytes.length === 0 || bytes.length > kMostBytes || bytes.includes(0)) return undefined;
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    const lines = text.split('\n').length;
    return bytes.length <= kLineBytes * lines ? { bytes, lines } : undefined;
  } catch {
    return undefined;
  }
}

// [{path (in the tree), language, lines, bytes}]. No directory of it is called node_modules,
// which a workspace may leave out.
export function makeTree(folder) {
  rmSync(folder, { recursive: true, force: true });
  const files = [];
  const seen = new Set();
  for (const [language, { ends, in: folders }] of Object.entries(sources)) {
    for (const from of folders.flatMap((source) => [...filesBelow(source)].sort())) {
      if (!ends.includes(extname(from))) continue;
      const text = textOf(from);
      if (!text || seen.size === seen.add(hash(text.bytes)).size) continue;
      const path = join(language, relative(from.startsWith('/usr') ? '/usr' : repository, from))
        .replaceAll('node_modules', 'modules');
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text.bytes);
      files.push({ path, language, lines: text.lines, bytes: text.bytes.length });
    }
  }
  return files;
}

// Twenty files whose tokens are counted, drawn by the hash of their paths: of 200 to 2,000 lines,
// three of each of the first four languages and two of the others. Declarations that the
// TypeScript compiler wrote are no sources.
export function draw(files) {
  return Object.keys(sources).flatMap((language, i) => files
    .filter((file) => file.language === language && file.lines >= 200 && file.lines <= 2_000 && !/\.d\.[cm]?ts$/.test(file.path))
    .sort((a, b) => (hash(a.path) < hash(b.path) ? -1 : 1))
    .slice(0, i < 4 ? 3 : 2));
}
