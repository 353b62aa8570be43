// run: takes 4 s, fleet
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { serveFolder } from '../helpers/app.js'
import { program } from '../helpers/svc.js'
import { openSession } from '../helpers/svc-session.js'
import { openTemporaryFolder } from '../helpers/temporary.js'

const clock = suite('svc clock')
let place: ReturnType<typeof openTemporaryFolder>
let dataDir: string
let number = 0
clock.before(() => {
  place = openTemporaryFolder()
})
clock.before.each(async () => {
  dataDir = join(place.folder, `data-${number++}`)
  await session.run(['key', 'create', '--name', 'k', '--data-dir', dataDir])
})
clock.after(() => place.close())
const session = openSession()
clock.after(session.close)
const run = (args: readonly string[], env: Record<string, string> = {}) =>
  session.run(['clock', ...args, '--data-dir', dataDir], { env })

clock('shows, moves and resets the clock of a data directory', async () => {
  const { status, stdout } = await run(['show'])
  assert.is(status, 0)
  assert.match(stdout, /^\d{4}-\d\d-\d\dT[\d:.]+Z, the real time\n$/)
  assert.match((await run(['advance', '25h'])).stdout, /Z, the real time plus 1 d 1 h\n$/)
  assert.match((await run(['advance', '30m'])).stdout, /the real time plus 1 d 1 h 30 m\n$/)
  assert.is(JSON.parse((await run(['show', '--json'])).stdout).offset_seconds, 25.5 * 3600)
  assert.match((await run(['set', '2026-12-24'])).stdout, /^2026-12-24T00:00:0/)
  assert.match((await run(['set', '2026-12-24T10:00+01:00'])).stdout, /^2026-12-24T09:00:0/)
  assert.match((await run(['reset'])).stdout, /Z, the real time\n$/)
})

clock('moves the clock of a running server within a second, and by its address at once', async () => {
  const { url, close } = await serveFolder(dataDir)
  const made = await session.run(['key', 'create', '--name', 'a', '--admin', '--json', '--data-dir', dataDir])
  const { key } = JSON.parse(made.stdout)
  const ask = async (...args: string[]) =>
    JSON.parse((await session.run(['clock', ...args, '--url', url, '--key', key, '--json'])).stdout).offset_seconds
  try {
    assert.is(await ask('advance', '1h'), 3600)
    assert.is(JSON.parse((await run(['show', '--json'])).stdout).offset_seconds, 3600)
    await run(['advance', '1h'])
    const movedAt = performance.now()
    while ((await ask('show')) !== 7200) assert.ok(performance.now() - movedAt < 100_000, 'the server does not follow')
  } finally {
    await close()
  }
})

const invalid: readonly (readonly [string, readonly string[], RegExp])[] = [
  ['a time without a unit', ['advance', '25'], /The time is "25"; it must be a number with s, m, h or d/],
  ['a step back', ['advance', '-1h'], /The time is "-1h"; it must be a step forward; svc clock set sets/],
  ['a time with a fraction', ['advance', '1.5h'], /such as 1h\. Did you mean 90m\?/],
  ['a time of two units', ['advance', '1h30m'], /Did you mean 90m\?/],
  ['a time in words', ['advance', '2 weeks'], /Did you mean 14d\?/],
  ['a month, which has no length', ['advance', '1month'], /such as 1h\.$/m],
  ['now', ['set', 'now'], /svc clock reset sets the clock to the real time/],
  ['a step for a moment', ['set', '+1h'], /svc clock advance 1h is a step/],
  ['seconds since 1970', ['set', '1798000000'], /Did you mean 2026-12-23T04:26:40Z\?/],
  ['a time after a blank', ['set', '2026-12-24 10:00+01:00'], /Did you mean 2026-12-24T10:00\+01:00\?/],
  ['a time of a day that does not exist', ['set', '2026-02-30T09:00'], /to 2099\.$/m],
  ['a day with points', ['set', '24.12.2026'], /Did you mean 2026-12-24\?/],
  ['a day in words', ['set', 'tomorrow'], /it must be a day such as 2026-12-24 .* or a time such as .* to 2099\.$/m],
  ['no step', ['advance', '0s'], /`advance_seconds`/],
  ['a day that does not exist', ['set', '2026-02-30'], /The time is "2026-02-30"; it must be a day such as/],
  ['a time without a zone', ['set', '2026-12-24T09:00'], /Did you mean 2026-12-24T09:00Z\?/],
  ['another century', ['set', '1999-12-31'], /from the year 2000 to 2099/],
]
clock('refuses a time that says no moment, and changes nothing', async () => {
  for (const [what, args, message] of invalid) {
    const { status, stderr } = await run(args)
    assert.ok(status === 1 || status === 2, `${what}: ${status}`)
    assert.match(stderr, message, what)
  }
  assert.match((await run(['show'])).stdout, /, the real time\n$/)
})

clock('is refused in production, as is a start with a moved clock', async () => {
  const production = { SVC_ENV: 'production' }
  for (const args of [['show'], ['advance', '1h']]) {
    const { status, stderr } = await run(args, production)
    assert.is(status, 2)
    assert.match(stderr, /^svc: The clock is the real time while SVC_ENV is production/)
  }
  await run(['advance', '1h'])
  for (const command of [
    ['serve', '--port', '0'],
    ['key', 'list'],
  ]) {
    const { status, stderr } = await session.run([...command, '--data-dir', dataDir], { env: production })
    assert.is(status, 2)
    assert.match(
      stderr,
      /^svc: The clock of this service is the real time plus 1 h, for tests; with SVC_ENV=production/,
    )
  }
  assert.is((await run(['reset'])).status, 0)
  assert.is((await session.run(['key', 'list', '--data-dir', dataDir], { env: production })).status, 0)
})

clock('is noted by svc doctor and for the operator of a server, with the command that resets it', async () => {
  const note =
    /The clock of the service is the real time plus 1 h, for tests\. Reset it: .* clock reset --(data-dir \S+data-\d+|database \S+)\n/
  const check = async () => (await session.run(['doctor', '--data-dir', dataDir], { env: { SVC_PORT: '0' } })).stdout
  await run(['advance', '1h'])
  assert.match(await check(), note)
  const { app, close } = await serveFolder(dataDir)
  assert.match(`${await app.listNotices()}\n`, note)
  await close()
  await run(['reset'])
  assert.not.match(await check(), note)
})

clock('starts at a time with svc exec --at, for the server and for commands', async () => {
  const show = [process.execPath, program, 'clock', 'show']
  const { status, stdout } = await session.run(['exec', '--at', '2026-12-24T09:00:00Z', '--', ...show])
  assert.is(status, 0)
  assert.match(stdout, /^2026-12-24T09:00:\d\d/)
  const wrong = await session.run(['exec', '--at', 'tomorrow', '--', 'true'])
  assert.is(wrong.status, 2)
  assert.match(wrong.stderr, /^svc: --at is "tomorrow"; it must be a day such as 2026-12-24/)
  const production = await session.run(['exec', '--at', '2026-12-24', '--', 'true'], { env: { SVC_ENV: 'production' } })
  assert.is(production.status, 2)
  assert.match(production.stderr, /only the environment test can move it/)
})

clock.run()
