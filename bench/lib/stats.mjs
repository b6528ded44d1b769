// Medians and spreads of few and noisy samples.

export function median(values) {
  if (values.length === 0) return NaN;
  const sorted = [...values].sort((a, b) => a - b);
  const half = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
}

// {median, low, high, count} of what is finite.
export function spread(values) {
  const finite = values.filter(Number.isFinite);
  return {
    median: median(finite),
    low: finite.length ? Math.min(...finite) : NaN,
    high: finite.length ? Math.max(...finite) : NaN,
    count: finite.length,
  };
}

// The quotients of two series that were measured side by side: only samples of
// the same repeat are divided, so that what slowed the machine slowed both.
// Several samples of one repeat count as their median.
export function pairedRatios(above, below, field) {
  const byRepeat = (samples) => {
    const groups = Map.groupBy(samples, (sample) => sample.repeat);
    return new Map([...groups].map(([repeat, group]) => [repeat, median(group.map((s) => s[field]))]));
  };
  const divisors = byRepeat(below);
  return [...byRepeat(above)]
    .filter(([repeat]) => divisors.get(repeat) > 0)
    .map(([repeat, value]) => value / divisors.get(repeat));
}

// Three significant digits, without an exponent.
export function digits(value) {
  if (!Number.isFinite(value)) return '–';
  if (value === 0) return '0';
  const places = Math.max(0, 2 - Math.floor(Math.log10(Math.abs(value))));
  return value.toLocaleString('en-US', {
    minimumFractionDigits: Math.min(places, 3),
    maximumFractionDigits: Math.min(places, 3),
  });
}
