/** Works on three machines to which everything happens: `npm run chaos -- --rounds 10 --late 150 --seed 1 --older DIR`. */
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { fleetObstacle } from '../../helpers/fleet.js'
import { openTemporaryFolder } from '../../helpers/temporary.js'
import { print, printReport, toText } from '../soak/report.js'
import { runChaos } from './chaos.js'

const { values } = parseArgs({
  options: {
    /** A round takes about two minutes. */
    rounds: { type: 'string', default: '1' },
    late: { type: 'string', default: '150' },
    seed: { type: 'string', default: String(Date.now() % 100_000) },
    /** A folder with the version before, built. */
    older: { type: 'string' },
  },
})
const rounds = Number(values.rounds)
if (!(rounds >= 1)) throw new Error('Call it like this: --rounds 10')

const place = openTemporaryFolder()
try {
  if (fleetObstacle === undefined) await run()
  else print(`skipped: ${fleetObstacle}`)
} finally {
  place.close()
}

async function run(): Promise<void> {
  print(`seed ${values.seed}`)
  const { caller, facts, cuts, leftovers, differences } = await runChaos(place.folder, {
    ...{ rounds, seed: Number(values.seed), lateMs: Number(values.late) },
    older: values.older && resolve(values.older, 'bin/svc.js'),
    report: (line) => print(`${new Date().toISOString()} ${line}`),
  })
  const lines = [
    `facts      ${facts}`,
    ...[...cuts].map(([commit, count]) => `cut        ${count} times ${commit}`),
    `left over  ${toText(Object.entries(leftovers))}`,
  ]
  printReport(caller, lines, differences)
}
