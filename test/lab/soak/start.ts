/** Works on a server that is killed again and again: `npm run soak -- --minutes 30 --kill-every 20s --late 150 --seed 1`. */
import { parseArgs } from 'node:util'
import { openTemporaryFolder } from '../../helpers/temporary.js'
import type { Call } from './caller.js'
import type { KilledProgram } from './program.js'
import { print, printReport, toText } from './report.js'
import { killEvery, runSoak } from './soak.js'

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

/** The kinds of answers of the load. */
const answers = [
  ...['pet-avatar/generate 200', 'pet-avatar/generate, repeated 200', 'pet-animation/generate 200'],
  ...['pet-diary-images/generate 200', 'pet-diary-image-libraries/select 200', 'pet-avatars/feedback 200'],
  ...['health-detail-insights/generate 200', 'health-detail-insights/generate 422', 'home-insights/generate 200'],
].map((kind) => `POST /v1/${kind}`)
const others = ['DELETE /v1/pet-animation/tasks/… 204', 'GET /v1/ai-insights 200', 'GET /objects/… 200']
const commands = ['key create', 'key revoke', 'usage --by']

/** Keyed calls, which all make tasks. */
const taskKinds: Readonly<Record<string, (call: Call) => boolean>> = {
  'avatar of an uploaded photo': ({ body }) => Buffer.isBuffer(body),
  'avatar of a photo at a URL': ({ body, path }) => path.includes('pet-avatar/') && !Buffer.isBuffer(body),
  'task of diary pictures': ({ path }) => path.includes('pet-diary-images/'),
}

const place = openTemporaryFolder()
try {
  print(`seed ${values.seed}`)
  const report = await runSoak(place.folder, {
    ...{ seed: Number(values.seed), lateMs: Number(values.late), restMs },
    timeKills: killEvery(killEverySeconds * 1000 || Number.POSITIVE_INFINITY, minutes),
  })
  const { program, peak, atRest } = report
  const toMb = (number: number) => `${number.toFixed()} MB`
  const lines = [
    `minutes      ${minutes}`,
    `kills        ${program.kills.length}`,
    `facts        ${report.facts}`,
    `peak memory  ${toText(Object.entries(peak), toMb)}`,
    ...(restMs > 0 ? [`at rest      ${toText(Object.entries(atRest), toMb)}`] : []),
    `left over    ${toText(Object.entries(report.leftovers))}`,
  ]
  printReport(program.caller, lines, [
    ...report.differences,
    ...(minutes >= 1 ? listMissing(program) : []),
    ...(peak.server > maxPeakMb ? [`The server used more than ${maxPeakMb} MB.`] : []),
    ...(restMs > 0 && atRest.server > maxRestMb ? [`The server uses more than ${maxRestMb} MB at rest.`] : []),
  ])
} finally {
  place.close()
}

/** Lists what the load should have in a minute, and did not have: answers, commands and tasks, in sentences. */
function listMissing({ caller, commands: run }: KilledProgram): string[] {
  const answered = [...caller.answers].flatMap(([kind, statuses]) =>
    [...statuses.keys()].map((one) => `${kind} ${one}`),
  )
  return [
    ...[...answers, ...others].filter((kind) => !answered.includes(kind)).map((kind) => `no answer ${kind}`),
    ...commands.filter((command) => !run.has(command)).map((command) => `no svc ${command}`),
    ...Object.keys(taskKinds)
      .filter((kind) => !caller.keyed.some((call) => taskKinds[kind]?.(call)))
      .map((kind) => `no ${kind}`),
  ]
}
