/**
 * `npm run bench`: the speed goals as ratios measured in one run. `npm run bench -- word` runs the benches whose name has the
 * word, `--runs 5` runs each five times, and `--markdown` prints the table of the README, without padding.
 */
import { parseArgs } from 'node:util'
import { benchAccepts } from './accepts.js'
import { benchCreates } from './creates.js'
import { benchDemo } from './demo.js'
import { benchDurable } from './durable.js'
import { benchFleet } from './fleet.js'
import { benchGrown } from './grown.js'
import { benchPictures } from './pictures.js'
import { benchReads } from './reads.js'
import type { BenchRow } from './row.js'
import { openWorld, type World } from './server/processes.js'
import { benchMemory, benchServer } from './server.js'
import { benchStalls } from './stalls.js'
import { benchStart } from './starts.js'
import { toTable } from './table.js'
import { benchTasks } from './tasks.js'
import { benchBulk, benchCold, benchCore, benchPeak } from './validate.js'

const benches: Readonly<Record<string, (world: World) => Promise<BenchRow[]>>> = {
  'validate-cold': benchCold,
  'validate-bulk': benchBulk,
  'validate-peak': benchPeak,
  'validate-core': benchCore,
  server: benchServer,
  start: benchStart,
  memory: benchMemory,
  reads: benchReads,
  durable: benchDurable,
  tasks: benchTasks,
  grown: benchGrown,
  creates: benchCreates,
  accepts: benchAccepts,
  stalls: benchStalls,
  pictures: benchPictures,
  demo: benchDemo,
  fleet: benchFleet,
}

const { values, positionals: words } = parseArgs({
  options: { markdown: { type: 'boolean', default: false }, runs: { type: 'string', default: '1' } },
  allowPositionals: true,
})
const count = Number(values.runs)
if (!Number.isInteger(count) || count < 1) throw new Error(`--runs must be an integer from 1, not ${values.runs}`)
const named = Object.entries(benches).filter(
  ([name]) => words.length === 0 || words.some((word) => name.includes(word)),
)
if (named.length === 0) throw new Error(`No bench is named ${words.join()}: ${Object.keys(benches).join()}`)

const runs: BenchRow[][] = []
for (let run = 1; run <= count; run++) {
  const rows: BenchRow[] = []
  for (const [name, bench] of named) {
    process.stderr.write(`measuring ${name}${count > 1 ? `, run ${run} of ${count}` : ''} …\n`)
    const world = openWorld()
    try {
      rows.push(...(await bench(world)))
    } finally {
      await world.close()
    }
  }
  runs.push(rows)
}
const table = toTable(runs)
process.stdout.write(values.markdown ? table.replaceAll(/ {2,}/g, ' ').replaceAll(/-{2,}/g, '---') : table)
