// Schemas: for each keyword a maker of schemas that turn on it, and nested ones
// that combine them.
//
// Where ajv 8 deviates from the specification, no schema is made that shows it;
// these cases are in the validator's own unit tests instead:
//
// - ajv divides in binary floating point for multipleOf, so that 19.99 is not a
//   multiple of 0.01, and misreads quotients above 1e21. Divisors here are
//   integers and binary fractions.
// - ajv takes all items as evaluated beside `contains`, not only those that
//   matched, and takes what `if` evaluates as evaluated even where `if` fails or
//   has neither `then` nor `else`. Around unevaluated…, `contains` is not used and
//   `if` only tests.
// - ajv loses, or takes for a number, what a branch of anyOf, oneOf or if did to
//   the items: unevaluatedItems stands beside prefixItems, items, allOf and $ref.
// - ajv looks up members through the prototype ("constructor" is always there),
//   and honours OpenAPI's `nullable`. Neither name is used.
// - ajv resolves $dynamicRef by name only, also where the static target has no
//   $dynamicAnchor; here it always has.
// - ajv follows a $ref loop until the stack is exhausted. Recursion here always
//   descends into the instance.
// - ajv requires enum not to be empty.
// - ajv overlooks that a member with an empty name is missing.
// - ajv takes over, for an empty array, the last verdict of `contains` or of its
//   neighbours: `contains` and prefixItems do not stand together, and generate.mjs
//   keeps empty arrays inside of others away from `contains`.
// - ajv forgets what was evaluated beside a branch that did not apply, and remembers
//   what anything but `properties` evaluated in a branch that failed: around
//   unevaluatedProperties, `if` and dependentSchemas stand alone or within allOf,
//   and branches are plain.

import { EDGES, NAMES, NUMBERS, TEXTS } from './instances.mjs'

const MISSABLE = NAMES.filter(name => name !== '')

const TYPES = ['null', 'boolean', 'integer', 'number', 'string', 'array', 'object']

const PATTERNS = [
  '^a', 'b$', '[0-9]+', '^\\d{2,4}$', '^[\\w-]+$', '\\p{L}', '^\\p{Lu}', '^\\P{L}+$', '\\u00e9', '\\u{1F600}',
  '\\ud83d\\ude00', '^.$', '^..$', '\\s', '^\\S+$', '^[^]*$', 'a|b', '(?<year>\\d{4})', '^(?:ab)+$', '^(?!x)[a-z]+$',
  '^(?=.*\\d)(?=.*[a-z]).+$', '^(?!\\.)(?!.*\\.\\.)[a-z.@]+$', '\\cJ', '\\/', '[\\-x]', '\\bfoo\\b', '^$', '[]', '\\x41',
  '^[\\s\\S]*$', '^[\\d.]+$', '\\.', '[\\[\\]]', '^[^a-c]+$', '^[a-z]*?$', '\\p{Script=Han}', '^\\p{Letter}+$', '[\\s,]',
  '^[^\\s]+$', '\\\\', 'a{2,}|A{3}', '^[\\u3040-\\u9fff]+$', '\\D', '\\W', '^\\w\\W?', '\\t|\\n', '[\\b]|x',
]

const NAME_PATTERNS = ['^a', '^[a-c]$', '^x-', 'é', '^.$', 'a', '\\d', '^$']

const ANNOTATIONS = {
  title: () => 'A title',
  description: r => r.pick(TEXTS),
  default: r => r.pick([null, 1, 'x', {}, []]),
  deprecated: r => r.chance(0.5),
  readOnly: r => r.chance(0.5),
  writeOnly: r => r.chance(0.5),
  examples: r => [r.pick(TEXTS), r.pick(NUMBERS)],
  $comment: () => 'a comment',
  format: r => r.pick(['email', 'date-time', 'uri', 'ipv4', 'uuid', 'regex', 'no-such-format']),
  contentEncoding: () => 'base64',
  contentMediaType: () => 'application/json',
  contentSchema: () => ({ type: 'object', required: ['z'] }),
  'x-vendor': () => ({ type: 'nonsense', minimum: 'no number' }),
}

// Those that a nested schema may use; references and unevaluated… are made whole.
const NESTED = [
  'type', 'enum', 'const', 'multipleOf', 'maximum', 'exclusiveMaximum', 'minimum', 'exclusiveMinimum', 'maxLength',
  'minLength', 'pattern', 'maxItems', 'minItems', 'uniqueItems', 'maxContains', 'minContains', 'maxProperties',
  'minProperties', 'required', 'dependentRequired', 'prefixItems', 'items', 'contains', 'additionalProperties',
  'properties', 'patternProperties', 'dependentSchemas', 'propertyNames', 'if', 'then', 'else', 'allOf', 'anyOf', 'oneOf', 'not',
]

