import { type BenchRow, median } from './row.js'

/**
 * Writes the table of some runs in Markdown: the median of the medians of the runs, and their range; of one run, the range
 * of its rounds.
 */
export function toTable(runs: readonly (readonly BenchRow[])[]): string {
  const rows = (runs.at(-1) ?? []).map((row) => {
    const measured = runs.flatMap((run) => run.filter(({ id, values }) => id === row.id && values.length > 0))
    const values = measured.length > 1 ? measured.map((one) => median(one.values)) : (measured[0]?.values ?? [])
    return toCells(row, values)
  })
  const cells = [['What', 'Median', 'Range', 'Goal', 'Met', 'Of the last run'], ...rows]
  const widths = cells[0]?.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0))) ?? []
  const toLine = (row: readonly string[]) => `| ${row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(' | ')} |\n`
  const [head = [], ...body] = cells
  return [head, widths.map((width) => '-'.repeat(width)), ...body].map(toLine).join('')
}

function toCells({ what, unit, direction, goal, note = '' }: BenchRow, values: readonly number[]): string[] {
  const goalText = goal === undefined ? '-' : `${direction} ${toText(goal, unit)}`
  if (values.length === 0) return [what, 'not measured', '-', goalText, '-', note]
  const middle = median(values)
  const range = `${toNumber(Math.min(...values))} to ${toNumber(Math.max(...values))}`
  const isMet = goal === undefined ? undefined : direction === 'at least' ? middle >= goal : middle <= goal
  return [what, toText(middle, unit), range, goalText, isMet === undefined ? '-' : isMet ? 'yes' : '**no**', note]
}

const toText = (value: number, unit: BenchRow['unit']) => [toNumber(value), unit].join(' ').trim()

/** Three digits, as many as such a measurement holds. */
const toNumber = (value: number) => (value < 100 ? String(Number(value.toPrecision(3))) : value.toFixed(0))
