// The last hour, as lode://activity tells it, made ready to be drawn. Pure.

export interface Minute {
  at: string;
  requests: number;
  errors: number;
  p50_ms: number;
  p95_ms: number;
  cache_hits: number;
  cache_misses: number;
  tokens_served: number;
  tokens_saved: number;
}

export interface Activity {
  minutes: Minute[];
  since: string;
}

export const shownMinutes = 60;

// Sixty minutes, the newest last; null where nothing was measured.
export function lastHour(minutes: readonly Minute[]): (Minute | null)[] {
  const last = minutes.at(-1);
  const hour: (Minute | null)[] = Array.from({ length: shownMinutes }, () => null);
  if (!last) return hour;
  const end = Math.floor(Date.parse(last.at) / 60_000);
  for (const minute of minutes) {
    const back = end - Math.floor(Date.parse(minute.at) / 60_000);
    if (back >= 0 && back < shownMinutes) hour[shownMinutes - 1 - back] = minute;
  }
  return hour;
}

export type Field = Exclude<keyof Minute, "at">;

export function sumOf(hour: readonly (Minute | null)[], field: Field): number {
  return hour.reduce((sum, minute) => sum + (minute?.[field] ?? 0), 0);
}

export function mostOf(hour: readonly (Minute | null)[], fields: readonly Field[]): number {
  return Math.max(0, ...hour.map((minute) => fields.reduce((sum, field) => sum + (minute?.[field] ?? 0), 0)));
}

// The hour's latency: each minute counts as much as it had requests.
export function latencyOf(hour: readonly (Minute | null)[], field: "p50_ms" | "p95_ms"): number {
  const requests = sumOf(hour, "requests");
  if (requests === 0) return 0;
  return hour.reduce((sum, minute) => sum + (minute ? minute[field] * minute.requests : 0), 0) / requests;
}

// A round number that is not below: 1, 2 or 5 times a power of ten.
export function roundUp(value: number): number {
  if (value <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  const step = [1, 2, 5, 10].find((factor) => factor * power >= value * (1 - 1e-9)) ?? 10;
  return step * power;
}

// A line through the minutes that were measured, broken where there was nothing, in a field that is
// `width` times `height`. Of a single minute a point remains to be seen.
export function linePath(
  hour: readonly (Minute | null)[],
  field: Field,
  top: number,
  width: number,
  height: number,
): string {
  const step = width / hour.length;
  let path = "";
  let drawing = false;
  for (const [at, minute] of hour.entries()) {
    if (!minute || minute.requests === 0) {
      drawing = false;
      continue;
    }
    const x = (at + 0.5) * step;
    const y = height - (Math.min(minute[field], top) / top) * height;
    path += drawing ? `L${round(x)} ${round(y)}` : `M${round(x)} ${round(y)}h0.01`;
    drawing = true;
  }
  return path;
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}

// "1.2k", "3.4M": what fits beside a chart.
export function shortNumber(value: number): string {
  if (value >= 1e6) return `${(value / 1e6).toFixed(value >= 1e7 ? 0 : 1)}M`;
  if (value >= 1e4) return `${(value / 1e3).toFixed(value >= 1e5 ? 0 : 1)}k`;
  return value >= 100 || Number.isInteger(value)
    ? Math.round(value).toLocaleString("en")
    : value.toPrecision(2);
}