export class Schemas {
  constructor(random, instances) {
    this.random = random
    this.instances = instances
    this.serial = 0
  }

  // Every keyword that must be covered.
  keywords() {
    return [...NESTED, 'unevaluatedItems', 'unevaluatedProperties', '$schema', '$id', '$ref', '$anchor', '$dynamicRef',
      '$dynamicAnchor', '$defs', '$vocabulary', ...Object.keys(ANNOTATIONS).filter(name => !name.startsWith('x-'))]
  }

  // A schema that turns on this keyword.
  about(keyword) {
    if (keyword in ANNOTATIONS) return { ...this.nested(1), [keyword]: ANNOTATIONS[keyword](this.random) }
    return this.annotated(this[keyword](2))
  }

  // Several keywords, nested.
  nested(depth = 3) {
    const r = this.random
    if (r.chance(0.04)) return r.chance(0.5)
    if (depth <= 0) return r.pick([{}, { type: r.pick(TYPES) }, this.simple(), this.simple()])
    const parts = r.some(NESTED, 1, 3).map(keyword => this[keyword](depth - 1))
    const schema = Object.assign({}, ...parts)
    if ('contains' in schema) delete schema.prefixItems
    return this.annotated(schema)
  }

  annotated(schema) {
    if (typeof schema === 'boolean' || !this.random.chance(0.1)) return schema
    const name = this.random.pick(Object.keys(ANNOTATIONS))
    return { ...schema, [name]: ANNOTATIONS[name](this.random) }
  }

  simple() {
    return this[this.random.pick(['type', 'enum', 'const', 'maximum', 'minimum', 'maxLength', 'minLength', 'pattern'])](0)
  }

  // A schema for one member or item: mostly small.
  part(depth) {
    return this.random.chance(0.5) ? this.simple() : this.nested(depth - 1)
  }

  number() {
    return this.random.chance(0.8) ? this.random.pick(NUMBERS) : this.random.pick(EDGES)
  }
  count(most = 4) {
    return this.random.integer(0, most)
  }
  value() {
    return this.random.chance(0.15) ? this.random.pick(EDGES) : this.instances.any(2)
  }
  members(make, least = 1, most = 4) {
    return Object.fromEntries(this.random.some(NAMES, least, most).map(name => [name, make(name)]))
  }

