/** `npm run bench`: the speed goals as ratios measured in one run. `npm run bench -- word` runs what the word names. */
import { benchCreates } from './creates.js'
import { benchDemo } from './demo.js'
import { benchDurable } from './durable.js'
import { benchFleet } from './fleet.js'
import { benchPictures } from './pictures.js'
import type { BenchRow } from './row.js'
import { benchServer } from './server.js'
import { benchStalls } from './stalls.js'
import { benchTasks } from './tasks.js'
import { benchValidate } from './validate.js'

const benches: Readonly<Record<string, () => Promise<BenchRow[]>>> = {
  validate: benchValidate,
  server: benchServer,
  tasks: benchTasks,
  creates: benchCreates,
  durable: benchDurable,
  stalls: benchStalls,
  fleet: benchFleet,
  pictures: benchPictures,
  demo: benchDemo,
}

const words = process.argv.slice(2)
const rows: BenchRow[] = []
for (const [name, bench] of Object.entries(benches)) {
  if (words.length > 0 && !words.some((word) => name.includes(word))) continue
  process.stderr.write(`measuring ${name} …\n`)
  rows.push(...(await bench()))
}

const cells = [
  ['What', 'Measured', 'Goal', 'Met'],
  ...rows.map(({ what, measured, goal, met }) => [what, measured, goal, met === undefined ? '-' : met ? 'yes' : 'no']),
]
const widths = [0, 1, 2, 3].map((column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)))
const toLine = (row: readonly string[]) =>
  `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |\n`
const [head = [], ...body] = cells
process.stdout.write(toLine(head))
process.stdout.write(`| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |\n`)
for (const row of body) process.stdout.write(toLine(row))
