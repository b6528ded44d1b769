// Which blocks of a page stay when its text changes, so that images, diagrams, the selection and
// the scroll position in them stay too.

const longest = 600; // blocks on either side that are compared one by one

// For each of the new blocks the index of the old one that can stay, or -1. The indices rise.
export function keptBlocks(old: readonly string[], now: readonly string[]): number[] {
  const kept = now.map(() => -1);
  let start = 0;
  while (start < old.length && start < now.length && old[start] === now[start]) {
    kept[start] = start;
    start += 1;
  }
  let end = 0;
  while (
    end < old.length - start &&
    end < now.length - start &&
    old[old.length - 1 - end] === now[now.length - 1 - end]
  ) {
    kept[now.length - 1 - end] = old.length - 1 - end;
    end += 1;
  }
  const left = old.slice(start, old.length - end);
  const right = now.slice(start, now.length - end);
  if (left.length > longest || right.length > longest) return kept;
  for (const [i, j] of commonPairs(left, right)) kept[start + j] = start + i;
  return kept;
}

// A longest common subsequence, as pairs of indices.
function commonPairs(left: readonly string[], right: readonly string[]): [number, number][] {
  const width = right.length + 1;
  const lengths = new Uint16Array((left.length + 1) * width);
  const at = (i: number, j: number): number => lengths[i * width + j] ?? 0;
  for (let i = left.length - 1; i >= 0; i -= 1)
    for (let j = right.length - 1; j >= 0; j -= 1)
      lengths[i * width + j] =
        left[i] === right[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
  const pairs: [number, number][] = [];
  let i = 0;
  let j = 0;
  while (i < left.length && j < right.length) {
    if (left[i] === right[j]) pairs.push([i++, j++]);
    else if (at(i + 1, j) >= at(i, j + 1)) i += 1;
    else j += 1;
  }
  return pairs;
}
