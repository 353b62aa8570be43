// run: takes 15 s, PostgreSQL
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createApp } from '../../../src/app.js'
import { loadConfig } from '../../../src/config.js'
import { queryDatabase } from '../../helpers/app.js'
import { bucketVariables, fleetObstacle, fleetSecret, startFleet, type TestFleet } from '../../helpers/fleet.js'
import { type Json, type MediaApp, startMediaApp } from '../../helpers/media.js'
import { dropDatabase, folderOf, keepOwnServer, nameOf, query } from '../../helpers/postgres.js'
import { refusalOf } from '../../helpers/refusal.js'
import { reportSkip } from '../../helpers/skip.js'
import { runSvcAsync, startSvc } from '../../helpers/svc.js'
import { openSession } from '../../helpers/svc-session.js'
import { openTemporaryFolder } from '../../helpers/temporary.js'

// One test changes settings of the server.
keepOwnServer()

const storage = suite('storage')
let session: ReturnType<typeof openSession>
let place: ReturnType<typeof openTemporaryFolder>
/** A database and a bucket for several tests, empty at first. */
let common: TestFleet | undefined
storage.before(async () => {
  session = openSession()
  if (fleetObstacle === undefined) common = await startFleet()
})
storage.after(async () => {
  await common?.close()
  await session.close()
})
storage.before.each(() => {
  place = openTemporaryFolder()
})
storage.after.each(() => place.close())

type Check = (fleet: TestFleet) => Promise<void>

/** Adds a test with the common database and bucket. */
function addCommon(title: string, check: Check): void {
  storage(title, async () => (common === undefined ? reportSkip(`${title}: ${fleetObstacle}`) : check(common)))
}

/** Adds a test with an empty database and an empty bucket. */
function add(title: string, check: Check): void {
  addCommon(title, async () => {
    const fleet = await startFleet()
    try {
      await check(fleet)
    } finally {
      await fleet.close()
    }
  })
}

const inPlace = (name: string) => join(place.folder, name)

/** Makes an avatar, and fetches its picture and a part of it. Returns the avatar. */
async function makePicture(app: MediaApp): Promise<Json> {
  const avatar = await app.makeAvatar({ pose: 'sitting' })
  assert.is(avatar.status, 'success')
  const url = avatar.images.sitting.generated_url
  assert.equal(await app.open(url), { status: 200, type: 'image/png' })
  const part = await app.app.fetch(new Request(url, { headers: { range: 'bytes=1-3' } }))
  assert.equal([part.status, await part.text()], [206, 'PNG'])
  return avatar
}

add('keeps everything in a database and a bucket, for every machine', async ({ variables }) => {
  const app = await startMediaApp(variables, inPlace('one'))
  const avatar = await makePicture(app)
  const animation = await app.makeAnimation(avatar.task_id)
  assert.equal(await app.open(animation.images.sitting.mp4_url), { status: 200, type: 'video/mp4' })
  const other = await startMediaApp(variables, inPlace('other'))
  assert.is(other.key, '')
  assert.is((await other.open(avatar.images.sitting.generated_url)).status, 200)
  await app.app.close()
  await other.app.close()
  assert.not(existsSync(inPlace('one')))
})

add('works with only one of the two', async ({ variables: { SVC_DATABASE = '', SVC_OBJECTS = '' } }) => {
  const withDatabase = await startMediaApp({ SVC_DATABASE, SVC_SECRET: fleetSecret }, inPlace('files'))
  await makePicture(withDatabase)
  await withDatabase.app.close()
  assert.equal(readdirSync(inPlace('files')), ['objects'])

  const withBucket = await startMediaApp({ SVC_OBJECTS, ...bucketVariables }, inPlace('rows'))
  await makePicture(withBucket)
  await withBucket.app.close()
  assert.not.ok(existsSync(join(inPlace('rows'), 'objects')))
  assert.ok(existsSync(join(inPlace('rows'), 'svc.db')))
})

