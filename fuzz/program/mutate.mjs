// Changes bytes without knowing what they mean.

const numbers = ["0", "-0", "-1", "1e300", "-1e-300", "9223372036854775807", "9223372036854775808", "18446744073709551616", "1.5", "1e999"];
const pieces = [
  ...numbers, "{", "}", "[", "]", "\"", "\\", ",", ":", "\\u0000", "\\ud800", "null", "true", "\n", "\r\n", "\t", "\0", "\x1b[31m",
  "\x7f", "%", "%00", "%2e%2e", "%2F", "%ff", "../", "..", "//", "?", "#", "*", "**", "{{", "}}", "\"\":", "---\n", "- ", ">", "`", "é", "\u202e", "\u{1f600}",
].map((text) => Buffer.from(text)).concat(["ff", "c0af", "eda080", "f4908080", "e28080", "fe"].map((hex) => Buffer.from(hex, "hex")));

const spliced = (bytes, from, until, middle) => Buffer.concat([bytes.subarray(0, from), middle, bytes.subarray(until)]);

function range(random, bytes, longest) {
  const from = random.below(bytes.length + 1);
  return [from, Math.min(bytes.length, from + random.below(longest + 1))];
}

const ways = [
  (random, bytes) => {
    const copy = Buffer.from(bytes);
    if (copy.length > 0) copy[random.below(copy.length)] ^= 1 << random.below(8);
    return copy;
  },
  (random, bytes) => {
    const copy = Buffer.from(bytes);
    if (copy.length > 0) copy[random.below(copy.length)] = random.word();
    return copy;
  },
  (random, bytes) => spliced(bytes, ...range(random, bytes, 16), Buffer.alloc(0)),
  (random, bytes) => spliced(bytes, ...range(random, bytes, 0), random.pick(pieces)),
  (random, bytes) => spliced(bytes, ...range(random, bytes, 8), random.pick(pieces)),
  // A part again, elsewhere.
  (random, bytes) => {
    const part = bytes.subarray(...range(random, bytes, 64));
    return spliced(bytes, ...range(random, bytes, 0), part);
  },
  // A part many times over.
  (random, bytes) => {
    const [from, until] = range(random, bytes, 8);
    const times = random.pick([2, 3, 17, 64, 255, 256, 257]);
    return spliced(bytes, from, until, Buffer.concat(Array(times).fill(bytes.subarray(from, until))));
  },
  (random, bytes) => bytes.subarray(0, random.below(bytes.length + 1)),
];

// One to three changes. The bytes given are not changed.
export function mutate(random, bytes) {
  let result = bytes;
  for (let times = random.between(1, 3); times > 0; times -= 1) result = random.pick(ways)(random, result);
  return result;
}

// The beginning of one and the end of the other.
export function cross(random, one, other) {
  return Buffer.concat([one.subarray(0, random.below(one.length + 1)), other.subarray(random.below(other.length + 1))]);
}
