// Texts that are the same in every run.

// Numbers from 0 to 1, without 1.
export function* numbers(seed) {
  let state = seed >>> 0;
  for (;;) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    yield state / 2 ** 32;
  }
}

// Words as texts have them: the n-th is about n times rarer than the first.
export function wordsOf(random, count) {
  return Array.from({ length: count }, () => `word${Math.floor(20_000 ** random.next().value)}`).join(' ');
}
