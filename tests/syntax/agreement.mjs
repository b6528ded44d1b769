// How far our outlines of real sources agree with universal-ctags, on functions,
// methods, classes, interfaces, enums and types.
//
//   node agreement.mjs TAGS [--differences N [LANGUAGE…]]
//
// TAGS: the program lode_syntax_tags. The sources are those that Debian's packages and
// npm's bring (tools/setup). A symbol agrees if ctags has one of its name on its line.
// Recall: the share of what ctags finds that we find; precision: the share of ours that
// ctags has. Of JavaScript and TypeScript ctags knows too little to be asked alone: there
// the TypeScript compiler says which of its finds count, and may know ours in its place.
// Of C and C++ ctags reads one branch of each conditional, and takes macros that are used
// for functions: what looks like a macro is left out, and ours may be among what it finds
// in the text without its directives.
// --differences lists N of the others of each language, drawn by the hash of their text.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { createRequire } from 'node:module'
import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

const kBytesPerLanguage = 3_000_000
const kFileBytes = 1_000_000
const kOurs = new Set([
  'function', 'method', 'constructor', 'class', 'struct', 'union', 'interface', 'trait', 'enum', 'type',
])

const repository = fileURLToPath(new URL('../..', import.meta.url))
const modules = (...names) => names.map((name) => join(repository, 'tests/node_modules', name))
const unpacked = (folder) => join(repository, 'build/sources', folder)
const grammars = join(repository, 'src/syntax/grammars/node_modules')

// id, ctags' name of it and its kinds, where sources are, what their names end with, and
// how much must agree: over all files, and over those without a syntax error.
const kLanguages = [
  {
    id: 'c', ctags: 'C', kinds: 'fgstup', ends: ['.c', '.h'], macros: true, recall: 0.93, clean: 0.98,
    in: ['/usr/include/linux', '/usr/include/asm-generic', join(grammars, 'tree-sitter/vendor'),
      join(grammars, '@tree-sitter-grammars'), join(grammars, 'tree-sitter-html/src')],
  },
  {
    id: 'cpp', ctags: 'C++', kinds: 'fgstucp', ends: ['.cc', '.cpp', '.h', '.hpp'], macros: true, recall: 0.93, clean: 0.98,
    in: ['boost/asio', 'boost/beast', 'boost/container', 'boost/json', 'boost/url', 'CLI', 'fmt', 'prometheus', 're2', 'toml++']
      .map((folder) => join('/usr/include', folder)).concat('/usr/src/googletest'),
  },
  { id: 'python', ctags: 'Python', kinds: 'cfm', ends: ['.py'], in: [unpacked('usr/lib/python3.11')] },
  {
    id: 'javascript', ctags: 'JavaScript', kinds: 'fcmg', ends: ['.js', '.mjs', '.cjs'], compiler: true,
    in: modules('ajv', 'body-parser', 'commander', 'express', 'graceful-fs', 'hono', 'iconv-lite', 'picomatch', 'pino',
      'postcss', 'qs', 'react-reconciler', 'send', 'undici', 'ws', 'yaml'),
  },
  {
    id: 'typescript', ctags: 'TypeScript', kinds: 'fcigma', ends: ['.ts', '.mts'], compiler: true,
    in: modules('@modelcontextprotocol', 'ajv/lib', 'zod/src'),
  },
  { id: 'go', ctags: 'Go', kinds: 'ftsina', ends: ['.go'], in: [unpacked('usr/share/gocode')] },
  { id: 'rust', ctags: 'Rust', kinds: 'sifgtP', ends: ['.rs'], in: [unpacked('usr/share/cargo')] },
  {
    id: 'java', ctags: 'Java', kinds: 'acgim', ends: ['.java'],
    in: [join(repository, 'tests/syntax/sources/node_modules')],
  },
]
const kRecall = 0.98
const kPrecision = 0.95

function* files(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) yield* files(path)
    else if (entry.isFile()) yield path
  }
}

// A path without what differs between machines.
const shown = (path) => (path.startsWith(repository) ? relative(repository, path) : path)
const hash = (text) => createHash('sha256').update(text).digest('hex')

