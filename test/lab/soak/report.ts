import type { Caller } from './caller.js'

const maxShown = 50

export const print = (line: string) => void process.stdout.write(`${line}\n`)

/** Writes names and numbers as a list. */
export const toText = (counts: Iterable<readonly [string, number]>, toNumber: (number: number) => string = String) =>
  [...counts].map(([name, number]) => `${name} ${toNumber(number)}`).join(', ')

/** Prints the answers of a run, other lines about it, and its differences, with which it fails. */
export function printReport({ answers }: Caller, lines: readonly string[], differences: readonly string[]): void {
  const kinds = [...answers].sort(([one], [other]) => (one < other ? -1 : 1))
  for (const [kind, counts] of kinds) print(`  ${kind.padEnd(52)} ${toText(counts)}`)
  for (const line of lines) print(line)
  for (const difference of differences.slice(0, maxShown)) print(`  ${difference}`)
  print(`${differences.length} differences`)
  process.exitCode = differences.length > 0 ? 1 : 0
}
