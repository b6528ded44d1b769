// Randomness that repeats: the same seed gives the same pairs on every machine.

export class Random {
  constructor(seed) {
    this.state = seed >>> 0
  }

  // In [0, 1). Mulberry32.
  unit() {
    this.state = (this.state + 0x6d2b79f5) >>> 0
    let t = this.state
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }

  // From low to high, both included.
  integer(low, high) {
    return low + Math.floor(this.unit() * (high - low + 1))
  }

  chance(probability) {
    return this.unit() < probability
  }

  pick(list) {
    return list[this.integer(0, list.length - 1)]
  }

  // Some elements, each once, in their order.
  some(list, least = 1, most = list.length) {
    const count = this.integer(least, most)
    const left = list.map((_, i) => i)
    while (left.length > count) left.splice(this.integer(0, left.length - 1), 1)
    return left.map(i => list[i])
  }

  times(low, high, make) {
    return Array.from({ length: this.integer(low, high) }, (_, i) => make(i))
  }
}
