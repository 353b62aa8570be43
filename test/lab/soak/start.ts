/** Works on a server that is killed again and again: `npm run soak -- --minutes 30 --kill-every 20s --late 150 --seed 1`. */
import { parseArgs } from 'node:util'
import { openTemporaryFolder } from '../../helpers/temporary.js'
import { listMissing } from './missing.js'
import { killEvery, runSoak, type SoakReport } from './soak.js'

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '30' },
    /** `0s` lets one server run to the end, which shows how its memory grows. */
    'kill-every': { type: 'string', default: '20s' },
    late: { type: 'string', default: '150' },
    seed: { type: 'string', default: String(Date.now() % 100_000) },
  },
})
const minutes = Number(values.minutes)
const killEverySeconds = Number(/^(\d+)s$/.exec(values['kill-every'])?.[1])
if (!(minutes > 0 && killEverySeconds >= 0)) throw new Error('Call it like this: --minutes 30 --kill-every 20s')
/** A long run also measures the memory at rest. */
const restMs = minutes >= 5 ? 30_000 : 0
const maxPeakMb = 450
const maxRestMb = 250
const maxShown = 50

const place = openTemporaryFolder()
try {
  print(`seed ${values.seed}`)
  const report = await runSoak(place.folder, {
    ...{ seed: Number(values.seed), lateMs: Number(values.late), restMs },
    timeKills: killEvery(killEverySeconds * 1000 || Number.POSITIVE_INFINITY, minutes),
  })
  const missing = minutes >= 1 ? listMissing(report.program) : []
  const differences = [...report.differences, ...missing, ...findExcess(report)]
  for (const line of describe(report)) print(line)
  for (const difference of differences.slice(0, maxShown)) print(`  ${difference}`)
  print(`${differences.length} differences`)
  process.exitCode = differences.length > 0 ? 1 : 0
} finally {
  place.close()
}

function findExcess({ peak, atRest }: SoakReport): string[] {
  return [
    ...(peak.server > maxPeakMb ? [`The server used more than ${maxPeakMb} MB.`] : []),
    ...(restMs > 0 && atRest.server > maxRestMb ? [`The server uses more than ${maxRestMb} MB at rest.`] : []),
  ]
}

function describe({ program, facts, peak, atRest, leftovers }: SoakReport): string[] {
  const kinds = [...program.caller.answers].sort(([one], [other]) => (one < other ? -1 : 1))
  const toText = (value: object, describeNumber: (number: number) => string = String) =>
    Object.entries(value)
      .map(([name, number]) => `${name} ${describeNumber(number)}`)
      .join(', ')
  const toMb = (number: number) => `${number.toFixed()} MB`
  return [
    ...kinds.map(([kind, counts]) => `  ${kind.padEnd(52)} ${toText(Object.fromEntries(counts))}`),
    `minutes      ${minutes}`,
    `kills        ${program.kills.length}`,
    `facts        ${facts}`,
    `peak memory  ${toText(peak, toMb)}`,
    ...(restMs > 0 ? [`at rest      ${toText(atRest, toMb)}`] : []),
    `left over    ${toText(leftovers)}`,
  ]
}

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}
