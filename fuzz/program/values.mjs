// Values that programs stumble over, as texts and as JSON.
import { weighted } from "./random.mjs";

const words = ["a", "area", "shape", "Circle", "README.md", "src", "main", "reviewer", "Letter", "pdf", "name", "x", "0", "-1", "10", "true", "*", "."];
const odd = [
  "", " ", "\0", "a\0b", "\n", "\r\n", "\x1b[2J", "\x7f", "..", "../..", "../x", "/", "//", "\\", "%", "%00", "%2e%2e", "~", "$HOME", "`id`", "{{x}}",
  "{x}", "?", "#", "a?b#c", "\u0085", "\u200b", "\u202e", "\ud800", "é", "e\u0301", "ﬁ", "İ", "\u{1f600}", "\u{10ffff}", "\ufffe", "__proto__",
  "constructor", "null", "NaN", "1e309", "file:///etc/passwd", "(", "(a", "[", "*a", "a{9999}", "(?i)", "^(a+)+$", "@", "-", "--help", "|", ";",
];
const lengths = [16, 63, 64, 255, 256, 1023, 1024, 1025, 4096, 8180, 8192, 8193];

export const word = (random) => random.pick(words);

// A text; now and then a very long one.
export function text(random) {
  const kind = random.below(32);
  if (kind === 0) return random.pick(odd).repeat(random.pick([2, 16, 100])) || " ";
  if (kind === 1) return random.pick(["a", "/", ".", "é", "%41", "\0", "(", "{", "*"]).repeat(random.pick(lengths));
  if (kind < 12) return random.pick(odd);
  if (kind < 16) return `${random.pick(words)}${random.pick(odd)}${random.pick(words)}`;
  return random.pick(words);
}

const numbers = [
  "0", "-0", "1", "-1", "2", "10", "100", "1000", "1e3", "1.5", "-1.5", "1e300", "-1e300", "1e-300", "1e308", "2147483647", "2147483648", "-2147483649",
  "4294967296", "9007199254740993", "9223372036854775807", "9223372036854775808", "-9223372036854775809", "18446744073709551615", "18446744073709551616",
];
// A number as JSON text.
export const number = (random) => random.pick(numbers);

const nested = (open, close, depth) => open.repeat(depth) + close.repeat(depth);
const shapes = weighted([[6, "text"], [4, "number"], [3, "word"], [2, "object"], [2, "array"], [1, "deep"], [1, "twice"]]);

// Any JSON value as text. Some are valid JSON that Lode refuses: keys twice, too deep.
export function json(random, depth = 2) {
  const kind = depth > 0 ? random.draw(shapes) : "text";
  if (kind === "text") return JSON.stringify(text(random));
  if (kind === "number") return number(random);
  if (kind === "word") return random.pick(["null", "true", "false", "[]", "{}", "\"\""]);
  if (kind === "deep") return random.pick([nested("[", "]", random.pick([8, 64, 500, 2000])), `${"{\"a\":".repeat(60)}1${"}".repeat(60)}`]);
  if (kind === "twice") return `{"a":1,"a":${json(random, depth - 1)}}`;
  const parts = Array.from({ length: random.below(4) }, () => json(random, depth - 1));
  if (kind === "array") return `[${parts}]`;
  return `{${parts.map((part, at) => `${JSON.stringify(at === 0 ? text(random) : `k${at}`)}:${part}`)}}`;
}
