// Writes texts with their tokens, as tiktoken has them, as JSON lines to standard
// output: {"text": …, "tokens": […]}, {"bytes": base64, "tokens": […]} for bytes
// that are not UTF-8, and {"file": path, "tokens": […]} for the files named.
//
//   node generate.mjs [--seed=1] [--texts=12000] [FILE…]

import { readFileSync, writeSync } from 'node:fs'
import { get_encoding } from 'tiktoken'
import { Random } from '../schema/random.mjs'
import { CODE, EDGES, PROSE, makeBytes, makeText } from './texts.mjs'

function option(name, otherwise) {
  const given = process.argv.find(argument => argument.startsWith(`--${name}=`))
  return given ? Number(given.slice(name.length + 3)) : otherwise
}

const random = new Random(option('seed', 200019))
const texts = option('texts', 12000)
const files = process.argv.slice(2).filter(argument => !argument.startsWith('--'))
const encoding = get_encoding('o200k_base')

function write(line) {
  let left = Buffer.from(`${JSON.stringify(line)}\n`)
  while (left.length > 0) {
    try {
      left = left.subarray(writeSync(1, left))
    } catch (error) {
      if (error.code !== 'EAGAIN') throw error
    }
  }
}

const tokens = text => Array.from(encoding.encode_ordinary(text))

for (const text of [...EDGES, ...PROSE, ...CODE]) write({ text, tokens: tokens(text) })
for (let i = 0; i < texts; ++i) {
  const text = makeText(random)
  write({ text, tokens: tokens(text) })
}
for (let i = 0; i < texts / 10; ++i) {
  const bytes = makeBytes(random)
  // A byte order mark is text here; decoding must not swallow it.
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
  write({ bytes: bytes.toString('base64'), tokens: tokens(text) })
}
for (const file of files) write({ file, tokens: tokens(readFileSync(file, 'utf8')) })
