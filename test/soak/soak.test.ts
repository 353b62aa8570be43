import { setTimeout as delay } from 'node:timers/promises'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { openTemporaryFolder } from '../helpers/temporary.js'
import type { Workload } from '../power/workload.js'
import type { Call } from './caller.js'
import type { KilledProgram } from './program.js'
import { runSoak } from './soak.js'

const soak = suite('soak')
const place = openTemporaryFolder()
soak.after(() => place.close())

/** The kinds of answers of the load. */
const answers = [
  ...['pet-avatar/generate 200', 'pet-avatar/generate, repeated 200', 'pet-animation/generate 200'],
  ...['pet-diary-images/generate 200', 'pet-diary-image-libraries/select 200', 'pet-avatars/feedback 200'],
  ...['health-detail-insights/generate 200', 'health-detail-insights/generate 422', 'home-insights/generate 200'],
].map((kind) => `POST /v1/${kind}`)
const others = ['DELETE /v1/pet-animation/tasks/… 204', 'GET /v1/ai-insights 200', 'GET /objects/… 200']
const commands = ['key create', 'key revoke', 'usage --by']

/** After this time the load ends, and the test lists the kinds that are missing. */
const longestMs = 300_000

/** Keyed calls, which all make tasks. */
const taskKinds: Readonly<Record<string, (call: Call) => boolean>> = {
  'an avatar of an uploaded photo': ({ body }) => Buffer.isBuffer(body),
  'an avatar of a photo at a URL': ({ body, path }) => path.includes('pet-avatar/') && !Buffer.isBuffer(body),
  'diary pictures': ({ path }) => path.includes('pet-diary-images/'),
}

/** Lists the kinds of calls that were not answered yet. */
function listMissing({ caller, commands: run }: KilledProgram): string[] {
  const answered = [...caller.answers].flatMap(([kind, statuses]) =>
    [...statuses.keys()].map((one) => `${kind} ${one}`),
  )
  return [
    ...[...answers, ...others].filter((kind) => !answered.includes(kind)),
    ...commands.filter((command) => !run.has(command)),
    ...Object.keys(taskKinds).filter((kind) => !caller.keyed.some((call) => taskKinds[kind]?.(call))),
  ]
}

/** Kills the server twice in the middle of its work. Ends when calls of all kinds were answered, or never will be. */
async function* killTwice(program: KilledProgram, { promised }: Workload): AsyncGenerator<void> {
  const endMs = Date.now() + longestMs
  const waitFor = async (isReached: () => boolean) => {
    while (!isReached() && Date.now() < endMs) await delay(20)
  }
  for (let kills = 0; kills < 2; kills++) {
    const [tasks, facts] = [program.caller.keyed.length, promised.length]
    await waitFor(() => promised.length >= facts + 100 && program.caller.keyed.length >= tasks + 3)
    yield
  }
  await waitFor(() => listMissing(program).length === 0)
}

soak('agrees with every answer to the row, after two kills in mixed load', async () => {
  const seed = Date.now() % 100_000
  // A machine that runs other tests may take long for the group that is lost 100 ms late at most. `npm run soak` is strict.
  const options = { timeKills: killTwice, seed, lateMs: 2000, restMs: 0 }
  const { program, facts, differences } = await runSoak(place.folder, options)
  assert.is(differences.join('\n'), '', `seed ${seed}`)
  assert.is(program.kills.length, 2)
  assert.equal(listMissing(program), [])
  assert.ok(facts > 200, `${facts} facts`)
})

soak.run()
