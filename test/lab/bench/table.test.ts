import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type BenchRow, median, ratiosOf } from './row.js'
import { toTable } from './table.js'

const table = suite('the table of the bench')

const row = (values: readonly number[], more: Partial<BenchRow> = {}): BenchRow => ({
  id: 'one',
  what: 'work',
  values,
  unit: 'x',
  direction: 'at most',
  goal: 1.15,
  ...more,
})
const readCells = (runs: readonly (readonly BenchRow[])[], line = 2) =>
  (toTable(runs).split('\n')[line] ?? '')
    .split('|')
    .map((cell) => cell.trim())
    .slice(1, -1)

table('gives the median of the runs, and their range', () => {
  const runs = [[row([1, 1.1, 9])], [row([1.3, 1.2, 1.2])], [row([1.14])]]
  assert.equal(readCells(runs), ['work', '1.14 x', '1.1 to 1.2', 'at most 1.15 x', 'yes', ''])
})

table('gives the range of the rounds of one run', () => {
  assert.equal(readCells([[row([1, 3, 2])]]).slice(1, 3), ['2 x', '1 to 3'])
})

table('says of a row that it is not met, in both directions', () => {
  assert.is(readCells([[row([1.16])]])[4], '**no**')
  assert.is(readCells([[row([1.14], { direction: 'at least' })]])[4], '**no**')
  assert.is(readCells([[row([1.16], { direction: 'at least' })]])[4], 'yes')
})

table('shows why a row was not measured, and leaves a run without it out of the others', () => {
  const skipped = row([], { note: 'skipped: no browser' })
  assert.equal(readCells([[skipped]]).slice(1), ['not measured', '-', 'at most 1.15 x', '-', 'skipped: no browser'])
  assert.is(readCells([[row([1])], [skipped]])[1], '1 x')
})

table('shows a measure without a goal', () => {
  assert.equal(readCells([[row([299.4], { unit: 'ms', goal: undefined })]]).slice(1, 5), [
    '299 ms',
    '299 to 299',
    '-',
    '-',
  ])
})

table('compares the rounds that ran side by side', () => {
  assert.is(median(ratiosOf([2, 40, 6], [1, 20, 2], (value) => value)), 2)
})

table.run()
