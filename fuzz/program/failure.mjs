// Something that must hold and did not.
const sanitizer = /.*(?:ERROR: \w+Sanitizer|runtime error|Assertion [`'].*failed|terminate called|SUMMARY:|(?:free|malloc|realloc)\(\): |double free|corrupted (?:size|double|top)|stack smashing).*/g;
const frame = /#\d+ 0x[0-9a-f]+ in (lode::\S+|tree_sitter_\S+|ts_\S+|scan\S*|git_\S+)/;

export class Failure extends Error {
  // kind: one word; message: the same for the same cause; details: what differs.
  constructor(kind, message, details = "") {
    super(message);
    this.kind = kind;
    this.details = details;
  }

  // The same for failures that most likely have one cause.
  get signature() {
    return `${this.kind}: ${this.message}`
      .replace(/0x[0-9a-f]+/g, "0x…")
      .replace(/==\d+==/g, "")
      .replace(/(?<![\w.:])\d{3,}/g, "…")
      .replace(/[^\s:]*\/(\w+\.\w+)/g, "$1");
  }
}

// What a sanitizer or an assertion said in a log, in one line; empty: nothing.
export function complaint(log) {
  const lines = log.match(sanitizer);
  if (lines === null) return "";
  const at = frame.exec(log);
  return `${lines[0].trim().slice(0, 300)}${at ? ` in ${at[1]}` : ""}`;
}

// Exceptions that input made and that only the last wall stopped: the client was
// told of an internal error. From the program's own log.
export function thrown(log) {
  return [...log.matchAll(/"event":"provider threw","provider":"([^"]*)","what":"([^"[]*)/g)].map(([, provider, what]) => new Failure("threw", `${provider}: ${what.trim()}`));
}
