// Instances: at random, made to fit a schema, and slightly spoilt.

export const NAMES = ['a', 'b', 'c', 'd', 'name', 'x-1', 'né', 'é', '']

// Lengths differ in code points, in UTF-16 units and in bytes.
export const TEXTS = [
  '', 'a', 'b', 'ab', 'abc', 'foo', 'foo bar', 'x', 'X', '12', '2024', '007', '3.14', 'a1', 'A-1_z', '-', '/',
  'é', 'ÉA', 'e\u0301', '日本語', '😀', '😀😀', 'a😀b', '👨‍👩‍👧', ' ', '\t', '\n', 'a\nb', '\u00a0', '\u2028', '\ufeff',
  'a.b', 'a..b', '.a', 'user@example.com', '[x]', '\\', '"', 'ababab', 'AAAA', 'zz9',
]

// Integers beyond 2^53 are left out: JavaScript, hence ajv, rounds them.
export const NUMBERS = [0, -0, 1, -1, 2, 3, 4, 5, 7, 10, 12, 15, 21, 42, 100, -5, -12, 0.5, 1.5, 2.5, -0.25, 0.75, 3.25]
export const EDGES = [
  9007199254740991, 9007199254740990, -9007199254740991, 9007199254740992, 1e15, 1e16, 1e20, 1e300, -1e300,
  1.7976931348623157e308, 5e-324, 1e-7, 0.1, 0.2, 0.3, 0.30000000000000004, 1e-300, 4294967296, -2147483648,
  0.9999999999999999, 1.0000000000000002, 2147483647.5,
]

export class Instances {
  constructor(random) {
    this.random = random
  }

  scalar() {
    const r = this.random
    return r.pick([null, true, false, r.pick(NUMBERS), r.pick(NUMBERS), r.pick(TEXTS), r.pick(TEXTS)])
  }

  any(depth = 2) {
    const r = this.random
    if (depth === 0 || r.chance(0.4)) return this.scalar()
    return r.chance(0.5) ? this.array(depth) : this.object(depth)
  }

  array(depth = 1, make = () => this.any(depth - 1)) {
    return this.random.times(0, 4, make)
  }

  object(depth = 1, make = () => this.any(depth - 1)) {
    return Object.fromEntries(this.random.some(NAMES, 0, 5).map(name => [name, make(name)]))
  }

  ofType(type, depth = 1) {
    const r = this.random
    switch (type) {
      case 'null': return null
      case 'boolean': return r.chance(0.5)
      case 'integer': return r.integer(-20, 60)
      case 'number': return r.pick(NUMBERS)
      case 'string': return r.pick(TEXTS)
      case 'array': return this.array(depth)
      default: return this.object(depth)
    }
  }

  // An instance that the schema probably accepts. A guess: ajv decides.
  fit(schema, root = schema, depth = 5) {
    if (typeof schema === 'boolean' || depth === 0) return this.any(1)
    const s = this.flatten(schema, root, 4)
    if ('const' in s) return structuredClone(s.const)
    if (s.enum) return structuredClone(this.random.pick(s.enum))
    const type = s.type ? this.random.pick([s.type].flat()) : this.guessType(s)
    if (type === 'object') return this.fitObject(s, root, depth)
    if (type === 'array') return this.fitArray(s, root, depth)
    if (type === 'string') return this.fitString(s)
    if (type === 'number' || type === 'integer') return this.fitNumber(s, type)
    return this.ofType(type)
  }

  // The schema with one branch of each applicator beside it merged in.
  flatten(schema, root, depth) {
    if (typeof schema === 'boolean' || depth === 0) return {}
    const target = this.target(schema, root)
    const parts = [
      ...(schema.allOf ?? []),
      ...(schema.anyOf ? [this.random.pick(schema.anyOf)] : []),
      ...(schema.oneOf ? [this.random.pick(schema.oneOf)] : []),
      ...(schema.if !== undefined ? [this.random.chance(0.5) ? { allOf: [schema.if, schema.then ?? true] } : schema.else ?? true] : []),
      ...Object.values(schema.dependentSchemas ?? {}).filter(() => this.random.chance(0.5)),
      ...(target === undefined ? [] : [target]),
    ]
    return parts.reduce((merged, part) => this.merge(merged, this.flatten(part, root, depth - 1)), { ...schema })
  }

