// run: fleet
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type RunningSvc, runSvc, startSvc } from '../helpers/svc.js'
import { openSession } from '../helpers/svc-session.js'
import { openTemporaryFolder } from '../helpers/temporary.js'

const home = suite('svc home')
let place: ReturnType<typeof openTemporaryFolder>
let dataDir: string
let server: RunningSvc | undefined
const session = openSession()
home.before(() => {
  place = openTemporaryFolder()
  dataDir = join(place.folder, 'data')
})
home.after(async () => {
  server?.child.kill('SIGTERM')
  await server?.ended
  await session.close()
  place.close()
})

const generate = (args: readonly string[]) => session.run(['home', 'generate', ...args, '--data-dir', dataDir])
const mochi = ['--pet-name', 'Mochi', '--species', 'dog', '--pet-id', 'p1', '--user-id', 'u1', '--date', '2026-06-16']

home('prints the cards, the most important first', async () => {
  const { status, stdout, stderr } = await generate([...mochi, '--fact', 'rest_minutes=480', 'birthday=2023-06-16'])
  assert.is(status, 0, stderr)
  assert.is(
    stdout,
    [
      'Happy birthday!',
      "  Mochi turns 3 today. Here's to another happy year together.",
      "Last night's rest",
      '  Mochi rested for 8\u00A0h last night.',
      '',
    ].join('\n'),
  )
})

home('reads facts from a file, which single facts change', async () => {
  const file = join(place.folder, 'day.json')
  writeFileSync(file, '{"bark_count": 3, "streak_days": 5}')
  const { status, stdout, stderr } = await generate([
    file,
    ...mochi,
    '--fact',
    'bark_count=4',
    '--locale',
    'es',
    '--json',
  ])
  assert.is(status, 0, stderr)
  const answer = JSON.parse(stdout)
  assert.equal([answer.user_id, answer.pet_id, answer.locale, answer.date], ['u1', 'p1', 'es', '2026-06-16'])
  assert.equal(
    answer.insights.map(({ body }: { body: string }) => body),
    ['Mochi ha alcanzado la meta de actividad 5 días seguidos.', 'Mochi ha ladrado 4 veces hoy.'],
  )
})

home('reads facts from standard input, and an ID of digits as a text', () => {
  const { status, stdout, stderr } = runSvc(['home', 'generate', '-', '--fact', 'diary_id=7', '--data-dir', dataDir], {
    input: '{"temperature_celsius": 30.5}',
  })
  assert.is(status, 0, stderr)
  assert.equal(
    stdout.split('\n').filter((line) => /^\S/.test(line)),
    ['Hot out today', "Today's diary is ready"],
  )
})

home('answers the same over the network', async () => {
  const args = [...mochi, '--fact', 'weather=snow', '--json']
  const { request_id: _, ...near } = JSON.parse((await generate(args)).stdout)
  server = startSvc(['serve', '--port', '0', '--json', '--data-dir', dataDir])
  const { url } = JSON.parse(await server.nextLine())
  const { request_id: __, ...far } = JSON.parse((await generate([...args, '--url', url])).stdout)
  assert.equal(far, near)
})

const wrong: readonly (readonly [what: string, args: readonly string[], status: number, said: string])[] = [
  ['a fact out of range', ['--fact', 'rest_minutes=2000'], 1, '`facts.rest_minutes` must be a number from 0 to 1440'],
  ['another species', ['--species', 'bird'], 1, '`species` must be dog or cat'],
  ['a fact without a value', ['--fact', 'weather'], 2, 'as in --fact streak_days=3, not weather'],
  ['a file that is not there', ['nowhere.json'], 2, 'nowhere.json cannot be read'],
  ['a file that is not JSON', [import.meta.filename], 2, 'must be a JSON object of facts'],
]
for (const [what, args, expected, said] of wrong) {
  home(`exits ${expected} for ${what}`, async () => {
    const { status, stdout, stderr } = await generate(args)
    assert.equal([status, stdout], [expected, ''])
    assert.match(stderr, said)
  })
}

const strange: readonly (readonly [fact: string, said: RegExp])[] = [
  [
    'activity_minuts=50',
    /^svc: The fact "activity_minuts" is unknown and has no effect: did you mean activity_minutes\?\n$/,
  ],
  ['nonsense=1', /^svc: The fact "nonsense" is unknown and has no effect: the facts are activity_minutes, /],
  ['weather=lava', /^svc: The weather "lava" is unknown and gets no card: it takes storm, snow, /],
  ['weather=rian', /^svc: The weather "rian" is unknown and gets no card: did you mean rain\?\n$/],
]
for (const [fact, said] of strange) {
  home(`makes cards and warns of --fact ${fact}`, async () => {
    const { status, stdout, stderr } = await generate(['--fact', fact])
    assert.is(status, 0)
    assert.match(stdout, 'Welcome!')
    assert.match(stderr, said)
  })
}

home('does not warn about known weather, in any spelling', async () => {
  const { stderr } = await generate(['--fact', 'weather=Partly_Cloudy', 'diary_ready=false'])
  assert.is(stderr, '')
})

home.run()
