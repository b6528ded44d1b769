// The directories that the servers serve, made anew for each run.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const prose =
  'A lode is a vein of ore in the rock, followed underground by those who know how to read stone. ' +
  'Where it widens they stay, where it thins they ask "which way did it dip?" and go on.\n';

// Text of that many bytes, which begins with its size.
export function textOf(bytes) {
  const head = `Sample of ${bytes} bytes.\n`;
  return (head + prose.repeat(Math.ceil(bytes / prose.length))).slice(0, bytes - 1) + '\n';
}

export const sizes = { 300: textOf(300), 20000: textOf(20_000) };

function pathOf(directory, n) {
  const part = (value) => String(value).padStart(3, '0');
  return join(directory, part(Math.floor(n / 1000)), `${part(n % 1000)}.txt`);
}

function fill(directory, count, text) {
  for (let n = 0; n < count; n += 1) {
    if (n % 1000 === 0) mkdirSync(join(pathOf(directory, n), '..'), { recursive: true });
    writeFileSync(pathOf(directory, n), text);
  }
}

// Denials of addresses that nobody reads, of the shapes that people write.
export const ruleKinds = {
  directories: 'file:///srv/projects/closed-N/**',
  'names anywhere': 'file:///**/private-N/**',
  endings: 'file:///**/*.kindN',
  alternatives: 'file:///**/{draft,old}-N/**',
};

// A rule that permits, after so many that do not concern what is read.
function policyOf(rules, kind) {
  const rule = (effect, uri) =>
    `[[rule]]\neffect = "${effect}"\nroles = ["*"]\nactions = ["list", "read", "subscribe"]\nuris = ["${uri}"]\n`;
  const denials = Array.from({ length: rules - 1 }, (_, i) =>
    rule('deny', ruleKinds[kind].replace('N', String(i))));
  return [...denials, rule('allow', '**')].join('\n');
}

export class Site {
  constructor() {
    this.root = mkdtempSync(join(tmpdir(), 'lode-bench-'));
    this.workspace = join(this.root, 'workspace');
    this.watched = join(this.workspace, 'watched.txt');
    this.many = join(this.root, 'many');
    this.state = join(this.root, 'state');
    mkdirSync(this.workspace);
    mkdirSync(this.state);
  }

  // One hundred files that are listed (Lode lists a workspace's readmes and
  // directories), some that are not, and `cold` of each size.
  makeWorkspace(cold) {
    writeFileSync(this.watched, 'watched\n');
    for (const [bytes, text] of Object.entries(sizes)) {
      writeFileSync(join(this.workspace, `doc-${bytes}.txt`), text);
      fill(join(this.workspace, '.cold', bytes), cold, text);
    }
    for (let i = 0; i < 100; i += 1) {
      writeFileSync(join(this.workspace, `readme-${String(i).padStart(3, '0')}.txt`), sizes[300]);
    }
  }

  makeMany(count) {
    fill(this.many, count, sizes[300]);
  }

  policy(rules, kind) {
    const path = join(this.root, `policy-${rules}-${Object.keys(ruleKinds).indexOf(kind)}.toml`);
    writeFileSync(path, policyOf(rules, kind));
    return path;
  }

  uri(...parts) {
    return `file://${join(...parts)}`;
  }

  remove() {
    rmSync(this.root, { recursive: true, force: true });
  }
}