  target(schema, root) {
    const ref = schema.$ref ?? schema.$dynamicRef
    if (ref === undefined) return undefined
    if (ref === '#') return root
    const at = ref.match(/#\/\$defs\/(\w+)$/)
    if (at) return root.$defs?.[at[1]]
    const name = ref.replace(/^.*#/, '')
    return Object.values(root.$defs ?? {}).find(d => [d.$anchor, d.$dynamicAnchor, d.$id].includes(name)) ?? root
  }

  merge(a, b) {
    const out = { ...b, ...a }
    for (const key of ['properties', 'patternProperties']) {
      if (a[key] && b[key]) out[key] = { ...b[key], ...a[key] }
    }
    if (a.required && b.required) out.required = [...a.required, ...b.required]
    return out
  }

  guessType(s) {
    const has = (...keys) => keys.some(key => key in s)
    if (has('properties', 'required', 'patternProperties', 'additionalProperties', 'minProperties', 'maxProperties',
      'propertyNames', 'dependentRequired', 'dependentSchemas', 'unevaluatedProperties')) return 'object'
    if (has('items', 'prefixItems', 'contains', 'minItems', 'maxItems', 'uniqueItems', 'unevaluatedItems')) return 'array'
    if (has('minLength', 'maxLength', 'pattern')) return 'string'
    if (has('minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf')) return 'number'
    return this.random.pick(['null', 'boolean', 'integer', 'string', 'array', 'object'])
  }

  fitObject(s, root, depth) {
    const r = this.random
    const out = {}
    const required = (s.required ?? []).filter(() => r.chance(0.95))
    const optional = Object.keys(s.properties ?? {}).filter(() => r.chance(0.5))
    const extra = s.additionalProperties === false ? [] : r.some(NAMES, 0, 2)
    for (const name of [...required, ...optional, ...extra]) {
      out[name] = this.fit(s.properties?.[name] ?? s.additionalProperties ?? true, root, depth - 1)
    }
    for (const [name, needs] of Object.entries(s.dependentRequired ?? {})) {
      if (name in out) needs.filter(() => r.chance(0.8)).forEach(need => (out[need] ??= this.any(1)))
    }
    return out
  }

  fitArray(s, root, depth) {
    const low = s.minItems ?? 0
    const high = Math.max(low, s.maxItems ?? low + 4)
    const out = this.random.times(low, high, i => this.fit(s.prefixItems?.[i] ?? s.items ?? true, root, depth - 1))
    if (s.contains !== undefined && out.length > 0 && this.random.chance(0.7)) {
      out[this.random.integer(0, out.length - 1)] = this.fit(s.contains, root, depth - 1)
    }
    return out
  }

  fitString(s) {
    const length = text => [...text].length
    const good = TEXTS.filter(text => length(text) >= (s.minLength ?? 0) && length(text) <= (s.maxLength ?? 99) &&
      (!s.pattern || new RegExp(s.pattern, 'u').test(text)))
    return this.random.pick(good.length > 0 ? good : TEXTS)
  }

  fitNumber(s, type) {
    const step = s.multipleOf ?? (type === 'integer' ? 1 : 0.5)
    const low = s.minimum ?? s.exclusiveMinimum ?? (s.maximum ?? s.exclusiveMaximum ?? 20) - 20
    const value = (Math.round(low / step) + this.random.integer(0, 3)) * step
    return Number.isFinite(value) ? value : low
  }

  // A copy with one thing changed.
  spoil(value) {
    const r = this.random
    if (value === null || typeof value !== 'object' || r.chance(0.15)) return this.spoilScalar(value)
    const copy = structuredClone(value)
    const keys = Object.keys(copy)
    const key = keys.length > 0 ? r.pick(keys) : undefined
    if (Array.isArray(copy)) {
      if (key === undefined || r.chance(0.3)) copy.push(this.any(1))
      else if (r.chance(0.25)) copy.splice(Number(key), 1)
      else if (r.chance(0.3)) copy.push(structuredClone(copy[key]))
      else copy[key] = this.spoil(copy[key])
    } else if (key === undefined || r.chance(0.3)) copy[r.pick(NAMES)] = this.any(1)
    else if (r.chance(0.4)) delete copy[key]
    else copy[key] = this.spoil(copy[key])
    return copy
  }

  spoilScalar(value) {
    const r = this.random
    if (typeof value === 'number' && r.chance(0.7)) return value + r.pick([1, -1, 0.5, 10, -10])
    if (typeof value === 'string' && r.chance(0.7)) return r.pick([value + 'é', value + value, [...value].slice(1).join(''), '😀' + value])
    return this.any(1)
  }
}