  type() {
    return { type: this.random.chance(0.7) ? this.random.pick(TYPES) : this.random.some(TYPES, 1, 3) }
  }
  enum() {
    const values = this.random.times(1, 5, () => this.value())
    return { enum: values.filter((v, i) => values.findIndex(w => JSON.stringify(w) === JSON.stringify(v)) === i) }
  }
  const() {
    return { const: this.value() }
  }
  multipleOf() {
    return { multipleOf: this.random.pick([1, 2, 3, 5, 7, 10, 100, 0.5, 0.25, 1.5, 2.5]) }
  }
  maximum() {
    return { maximum: this.number() }
  }
  exclusiveMaximum() {
    return { exclusiveMaximum: this.number() }
  }
  minimum() {
    return { minimum: this.number() }
  }
  exclusiveMinimum() {
    return { exclusiveMinimum: this.number() }
  }
  maxLength() {
    return { maxLength: this.count(5) }
  }
  minLength() {
    return { minLength: this.count(5) }
  }
  pattern() {
    return { pattern: this.random.pick(PATTERNS) }
  }
  maxItems() {
    return { maxItems: this.count() }
  }
  minItems() {
    return { minItems: this.count() }
  }
  uniqueItems() {
    return { uniqueItems: this.random.chance(0.85) }
  }
  maxContains(depth) {
    return { ...this.contains(depth), maxContains: this.count(3) }
  }
  minContains(depth) {
    return { ...this.contains(depth), minContains: this.count(3) }
  }
  maxProperties() {
    return { maxProperties: this.count() }
  }
  minProperties() {
    return { minProperties: this.count() }
  }
  required() {
    return { required: this.random.some(MISSABLE, 0, 3) }
  }
  dependentRequired() {
    return { dependentRequired: this.members(() => this.random.some(MISSABLE, 0, 2)) }
  }
  prefixItems(depth) {
    return { prefixItems: this.random.times(1, 3, () => this.part(depth)) }
  }
  items(depth) {
    return this.random.chance(0.5) ? { items: this.part(depth) } : { ...this.prefixItems(depth), items: this.part(depth) }
  }
  contains(depth) {
    return { contains: this.part(depth) }
  }
  properties(depth) {
    return { properties: this.members(() => this.part(depth)) }
  }
  patternProperties(depth) {
    const patterns = this.random.some(NAME_PATTERNS, 1, 3)
    return { patternProperties: Object.fromEntries(patterns.map(p => [p, this.part(depth)])) }
  }
  additionalProperties(depth) {
    return {
      ...(this.random.chance(0.7) ? this.properties(depth) : {}),
      ...(this.random.chance(0.4) ? this.patternProperties(depth) : {}),
      additionalProperties: this.random.chance(0.4) ? false : this.part(depth),
    }
  }
  dependentSchemas(depth) {
    return { dependentSchemas: this.members(() => this.random.pick([this.required(), this.properties(depth), this.part(depth)]), 1, 2) }
  }
  propertyNames() {
    return { propertyNames: this.random.pick([this.pattern(), this.maxLength(), this.minLength(), { enum: this.random.some(NAMES, 1, 5) }]) }
  }
  if(depth) {
    const schema = { if: this.part(depth) }
    if (this.random.chance(0.7)) schema.then = this.part(depth)
    if (this.random.chance(0.7)) schema.else = this.part(depth)
    return schema
  }
  then(depth) {
    return { ...this.if(depth), then: this.part(depth) }
  }
  else(depth) {
    return { ...this.if(depth), else: this.part(depth) }
  }
  allOf(depth) {
    return { allOf: this.random.times(1, 3, () => this.part(depth)) }
  }
  anyOf(depth) {
    return { anyOf: this.random.times(1, 3, () => this.part(depth)) }
  }
  oneOf(depth) {
    return { oneOf: this.random.times(1, 3, () => this.part(depth)) }
  }
  not(depth) {
    return { not: this.part(depth) }
  }

  // An address that no other schema has.
  address() {
    return `https://example.com/${++this.serial}/root.json`
  }

  $schema(depth) {
    return { $schema: 'https://json-schema.org/draft/2020-12/schema', ...Object(this.nested(depth)) }
  }
  $vocabulary(depth) {
    return { $vocabulary: { 'https://json-schema.org/draft/2020-12/vocab/validation': true }, ...Object(this.nested(depth)) }
  }
  $defs(depth) {
    return this.$ref(depth)
  }
  $ref(depth) {
    return this.random.chance(0.4) ? this.recursive() : this.referring(depth, '#/$defs/first', {})
  }
  $anchor(depth) {
    const id = this.random.chance(0.3) ? this.address() : undefined
    const ref = id && this.random.chance(0.5) ? `${id}#there` : '#there'
    return { ...(id ? { $id: id } : {}), ...this.referring(depth, ref, { $anchor: 'there' }) }
  }
  $id(depth) {
    const id = this.address()
    const relative = this.random.pick(['first.json', 'folder/first.json', '/absolute/' + this.serial, '../other/' + this.serial])
    const absolute = new URL(relative, id).href
    const schema = { $id: id, ...this.referring(depth, this.random.pick([relative, absolute]), { $id: relative }) }
    // A fragment inside the embedded resource starts at its own root.
    if (this.random.chance(0.3)) {
      Object.assign(schema.$defs.first, { $defs: { inner: this.simple() }, allOf: [{ $ref: '#/$defs/inner' }] })
    }
    return schema
  }

  // A schema that applies a definition in several places, beside other keywords.
  referring(depth, ref, names) {
    const r = this.random
    const defs = { first: { ...names, ...Object(this.nested(depth)) }, second: this.part(depth) }
    const use = () => ({ $ref: r.chance(0.8) || names.$id ? ref : '#/$defs/second' })
    return {
      $defs: defs,
      ...r.pick([
        () => use(),
        () => ({ ...use(), ...this.simple() }),
        () => ({ properties: this.members(use), ...this.required() }),
        () => ({ items: use() }),
        () => ({ allOf: [use(), this.part(depth)] }),
        () => ({ not: use() }),
        () => ({ additionalProperties: use() }),
        () => ({ anyOf: [use(), this.simple()] }),
      ])(),
    }
  }