// The files of a language that are looked at: drawn by the hash of their path, until
// they are long enough together.
function draw(language) {
  const found = language.in
    .flatMap((folder) => [...files(folder)])
    .filter((path) => language.ends.some((end) => path.endsWith(end)) && !path.endsWith('.min.js'))
    .filter((path) => statSync(path).size < kFileBytes)
    .map((path) => ({ path, order: hash(shown(path)) }))
    .sort((a, b) => (a.order < b.order ? -1 : 1))
  let bytes = 0
  return found.map(({ path }) => path).filter((path) => {
    if (bytes > kBytesPerLanguage) return false
    bytes += statSync(path).size
    return true
  })
}

// Map of path to { symbols: [{ name, line, kind }], problems }.
function ourSymbols(program, language, paths) {
  const out = execFileSync(program, [language.id], { input: paths.join('\n') + '\n', maxBuffer: 1 << 28 })
  const found = new Map()
  let file = null
  for (const line of out.toString().split('\n')) {
    const [first, second, third] = line.split('\t')
    if (first === 'file') found.set(second, (file = { symbols: [], problems: Number(third) }))
    else if (kOurs.has(first)) file.symbols.push({ name: second, line: Number(third), kind: first })
  }
  return found
}

function ctagsSymbols(language, paths) {
  const out = execFileSync('ctags', [
    '--quiet', '--options=NONE', '-f', '-', '--sort=no', '--excmd=number', '--fields=nK',
    `--language-force=${language.ctags}`, `--kinds-${language.ctags}=${language.kinds}`, '-L', '-',
  ], { input: paths.join('\n') + '\n', maxBuffer: 1 << 28 })
  const found = new Map(paths.map((path) => [path, []]))
  for (const line of out.toString().split('\n')) {
    const [name, path, , kind, place] = line.split('\t')
    // What has no name, ctags names itself.
    if (place === undefined || name.startsWith('__anon') || name.startsWith('anonymousFunction') ||
        name.startsWith('AnonymousFunction')) continue
    found.get(path).push({ name, line: Number(place.replace('line:', '')), kind })
  }
  return found
}

