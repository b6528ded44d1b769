// Lines between two columns of boxes of equal height, as paths in a square of 100 by 100 that is
// stretched between them. One column has one box, in the middle.
export function edgesOf(from: number, to: number): string[] {
  const count = Math.max(from, to);
  return Array.from({ length: count }, (_, i) => {
    const y = round(((i + 0.5) / count) * 100);
    const [begin, end] = from > 1 || to === 1 ? [y, 50] : [50, y];
    return `M0 ${begin}C50 ${begin} 50 ${end} 100 ${end}`;
  });
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