add('is served without the binary of SQLite, prints the first key once, and takes flags', async (fleet) => {
  const { SVC_DATABASE: database = '', SVC_OBJECTS: objects = '', ...env } = fleet.variables
  const flags = ['--data-dir', inPlace('data'), '--database', database, '--objects', objects]
  const serve = () => startSvc(['serve', '--port', '0', ...flags], env)
  const first = serve()
  assert.match(await first.nextLine(), /shown once:$/)
  const key = (await first.nextLine()).trim()
  const ready = await first.nextLine()
  const [url = ''] = /http:\S+/.exec(ready) ?? []
  assert.match(ready, `(data in the database ${nameOf(database)} at ${folderOf(database)} and the bucket pets)`)
  const models = await fetch(`${url}/v1/models`, { headers: { authorization: `Bearer ${key}` } })
  assert.is(models.status, 200)
  const maps = `/proc/${first.child.pid}/maps`
  if (existsSync(maps)) assert.not.match(readFileSync(maps, 'utf8'), 'better_sqlite3')
  first.child.kill()
  assert.equal(await first.ended, { code: 0, signal: null })
  const second = serve()
  assert.match(await second.nextLine(), /is ready/)
  second.child.kill()
  await second.ended

  const run = async (...command: string[]) => {
    const { status, stdout, stderr } = await session.run([...command, ...flags, '--json'], { env })
    assert.is(status, 0, `${command.join(' ')}: ${stdout}${stderr}`)
    return JSON.parse(stdout)
  }
  const photo = ['fixtures/photos/dog.jpg', '--species', 'dog', '--pose', 'sitting']
  const made = await run('avatar', 'generate', ...photo, '--wait', '--key', key)
  assert.is(made.status, 'success')
  assert.is((await run('key', 'list')).keys.length, 1)
  assert.is((await run('usage')).entries.length, 1)
  assert.is((await run('task', 'show', made.task_id)).status, 'success')
  assert.is((await run('logs', '--request-id', made.request_id)).pet_id, 'temporary')
})

add('lets a web process answer calls and a worker run their tasks', async ({ variables }) => {
  const web = await startMediaApp({ ...variables, SVC_ROLE: 'web' }, inPlace('web'))
  const id = await web.createAvatar({ pose: 'sitting' })
  await web.app.fetch(new Request('http://svc.test/live'))
  const command = ['serve', '--role', 'worker', '--port', '0', '--json', '--data-dir', inPlace('worker')]
  const worker = startSvc(command, { ...variables, SVC_POLL_AFTER_SECONDS: '1' })
  const { url } = JSON.parse(await worker.nextLine())
  const statusOf = async (path: string) => (await fetch(url + path, { redirect: 'manual' })).status
  assert.equal(await Promise.all(['/live', '/ready', '/health'].map(statusOf)), [200, 200, 200])
  const statuses = await Promise.all(['/', '/demo', '/v1/models', '/openapi.json', '/objects/x'].map(statusOf))
  assert.equal(statuses, [404, 404, 404, 404, 404])
  let task: Json
  for (;;) {
    task = (await web.send('GET', `/v1/pet-avatar/tasks/${id}`)).body
    if (task.status !== 'pending' && task.status !== 'processing') break
    await delay(100)
  }
  assert.is(task.status, 'success')
  worker.child.kill()
  await worker.ended
  await web.app.close()
  const rows = await queryDatabase(
    { database: variables.SVC_DATABASE ?? '', dataDir: '' },
    'select line from log_lines',
  )
  const lines: Json[] = rows.map(({ line }) => JSON.parse(String(line)))
  const isOfWeb = ({ instance }: Json) => instance.includes(`-${process.pid}-`)
  assert.ok(lines.some((line) => isOfWeb(line) && line.status === 200))
  assert.ok(lines.some((line) => !isOfWeb(line) && line.event === 'succeeded'))
  assert.not.ok(lines.some((line) => isOfWeb(line) && line.event !== undefined))
})