// What ctags finds in the files without their directives: every branch of them.
function ctagsWithoutDirectives(language, paths) {
  const folder = mkdtempSync(join(tmpdir(), 'lode-agreement-'))
  try {
    const copies = paths.map((path, i) => {
      const copy = join(folder, `${i}${path.slice(path.lastIndexOf('.'))}`)
      writeFileSync(copy, readFileSync(path, 'latin1').replace(/^[ \t]*#(?:[^\n]*\\\r?\n)*[^\n]*/gm, (text) => text.replace(/[^\r\n]/g, ' ')), 'latin1')
      return copy
    })
    const found = ctagsSymbols(language, copies)
    return new Map(paths.map((path, i) => [path, found.get(copies[i])]))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

// What the TypeScript compiler says is in a file. ctags knows little of JavaScript
// since 2015 and takes other things for classes: of what it finds we must have what the
// compiler confirms, and of what we find one of the two must have it.
function compilerSymbols(paths) {
  const ts = createRequire(new URL('./sources/package.json', import.meta.url))('typescript')
  const found = new Map()
  for (const path of paths) {
    const source = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true)
    const symbols = []
    const add = (name) => symbols.push({
      name: ts.isStringLiteralLike(name) ? name.text : name.getText(source),
      line: source.getLineAndCharacterOfPosition(name.getStart(source)).line + 1,
    })
    const defines = (node) => node && (ts.isFunctionExpression(node) || ts.isArrowFunction(node) || ts.isClassExpression(node))
    const visit = (node) => {
      if (ts.isConstructorDeclaration(node)) {
        const token = node.getChildren(source).find((child) => child.kind === ts.SyntaxKind.ConstructorKeyword)
        symbols.push({ name: 'constructor', line: source.getLineAndCharacterOfPosition(token.getStart(source)).line + 1 })
      } else if (node.name && (ts.isFunctionLike(node) || ts.isClassLike(node) || ts.isInterfaceDeclaration(node) ||
          ts.isEnumDeclaration(node) || ts.isTypeAliasDeclaration(node))) {
        add(node.name)
      } else if (node.name && defines(node.initializer)) {
        add(node.name)
      } else if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.EqualsToken && defines(node.right)) {
        add(ts.isPropertyAccessExpression(node.left) ? node.left.name : node.left)
      } else if ((ts.isFunctionDeclaration(node) || ts.isClassDeclaration(node) || ts.isExportAssignment(node)) && !node.name) {
        symbols.push({ name: 'default', line: source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1 })
      }
      ts.forEachChild(node, visit)
    }
    visit(source)
    found.set(path, symbols)
  }
  return found
}

const key = ({ name, line }) => `${line} ${name.replace(/[\s'"]+/g, '')}`

// The differences of one file: what ctags has and we miss, if it counts; and what we
// have, but neither ctags nor who else was asked.
function compare({ theirs, ours, more, counts }) {
  const index = (symbols) => new Map(symbols.map((symbol) => [key(symbol), symbol]))
  const mine = index(ours)
  const others = index(theirs.filter((symbol) => counts(symbol) || mine.has(key(symbol))))
  const known = index([...theirs, ...more])
  const without = (symbols, those) => [...symbols].filter(([name]) => !those.has(name)).map(([, symbol]) => symbol)
  return { theirs: others.size, ours: mine.size, missed: without(others, mine), extra: without(mine, known) }
}

function agreement(program, language) {
  const ours = ourSymbols(program, language, draw(language))
  const theirs = ctagsSymbols(language, [...ours.keys()])
  const compiler = language.compiler ? compilerSymbols([...ours.keys()]) : null
  const again = language.macros ? ctagsWithoutDirectives(language, [...ours.keys()]) : null
  const sums = { all: { files: 0, theirs: 0, missed: 0, ours: 0, extra: 0 },
    clean: { files: 0, theirs: 0, missed: 0, ours: 0, extra: 0 } }
  const differences = []
  for (const [path, { symbols, problems }] of ours) {
    const counts = compiler ? new Set(compiler.get(path).map(key)) : null
    const result = compare({
      theirs: theirs.get(path),
      ours: symbols,
      more: compiler?.get(path) ?? again?.get(path) ?? [],
      counts: (symbol) => counts?.has(key(symbol)) ?? !(language.macros && /^[A-Z0-9_]+_?[a-z0-9]*_?$/.test(symbol.name) && /[A-Z]_|[A-Z]{3}/.test(symbol.name)),
    })
    for (const sum of problems === 0 ? [sums.all, sums.clean] : [sums.all]) {
      sum.files += 1
      sum.theirs += result.theirs
      sum.ours += result.ours
      sum.missed += result.missed.length
      sum.extra += result.extra.length
    }
    for (const [side, list] of [['missed', result.missed], ['extra', result.extra]]) {
      for (const { name, line, kind } of list) {
        differences.push({ side, kind, name, line, path: shown(path), problems })
      }
    }
  }
  const share = (part, whole) => (whole === 0 ? 1 : 1 - part / whole)
  for (const sum of Object.values(sums)) {
    sum.recall = share(sum.missed, sum.theirs)
    sum.precision = share(sum.extra, sum.ours)
  }
  differences.sort((a, b) => (hash(JSON.stringify(a)) < hash(JSON.stringify(b)) ? -1 : 1))
  return { ...sums, differences }
}

const percent = (share) => `${(100 * share).toFixed(2)} %`
let failed = false
const [program, option, count, ...only] = process.argv.slice(2)
for (const language of kLanguages) {
  if (only.length > 0 && !only.includes(language.id)) continue
  const { all, clean, differences } = agreement(program, language)
  const tell = (name, sum, recall, precision) => {
    const enough = sum.recall >= recall && sum.precision >= precision && sum.files > 0
    if (!enough) failed = true
    console.log(`${language.id}, ${name}: ${sum.files} files, ctags ${sum.theirs}, ours ${sum.ours}, ` +
      `recall ${percent(sum.recall)}, precision ${percent(sum.precision)}${enough ? '' : ': too little'}`)
  }
  tell('all', all, language.recall ?? kRecall, kPrecision)
  if (language.clean) tell('without syntax errors', clean, language.clean, 0)
  if (option !== '--differences') continue
  for (const { side, kind, name, line, path, problems } of differences.slice(0, Number(count))) {
    console.log(`  ${side}\t${kind}\t${name}\t${path}:${line}${problems > 0 ? `\t(${problems} problems)` : ''}`)
  }
}
process.exit(failed ? 1 : 0)
