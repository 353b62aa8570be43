// run: fleet
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { serveFolder } from '../helpers/app.js'
import { runSvc } from '../helpers/svc.js'
import { openSession } from '../helpers/svc-session.js'
import { openTemporaryFolder } from '../helpers/temporary.js'

const home = suite('svc home')
let place: ReturnType<typeof openTemporaryFolder>
let dataDir: string
const session = openSession()
home.before(() => {
  place = openTemporaryFolder()
  dataDir = join(place.folder, 'data')
})
home.after(async () => {
  await session.close()
  place.close()
})

const generate = (args: readonly string[]) => session.run(['home', 'generate', ...args, '--data-dir', dataDir])
const mochi = ['--pet-name', 'Mochi', '--species', 'dog', '--pet-id', 'p1', '--user-id', 'u1', '--date', '2026-06-16']

interface Card {
  readonly type: string
  readonly title: string
  readonly body: string
}
const cardsOf = (stdout: string): readonly Card[] => JSON.parse(stdout).insights
const typesOf = (stdout: string) => cardsOf(stdout).map(({ type }) => type)

home('prints the cards, the most important first', async () => {
  const args = [...mochi, '--fact', 'rest_minutes=480', 'birthday=2023-06-16']
  const { status, stdout, stderr } = await generate(args)
  assert.is(status, 0, stderr)
  const json = (await generate([...args, '--json'])).stdout
  assert.equal(typesOf(json), ['birthday', 'rest'])
  assert.is(
    stdout,
    cardsOf(json)
      .map(({ title, body }) => `${title}\n  ${body}\n`)
      .join(''),
  )
})

home('reads facts from a file, which single facts change', async () => {
  const file = join(place.folder, 'day.json')
  writeFileSync(file, '{"bark_count": 3, "streak_days": 5}')
  const options = ['--fact', 'bark_count=4', '--locale', 'es', '--json']
  const { status, stdout, stderr } = await generate([file, ...mochi, ...options])
  assert.is(status, 0, stderr)
  const answer = JSON.parse(stdout)
  assert.equal([answer.user_id, answer.pet_id, answer.locale, answer.date], ['u1', 'p1', 'es', '2026-06-16'])
  assert.equal(
    cardsOf(stdout).map(({ type, body }) => [type, /\d+/.exec(body)?.[0]]),
    [
      ['streak', '5'],
      ['bark', '4'],
    ],
  )
})

home('reads facts from standard input, and an ID of digits as a text', () => {
  const args = ['home', 'generate', '-', '--fact', 'diary_id=7', '--json', '--data-dir', dataDir]
  const { status, stdout, stderr } = runSvc(args, { input: '{"temperature_celsius": 30.5}' })
  assert.is(status, 0, stderr)
  assert.equal(typesOf(stdout), ['weather', 'diary'])
})

home('answers the same over the network', async () => {
  const args = [...mochi, '--fact', 'weather=snow', '--json']
  const { request_id: _, ...near } = JSON.parse((await generate(args)).stdout)
  const { url, close } = await serveFolder(dataDir)
  const { request_id: __, ...far } = JSON.parse((await generate([...args, '--url', url])).stdout)
  await close()
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
    assert.match(stdout, /^\S.*\n {2}\S/)
    assert.match(stderr, said)
  })
}

home('does not warn about known weather, in any spelling', async () => {
  const { stderr } = await generate(['--fact', 'weather=Partly_Cloudy', 'diary_ready=false'])
  assert.is(stderr, '')
})

home.run()