add('is ready on tables of its version with its secret only', async (fleet) => {
  const app = await startMediaApp({ ...fleet.variables, SVC_METRICS_PORT: '0' }, inPlace('data'))
  const { url, metricsUrl = '' } = await app.app.listen()
  const { origin } = new URL(metricsUrl)
  const statusOf = async (address: string) => {
    const answer = await fetch(address)
    await answer.arrayBuffer()
    return answer.status
  }
  const expectReady = async (status: number, reason: string) =>
    assert.equal(
      await Promise.all([`${url}/ready`, `${origin}/ready`, `${origin}/live`].map(statusOf)),
      [status, status, 200],
      reason,
    )
  const run = (text: string) => query(fleet.database, text)
  await expectReady(200, 'at the start')
  await run('alter table api_keys rename to away')
  await expectReady(503, 'tables that cannot be read')
  await run('alter table away rename to api_keys')
  await expectReady(200, 'tables that can be read')
  await run("update settings set value = 'x' || value where name = 'secret_fingerprint'")
  await expectReady(503, 'another secret')
  await run("update settings set value = substr(value, 2) where name = 'secret_fingerprint'")
  await run("insert into kysely_migration (name, timestamp) values ('9000-next', '')")
  await expectReady(200, 'the next version')
  await run("update settings set value = '9000-next' where name = 'schema_floor'")
  await expectReady(503, 'the version after it')
  await run("delete from kysely_migration where name = '9000-next'")
  await expectReady(200, 'the tables of this version')
  await run('delete from kysely_migration where name = (select max(name) from kysely_migration)')
  await expectReady(503, 'the tables of an older version')
  await app.app.close()
})

addCommon('is migrated by a command, which can also only look', async ({ variables }) => {
  const run = (...options: string[]) => session.run(['migrate', '--json', ...options], { env: { ...variables } })
  const steps = async (...options: string[]) => {
    const { status, stdout } = await run(...options)
    return [status, Object.entries(JSON.parse(stdout)).map(([name, list]) => [name, (list as string[]).length > 0])]
  }
  assert.equal(await steps('--check'), [1, [['pending', true]]])
  assert.equal(await steps(), [0, [['ran', true]]])
  assert.equal(await steps(), [0, [['ran', false]]])
  assert.equal(await steps('--check'), [0, [['pending', false]]])
})

addCommon('needs the same secret in all processes of a database', async ({ database }) => {
  const start = async (variables: Record<string, string>) =>
    (await createApp(loadConfig({ dataDir: inPlace('data'), database }, variables))).close()
  assert.match(await refusalOf(() => start({})), /set SVC_SECRET, or SVC_SECRET_FILE .* openssl rand -hex 32/)
  const file = place.write('secret', `${fleetSecret}\n`)
  assert.match(await refusalOf(() => start({ SVC_SECRET: fleetSecret, SVC_SECRET_FILE: file })), /set one of them/)
  assert.match(
    await refusalOf(() => start({ SVC_SECRET_FILE: inPlace('missing') })),
    /Cannot read the secret in .*missing/,
  )
  await start({ SVC_SECRET: fleetSecret })
  await start({ SVC_SECRET_FILE: file })
  const another = fleetSecret.replaceAll('0', '1')
  const refusal = await refusalOf(() => start({ SVC_SECRET: another }))
  assert.match(refusal, /first used with another secret: its fingerprint is [0-9a-f]{16}/)
  assert.not.match(refusal, another.slice(0, 16))
})

addCommon('shows no password if something fails', async ({ database, variables }) => {
  const url = new URL(database)
  url.searchParams.set('user', 'nobody-known')
  url.searchParams.set('password', 'hunter2')
  const env = { ...variables, SVC_DATABASE: url.href, SVC_DATA_DIR: inPlace('data') }
  for (const command of [
    ['serve', '--port', '0'],
    ['serve', '--database', 'postgres://me:hunter2@[', '--port', '0'],
    ['key', 'list'],
    ['usage'],
    ['doctor', '--json'],
    ['key', 'list', '--help'],
    ['data', 'snapshot', inPlace('s.tar')],
  ]) {
    const run = command[0] === 'serve' ? runSvcAsync : session.run
    const { stdout, stderr } = await run(command, { env })
    assert.not.match(stdout + stderr, 'hunter2', command.join(' '))
  }
})

