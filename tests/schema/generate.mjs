// Writes pairs of a JSON Schema and an instance, with the verdict of ajv, as JSON
// lines {schema, instance, valid, keywords} to standard output; a count by
// keyword goes to standard error. See schemas.mjs for what ajv is not asked.
//
//   node generate.mjs [--seed=1] [--pairs=8000]
//
// Fails if a keyword has too few pairs, or the share of valid ones is lopsided.

import { writeSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { EDGES, Instances, NUMBERS, TEXTS } from './instances.mjs'
import { Random } from './random.mjs'
import { Schemas } from './schemas.mjs'

const FEWEST_OF_A_KEYWORD = 50
const LEAST_SHARE = 0.25
const CANDIDATES = 24 // instances tried for a schema
const OF_A_VERDICT = 2 // instances kept of each verdict
const SCHEMAS_OF_AN_AJV = 400 // ajv keeps what it compiled

function option(name, otherwise) {
  const given = process.argv.find(argument => argument.startsWith(`--${name}=`))
  return given ? Number(given.slice(name.length + 3)) : otherwise
}

const random = new Random(option('seed', 20201212))
const instances = new Instances(random)
const schemas = new Schemas(random, instances)
const keywords = schemas.keywords()

// The keywords that a schema uses, in it and below.
function used(schema, found = new Set()) {
  if (schema === null || typeof schema !== 'object') return found
  for (const [key, value] of Object.entries(schema)) {
    if (!Array.isArray(schema) && keywords.includes(key)) found.add(key)
    if (['const', 'enum', 'default', 'examples', 'contentSchema', '$vocabulary'].includes(key) || key.startsWith('x-')) continue
    const named = ['properties', 'patternProperties', 'dependentSchemas', '$defs'].includes(key)
    for (const below of named ? Object.values(value) : [value]) used(below, found)
  }
  return found
}

// JSON, with whole numbers sometimes written 1.0 or 1e0, and always so where an
// integer would not fit 64 bits, which our parser refuses.
function written(value) {
  if (Array.isArray(value)) return `[${value.map(written).join(',')}]`
  if (value !== null && typeof value === 'object') {
    return `{${Object.entries(value).map(([key, member]) => `${JSON.stringify(key)}:${written(member)}`).join(',')}}`
  }
  if (Math.abs(value) > 2 ** 62) return value.toExponential()
  if (Object.is(value, -0)) return random.chance(0.5) ? '-0' : '-0.0'
  if (!Number.isInteger(value) || Math.abs(value) > 1e15 || !random.chance(0.15)) return JSON.stringify(value)
  return random.chance(0.5) ? `${value}.0` : `${value}e0`
}

// Where ajv's division for multipleOf, and its memory of `contains`, go astray.
function extreme(value) {
  if (typeof value === 'number') return Math.abs(value) > 1e9 || (value !== 0 && Math.abs(value) < 1e-6)
  return value !== null && typeof value === 'object' && Object.values(value).some(extreme)
}

function holdsEmptyArray(value) {
  return value !== null && typeof value === 'object' &&
    Object.values(value).some(below => (Array.isArray(below) && below.length === 0) || holdsEmptyArray(below))
}

function candidates(schema, names) {
  const out = []
  while (out.length < CANDIDATES) {
    const fitting = instances.fit(schema)
    out.push(fitting, instances.spoil(fitting), instances.spoil(instances.spoil(fitting)))
    out.push(instances.any(2), random.pick(TEXTS), random.pick(NUMBERS), random.pick(EDGES))
  }
  return out.filter(instance => !(names.includes('multipleOf') && extreme(instance)) &&
    !(names.includes('contains') && holdsEmptyArray(instance)))
}

let ajv
let compiled = 0
let crashes = 0

// The code that ajv makes for some schemas throws a TypeError where it records
// what was evaluated: that is no verdict.
function ask(validate, instance) {
  try {
    return validate(instance)
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    crashes++
    return undefined
  }
}

function verdicts(schema, names) {
  if (compiled++ % SCHEMAS_OF_AN_AJV === 0) {
    ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: false, logger: false })
  }
  const validate = ajv.compile(schema)
  const kept = { true: [], false: [] }
  const seen = new Set()
  for (const instance of candidates(schema, names)) {
    const text = JSON.stringify(instance)
    const valid = ask(validate, instance)
    if (valid === undefined || seen.has(text) || kept[valid].length >= OF_A_VERDICT) continue
    seen.add(text)
    kept[valid].push(instance)
  }
  return kept
}

const counts = Object.fromEntries(keywords.map(keyword => [keyword, { valid: 0, invalid: 0 }]))
const total = { valid: 0, invalid: 0 }

function emit(schema) {
  const names = [...used(schema)]
  for (const [verdict, list] of Object.entries(verdicts(schema, names))) {
    const valid = verdict === 'true'
    for (const instance of list) {
      const text = written(schema)
      writeSync(1, `{"schema":${text},"instance":${written(instance)},"valid":${valid},"keywords":${JSON.stringify(names)}}\n`)
      for (const count of [total, ...names.map(name => counts[name])]) count[valid ? 'valid' : 'invalid']++
    }
  }
}

// The subtle ones have more turns.
const subtle = ['unevaluatedProperties', 'unevaluatedItems', '$ref', '$dynamicRef', '$id']
const turns = [...keywords, ...subtle, ...subtle, ...subtle]

const wanted = option('pairs', 8000)
for (let i = 0; total.valid + total.invalid < wanted; i++) {
  emit(i % 4 === 3 ? schemas.nested(3) : schemas.about(turns[i % turns.length]))
}

const problems = []
for (const [keyword, { valid, invalid }] of Object.entries(counts)) {
  console.error(`${keyword.padEnd(24)}${String(valid + invalid).padStart(6)} pairs,${String(valid).padStart(6)} valid`)
  if (valid + invalid < FEWEST_OF_A_KEYWORD) problems.push(`${keyword} has fewer than ${FEWEST_OF_A_KEYWORD} pairs`)
}
const share = total.valid / (total.valid + total.invalid)
console.error(`${total.valid + total.invalid} pairs, ${(100 * share).toFixed(1)} % valid; ajv crashed on ${crashes} others`)
if (share < LEAST_SHARE || share > 1 - LEAST_SHARE) problems.push('the share of valid pairs is lopsided')
problems.forEach(problem => console.error(problem))
process.exit(problems.length > 0 ? 1 : 0)
