// Randomness from a seed: the same seed makes the same choices.

// FNV-1a of a text, as four words of state.
function words(text) {
  const state = [0x811c9dc5, 0x01000193, 0x9e3779b9, 0x85ebca6b];
  for (let at = 0; at < text.length; at += 1) {
    const word = at & 3;
    state[word] = Math.imul(state[word] ^ text.charCodeAt(at), 0x01000193) ^ (state[(word + 1) & 3] >>> 7);
  }
  return state;
}

// The generator is sfc32.
export class Random {
  #a;
  #b;
  #c;
  #d;

  constructor(seed) {
    this.seed = String(seed);
    [this.#a, this.#b, this.#c, this.#d] = words(this.seed);
    for (let i = 0; i < 16; i += 1) this.word();
  }

  // 32 bits.
  word() {
    const sum = (this.#a + this.#b + this.#d) | 0;
    this.#d = (this.#d + 1) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = ((this.#c << 21) | (this.#c >>> 11)) + sum;
    return sum >>> 0;
  }

  below(limit) {
    return this.word() % limit;
  }

  // Both ends are possible.
  between(low, high) {
    return low + this.below(high - low + 1);
  }

  chance(probability) {
    return this.word() < probability * 4294967296;
  }

  pick(list) {
    return list[this.below(list.length)];
  }

  // Of the table that weighted() made.
  draw(table) {
    return table[this.below(table.length)];
  }

  bytes(count) {
    const bytes = Buffer.allocUnsafe(count);
    for (let i = 0; i < count; i += 1) bytes[i] = this.word();
    return bytes;
  }
}

// [[3, "a"], [1, "b"]]: a table for draw() in which "a" stands three times as often.
export const weighted = (pairs) => pairs.flatMap(([weight, value]) => Array(weight).fill(value));