addCommon('is examined for a proxy whose address a server lacks', async ({ database, variables }) => {
  const env = { ...variables, SVC_DATA_DIR: inPlace('data') }
  const line = '{"time":"2026-11-01T08:00:00.000Z","event":"public_url_missing"}'
  const columns = `'one', 1, ${Date.parse('2026-11-01T08:00:00Z')}, '${line}'`
  await query(database, `insert into log_lines (instance, line_number, at, line) values (${columns})`)
  const { findings } = JSON.parse((await session.run(['doctor', '--json'], { env })).stdout)
  assert.match(
    findings.find(({ check }: Json) => check === 'proxy')?.message,
    /^At 2026-11-01T08:00:00\.000Z: A proxy /,
  )
})

const refused: readonly (readonly [string, string, RegExp])[] = [
  ['a language', "locale_provider icu icu_locale 'en-US' lc_collate 'C' lc_ctype 'C'", /orders text by ICU en-US/],
  ['the root of all languages', "locale_provider icu icu_locale 'und' lc_collate 'C' lc_ctype 'C'", /by ICU und/],
  ['bytes, but has another encoding', "encoding 'SQL_ASCII' lc_collate 'C' lc_ctype 'C'", /the encoding SQL_ASCII/],
]
for (const [order, options, expected] of refused) {
  addCommon(
    `refuses a database that orders text by ${order}, which svc doctor reports`,
    async ({ database, variables }) => {
      const [server] = await query(database, "select current_setting('server_version_num')::integer as version")
      if (options.includes('icu') && Number(server?.version) < 150_000)
        return reportSkip('ICU: PostgreSQL is older than 15')
      const url = new URL(database)
      url.pathname += '_other'
      await query(database, `create database ${nameOf(url.href)} template template0 ${options}`)
      const env = { ...variables, SVC_DATABASE: url.href, SVC_DATA_DIR: inPlace('data') }
      try {
        assert.match(await refusalOf(() => createApp(loadConfig({}, env))), expected)
        const { status, stdout } = await session.run(['doctor', '--json'], { env })
        const finding = JSON.parse(stdout).findings.find(({ check }: Json) => check === 'database')
        assert.equal([status, finding.state], [1, 'problem'])
        assert.match(finding.message, expected)
        assert.match(finding.fix, /^Create one with: CREATE DATABASE svc TEMPLATE template0 /)
        assert.is(/ LOCALE_PROVIDER libc$/.test(finding.fix), options.includes('icu'))
      } finally {
        await dropDatabase(url.href)
      }
    },
  )
}

addCommon('finds a database right, until it answers before a commit is on disk', async ({ database, variables }) => {
  const env = { ...variables, SVC_DATA_DIR: inPlace('data') }
  const examine = async (name = 'durability') => {
    const { findings } = JSON.parse((await session.run(['doctor', '--json'], { env })).stdout)
    return findings.filter(({ check }: Json) => check === name || check === 'durability')
  }
  const [order, ...others] = await examine('database')
  assert.equal([order.state, /encoding and order are right$/.test(order.message), others], ['ok', true, []])
  await query(database, `alter database ${nameOf(database)} set synchronous_commit = off`)
  await query(database, 'alter system set fsync = off')
  await query(database, 'select pg_reload_conf()')
  try {
    // The server reads the setting after its answer.
    while ((await query(database, 'show fsync'))[0]?.fsync !== 'off') await delay(10)
    assert.equal(
      (await examine()).map(({ state, fix }: Json) => [state, /^Set (\w+)=on /.exec(fix)?.[1]]),
      [
        ['problem', 'fsync'],
        ['problem', 'synchronous_commit'],
      ],
    )
  } finally {
    await query(database, 'alter system reset fsync')
    await query(database, 'select pg_reload_conf()')
  }
})

storage.run()
