/**
 * Compares the fast validator with the plain one on many mutated lines: `npm run fuzz -- --lines 1000000 --seed 7`.
 * The same seed gives the same lines.
 */
import { parseArgs } from 'node:util'
import { compareLines, compareSegments } from './compare.js'

const { values } = parseArgs({ options: { lines: { type: 'string' }, seed: { type: 'string' } } })
const lines = toWhole('lines', values.lines ?? '1000000')
const seed = toWhole('seed', values.seed ?? String(Date.now() % 2 ** 31))

process.stdout.write(`${lines} lines, seed ${seed}\n`)
const started = performance.now()
const { valid, accepted } = compareLines({ lines, seed })
await compareSegments({ lines: lines / 10, seed })
const seconds = ((performance.now() - started) / 1000).toFixed(0)
process.stdout.write(
  `No difference in ${seconds} s; ${valid} lines are valid, the fast validator accepts ${accepted}.\n`,
)

function toWhole(name: string, text: string): number {
  if (/^-?\d{1,10}$/.test(text)) return Number(text)
  throw new RangeError(`--${name} is "${text}", but must be a whole number.`)
}