  // Lists and trees.
  recursive() {
    const r = this.random
    const leaf = this.simple()
    return r.pick([
      { type: 'object', properties: { a: { $ref: '#' }, b: leaf }, additionalProperties: false },
      { anyOf: [leaf, { type: 'array', items: { $ref: '#' } }] },
      {
        $ref: '#/$defs/tree',
        $defs: { tree: { type: 'object', properties: { name: leaf, c: { type: 'array', items: { $ref: '#/$defs/tree' } } }, required: ['name'] } },
      },
      {
        properties: { a: { $ref: '#/$defs/even' } },
        $defs: {
          even: { type: ['object', 'null'], properties: { a: { $ref: '#/$defs/odd' } }, maxProperties: 2 },
          odd: { type: 'object', properties: { a: { $ref: '#/$defs/even' }, b: leaf }, minProperties: 1 },
        },
      },
    ])
  }

  $dynamicAnchor(depth) {
    return this.$dynamicRef(depth)
  }
  // A tree, alone or extended by an outer resource that narrows every node.
  $dynamicRef() {
    const r = this.random
    const name = r.pick(['node', 'item', 'T'])
    const tree = {
      $dynamicAnchor: name,
      type: 'object',
      properties: { name: this.simple(), c: { type: 'array', items: { $dynamicRef: `#${name}` } } },
    }
    if (r.chance(0.4)) return { ...tree, ...this.required() }
    const id = this.address()
    return {
      $id: id,
      $dynamicAnchor: name,
      $ref: 'tree.json',
      ...r.pick([{ required: ['name'] }, { maxProperties: 1 }, { properties: { a: this.simple() } }, { unevaluatedProperties: false }]),
      $defs: { tree: { $id: 'tree.json', ...tree } },
    }
  }

  // A schema that evaluates some members and nothing else of interest. In a branch
  // that may fail without harm, it does so by `properties`, allOf and $ref alone.
  evaluating(depth, branch = false) {
    const r = this.random
    const members = () => this.members(() => (r.chance(0.5) ? true : this.simple()), 1, 3)
    const test = () => r.pick([this.required(), this.minProperties(), this.maxProperties(), { type: 'object' }])
    const within = () => this.evaluating(depth - 1, true)
    const plain = [
      () => ({ properties: members() }),
      () => ({ properties: members(), ...this.required() }),
      () => ({ $ref: '#/$defs/more' }),
      () => ({ not: this.evaluating(0, true) }),
    ]
    const deeper = [
      () => ({ allOf: r.times(1, 2, () => this.evaluating(depth - 1, branch)) }),
      () => ({ properties: members(), allOf: [{ ...this.evaluating(0, true), unevaluatedProperties: r.chance(0.7) }] }),
    ]
    const branching = [
      () => this.patternProperties(0),
      () => ({ anyOf: r.times(2, 3, within) }),
      () => ({ oneOf: r.times(2, 3, within) }),
      () => ({ if: test(), then: within(), else: within() }),
      () => ({ dependentSchemas: this.members(within, 1, 2) }),
    ]
    return r.pick([...plain, ...(depth > 0 ? deeper : []), ...(depth > 0 && !branch ? [...branching, ...branching] : [])])()
  }

  unevaluatedProperties() {
    const extra = this.random.pick([{}, { properties: this.members(() => true, 1, 2) }])
    return {
      ...this.random.pick([
        () => this.evaluating(2),
        () => ({ ...extra, allOf: this.random.times(1, 2, () => this.evaluating(2)) }),
        () => ({ ...extra, allOf: [this.random.chance(0.3) ? this.additionalProperties(0) : this.evaluating(2)] }),
      ])(),
      unevaluatedProperties: this.random.chance(0.6) ? false : this.simple(),
      $defs: { more: { ...this.properties(0), ...this.required() } },
    }
  }

  unevaluatedItems() {
    const r = this.random
    const prefix = () => ({ prefixItems: r.times(1, 3, () => (r.chance(0.6) ? true : this.simple())) })
    const parts = [
      {},
      prefix(),
      { allOf: r.times(1, 2, prefix) },
      { $ref: '#/$defs/more' },
      { allOf: [{ $ref: '#/$defs/more' }, prefix()] },
      { ...prefix(), allOf: [{ ...prefix(), items: this.simple() }] },
      { ...prefix(), minItems: 1 },
      { properties: { a: true } },
    ]
    return {
      ...r.pick(parts),
      unevaluatedItems: r.chance(0.5) ? false : this.simple(),
      $defs: { more: prefix() },
    }
  }
}
