// Whether a search for the exact name of a type finds it, and whether what a search gives
// out can be read.
//
//   LODE=PROGRAM node type_names.mjs [--misses] [TREE…]
//
// Without trees: sources in Python, Go and Java that Debian's packages and npm's bring
// (tools/setup). The types are found by a pattern of each language, not by our outlines;
// 50 of each language, or what there is, are drawn by the hash of their names. A name that
// one definition alone has must lead to it: the definition is to be among the first five
// hits for 90 % of these names. Of all hits of such searches 2,000 are drawn likewise, and
// each must be readable. --misses lists the names that are not found so.
import { createHash } from 'node:crypto'
import { cpSync, mkdtempSync, readFileSync, readdirSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { connect, program } from '../integration/support.mjs'

const kNames = 50
const kFirst = 5
const kShare = 0.9
const kReads = 2000
const kHits = 100
const kIndexed = 600_000 // milliseconds until all is indexed, at most

const repository = fileURLToPath(new URL('../..', import.meta.url))
const kTrees = [
  'build/sources/usr/lib/python3.11',
  'build/sources/usr/share/gocode',
  'tests/syntax/sources/node_modules/@capacitor',
  'tests/syntax/sources/node_modules/cordova-android',
].map((path) => join(repository, path))

// Types that are in no other; all types, to know which names are unique.
const kLanguages = {
  '.py': { outer: /^class +(\w+)/gm, any: /^\s*class +(\w+)/gm },
  '.go': { outer: /^type +(\w+)(?:\[[^\]]*\])? +[^=\s]/gm, any: /^\s*(?:type +)?(\w+) +(?:struct|interface)\b/gm },
  '.java': {
    outer: /^(?:(?:public|abstract|final|sealed) +)*(?:class|interface|enum|record) +(\w+)/gm,
    any: /^\s*(?:\w+ +)*(?:class|interface|enum|record) +(\w+)/gm,
  },
}

const hash = (text) => createHash('sha256').update(`lode ${text}`).digest('hex')
const byHash = (items) => [...items].sort((a, b) => (hash(a) < hash(b) ? -1 : 1))

function * filesBelow (directory) {
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    const path = join(directory, entry.name)
    if (entry.isDirectory()) yield * filesBelow(path)
    else if (entry.isFile()) yield path
  }
}

const matches = (pattern, text) => [...text.matchAll(pattern)].map((match) => match[1])

// language → name → a file that defines it.
function typesBelow (root) {
  const types = {}
  const counts = new Map()
  for (const file of filesBelow(root)) {
    const ending = Object.keys(kLanguages).find((end) => file.endsWith(end))
    if (!ending) continue
    const text = readFileSync(file, 'utf8')
    const outer = matches(kLanguages[ending].outer, text)
    for (const name of new Set([...outer, ...matches(kLanguages[ending].any, text)])) {
      counts.set(name, (counts.get(name) ?? 0) + 1)
    }
    types[ending] ??= new Map()
    for (const name of outer) types[ending].set(name, relative(root, file))
  }
  return { types, unique: (name) => counts.get(name) === 1 }
}

async function main (args) {
  const showMisses = args.includes('--misses')
  const trees = args.filter((arg) => !arg.startsWith('--'))
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'lode-names-')))
  const root = join(base, 'work')
  const sources = trees.length > 0 ? trees : kTrees
  for (const [i, tree] of sources.entries()) cpSync(tree, join(root, `tree${i}`), { recursive: true })

  const server = await connect(program, ['serve', '--workspace', root, '--resources-enabled=true', '--log-level=error'],
    { PATH: process.env.PATH, HOME: base, XDG_STATE_HOME: join(base, 'state') })
  const read = (uri) => server.request('resources/read', { uri })
  const search = async (query) => {
    const answer = await read(`lode://search?q=${encodeURIComponent(query)}&kinds=symbol&limit=${kHits}`)
    return JSON.parse(answer.result.contents[0].text)
  }
  for (const until = Date.now() + kIndexed; (await search('x')).incomplete;) {
    if (Date.now() > until) throw new Error('the index is not whole')
    await new Promise((resolve) => setTimeout(resolve, 500))
  }

  const { types, unique } = typesBelow(root)
  const failures = []
  const hits = new Set()
  for (const [language, names] of Object.entries(types)) {
    let found = 0
    let asked = 0
    for (const name of byHash(names.keys()).slice(0, kNames)) {
      const answer = await search(name)
      for (const hit of answer.hits) hits.add(hit.uri)
      if (!unique(name)) continue
      asked += 1
      const file = `resource://file/${encodeURI(names.get(name))}/source?symbol=`
      const at = answer.hits.findIndex((hit) => hit.uri.startsWith(file) && hit.title.split('.').pop() === name)
      if (at >= 0 && at < kFirst) found += 1
      else if (showMisses) console.log(`  ${name}: ${at < 0 ? 'not found' : `at ${at + 1}`}, first ${answer.hits[0]?.uri}`)
    }
    console.log(`${language}: ${found} of ${asked} unique names among the first ${kFirst}`)
    if (found < kShare * asked) failures.push(`${language}: fewer than ${100 * kShare} %`)
  }

  const drawn = byHash(hits).slice(0, kReads)
  let unreadable = 0
  for (const uri of drawn) {
    const answer = await read(uri)
    if (answer.result?.contents?.[0]?.text) continue
    unreadable += 1
    if (unreadable <= 10) console.log(`  ${uri}: ${JSON.stringify(answer.error ?? answer.result)}`)
  }
  console.log(`${drawn.length - unreadable} of ${drawn.length} hits can be read`)
  if (unreadable > 0 || drawn.length < kReads) failures.push('not every hit can be read, or there are too few')
  await server.stop()
  rmSync(base, { recursive: true })
  for (const failure of failures) console.log(`FAILED: ${failure}`)
  return failures.length === 0 ? 0 : 1
}

process.exit(await main(process.argv.slice(2)))
