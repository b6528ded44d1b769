// Dates as people say them. Pure functions.

export interface Due {
  text: string;
  state: "late" | "soon" | "later";
}

const day = 86_400_000; // ms

// The day of a date or a time, in local terms, counted from the epoch. Null: it is none.
function dayOf(text: string): number | null {
  const date = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text);
  if (date) return Math.round(Date.UTC(Number(date[1]), Number(date[2]) - 1, Number(date[3])) / day);
  const time = Date.parse(text);
  return Number.isNaN(time) ? null : localDay(new Date(time));
}

function localDay(time: Date): number {
  return Math.round(Date.UTC(time.getFullYear(), time.getMonth(), time.getDate()) / day);
}

const soon = 3; // days

export function dueOf(due: string, now: Date, locale?: string): Due {
  const at = dayOf(due);
  if (at === null) return { text: due, state: "later" };
  const days = at - localDay(now);
  const state = days < 0 ? "late" : days <= soon ? "soon" : "later";
  if (Math.abs(days) <= 1) {
    const text = new Intl.RelativeTimeFormat(locale, { numeric: "auto" }).format(days, "day");
    return { text, state };
  }
  const date = new Date(at * day);
  const year = date.getUTCFullYear() === now.getFullYear() ? {} : ({ year: "numeric" } as const);
  const format = new Intl.DateTimeFormat(locale, {
    month: "short",
    day: "numeric",
    timeZone: "UTC",
    ...year,
  });
  return { text: format.format(date), state };
}

const units: [Intl.RelativeTimeFormatUnit, number][] = [
  ["year", 365 * day],
  ["month", 30 * day],
  ["week", 7 * day],
  ["day", day],
  ["hour", 3_600_000],
  ["minute", 60_000],
];

// "3 hours ago".
export function agoOf(time: string, now: Date, locale?: string): string {
  const at = Date.parse(time);
  if (Number.isNaN(at)) return time;
  const format = new Intl.RelativeTimeFormat(locale, { numeric: "auto" });
  const passed = at - now.getTime();
  for (const [unit, length] of units) {
    if (Math.abs(passed) >= length) return format.format(Math.trunc(passed / length), unit);
  }
  return format.format(0, "minute");
}
