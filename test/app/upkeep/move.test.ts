// run: takes 12 s, PostgreSQL
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { Database } from '../../../src/adapters/sql/sqlite/driver.js'
import { openSqliteUpkeep } from '../../../src/adapters/sql/sqlite/upkeep-database.js'
import { listCopiedTables } from '../../../src/adapters/sql/upkeep/copy-rows.js'
import { createApp } from '../../../src/app.js'
import { loadConfig } from '../../../src/config.js'
import { bucketVariables, fleetObstacle, startFleet, type TestFleet } from '../../helpers/fleet.js'
import { type Json, type MediaApp, startMediaApp } from '../../helpers/media.js'
import { query } from '../../helpers/postgres.js'
import { refusalOf } from '../../helpers/refusal.js'
import { reportSkip } from '../../helpers/skip.js'
import { cleanEnvironment, program } from '../../helpers/svc.js'
import { openSession } from '../../helpers/svc-session.js'
import { openTemporaryFolder } from '../../helpers/temporary.js'

const move = suite('svc data move')
/** The folders of this file are folders in every mode of the tests. */
const onDisk = { SVC_DATABASE: '', SVC_OBJECTS: '', SVC_SECRET: '' }
const place = openTemporaryFolder()
const made = join(place.folder, 'made')
let session: ReturnType<typeof openSession>
let key: string
let paths: readonly string[]
let folders = 0

move.before(async () => {
  session = openSession()
  const app = await startMediaApp({ ...onDisk, SVC_LOG: 'database' }, made)
  key = app.key
  const avatar = await app.makeAvatar({ poses: ['sitting', 'lying'] })
  const animation = await app.makeAnimation(avatar.task_id, 'sitting')
  const library = await app.makeDiary({
    scene_ids: ['rain_walk', 'sofa_nap'],
    identity_asset_id: avatar.identity_asset_id,
  })
  const feedback = { cos_key: avatar.images.sitting.generated_cos_key, liked: true }
  await app.send('POST', '/v1/pet-avatars/feedback', { feedbacks: [feedback] })
  await app.generate(readFileSync('fixtures/insight/BARK_DAY_CALM.json'))
  await app.send('POST', '/v1/home-insights/generate', {
    pet_name: 'Rex',
    user_id: 'u1',
    pet_id: 'p1',
    facts: { weather: 'rain' },
  })
  await app.createAvatar({ pose: 'walking' })
  await app.close()
  paths = [
    `/v1/pet-avatar/tasks/${avatar.task_id}`,
    `/v1/pet-animation/tasks/${animation.task_id}`,
    `/v1/pet-diary-images/tasks/${library.task_id}?user_id=u1`,
    '/v1/pet-avatars?user_id=u1',
    '/v1/pet-diary-images?user_id=u1',
    '/v1/ai-insights?user_id=u1',
    '/_svc/usage',
  ]
})
move.after(async () => {
  await session.close()
  place.close()
})

/** Adds a test with a copy of the folder, an empty database and an empty bucket. */
function add(title: string, check: (fleet: TestFleet, folder: string) => Promise<void>): void {
  move(title, async () => {
    if (fleetObstacle !== undefined) return reportSkip(`svc data move ${title}: ${fleetObstacle}`)
    const fleet = await startFleet()
    const folder = freshFolder()
    cpSync(made, folder, { recursive: true })
    try {
      await check(fleet, folder)
    } finally {
      await fleet.close()
    }
  })
}

const freshFolder = () => join(place.folder, `data-${folders++}`)
/** The fleet of a service that keeps the secret of its folder. */
const ownSecret = ({ variables }: TestFleet): Record<string, string> => ({ ...variables, SVC_SECRET: '' })
const run = (args: readonly string[], env: Record<string, string>) => session.run(['data', 'move', ...args], { env })

async function runJson(args: readonly string[], env: Record<string, string>): Promise<Json> {
  const { status, stdout, stderr } = await run([...args, '--json'], env)
  assert.is(status, 0, stderr)
  return JSON.parse(stdout)
}

/** Returns the answers of a service that runs no task, and the bytes of a picture that they name. */
async function readAnswers(variables: Record<string, string>, dataDir: string): Promise<readonly unknown[]> {
  const app = await startMediaApp({ ...variables, SVC_ROLE: 'web' }, dataDir)
  try {
    const answers: unknown[] = []
    for (const path of paths) {
      const { status, body } = await app.send('GET', path, undefined, { authorization: `Bearer ${key}` })
      assert.is(status, 200, path)
      answers.push(JSON.parse(JSON.stringify({ ...body, request_id: '' }).replaceAll(/\?expires[^"]*/g, '')))
    }
    const { body } = await app.send('GET', paths[0] ?? '', undefined, { authorization: `Bearer ${key}` })
    answers.push(await readBytes(app, body.images.sitting.generated_url))
    return answers
  } finally {
    await app.close()
  }
}

async function readBytes({ app }: MediaApp, url: string): Promise<string> {
  const response = await app.fetch(new Request(url))
  assert.is(response.status, 200)
  return Buffer.from(await response.arrayBuffer()).toString('base64')
}

const listFiles = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => !/^(workers|log\.db)|-(wal|shm)$/.test(name))
    .sort()

move('knows every table', async () => {
  const source = readFileSync('src/adapters/sql/tables.ts', 'utf8')
  const declared = [...source.matchAll(/^ {2}(\w+): \{$/gm)].map(([, name = '']) => name)
  const database = openSqliteUpkeep(join(made, 'svc.db'), { readonly: true })
  const copied = await listCopiedTables(database)
  await database.close()
  assert.equal([...copied, 'holders', 'log_lines', 'settings'].sort(), declared.sort())
})

add(
  'moves a folder to a database and a bucket, and back after a kill, with the same answers',
  async (fleet, folder) => {
    const before = await readAnswers(onDisk, folder)
    // PostgreSQL does not store this character, which earlier versions accepted.
    new Database(join(folder, 'svc.db')).exec('update api_keys set name = name || char(0)').close()
    const there = await runJson(['--from', folder], ownSecret(fleet))
    assert.equal([there.tables.tasks, there.tables.units], [6, 6])
    assert.is(
      there.objects,
      listFiles(join(folder, 'objects')).filter((name) => /^ai-gateway.*\.\w+$/.test(name)).length,
    )
    assert.is(there.secret_file, join(folder, 'secret'))
    const onFleet = { ...ownSecret(fleet), SVC_SECRET_FILE: join(folder, 'secret') }
    assert.equal(await readAnswers(onFleet, freshFolder()), before)

    const back = freshFolder()
    await kill(['--to', back], onFleet, /^tasks: /m)
    assert.match((await run(['--to', back], onFleet)).stderr, /The target holds files already/)
    rmSync(join(back, 'objects'), { recursive: true })
    const { tables, ...others } = await runJson(['--to', back], onFleet)
    assert.is(others.secret_file, null)
    // Reading has written these.
    const read = { rate_slots: 0 }
    assert.equal({ ...tables, ...read }, { ...there.tables, ...read })
    assert.equal(await readAnswers(onDisk, back), before)
    assert.equal(readFileSync(join(back, 'secret')), readFileSync(join(folder, 'secret')))
    const drafts = readdirSync(back).filter((name) => name.includes('moving'))
    assert.equal(drafts, [])
    assert.match((await run(['--to', back], onFleet)).stderr, /holds a service already/)
  },
)

/** Runs the command, and kills it when it prints a text. */
async function kill(args: readonly string[], variables: Record<string, string>, pattern: RegExp): Promise<void> {
  const child = spawn(process.execPath, [program, 'data', 'move', ...args], { env: cleanEnvironment(variables) })
  child.stderr.setEncoding('utf8').on('data', (text) => {
    if (pattern.test(text)) child.kill('SIGKILL')
  })
  await once(child, 'exit')
  assert.is(child.signalCode, 'SIGKILL')
}

add('leaves a part on which no process starts when it is killed, and the source as it was', async (fleet, folder) => {
  const before = listFiles(folder)
  let puts = 0
  fleet.s3.fault = async ({ method }) => method === 'PUT' && ++puts >= 4 && new Promise(() => {})
  const child = spawn(process.execPath, [program, 'data', 'move', '--from', folder], {
    env: cleanEnvironment(ownSecret(fleet)),
  })
  const ended = once(child, 'exit')
  while (puts < 4) await delay(5)
  child.kill('SIGKILL')
  await ended
  fleet.s3.reset()
  // A process does not start on a part.
  const refusal = await refusalOf(() => createApp(loadConfig({ dataDir: freshFolder() }, fleet.variables)))
  assert.match(refusal, /svc data move has not filled the database completely/)
  assert.match((await run(['--from', folder], ownSecret(fleet))).stderr, /fills the database, or was interrupted/)
  assert.equal(listFiles(folder), before)
  await query(fleet.database, 'delete from settings')
  assert.match((await run(['--from', folder], ownSecret(fleet))).stderr, /The target holds files already/)
  emptyBucket(fleet)
  await query(fleet.database, 'delete from settings')
  await kill(['--from', folder], ownSecret(fleet), /^tasks: /m)
  assert.equal(await query(fleet.database, 'select id from tasks'), [])
})

add('finds that rows or files are lacking', async (fleet, folder) => {
  await session.run(['migrate'], { env: fleet.variables })
  await query(fleet.database, `create function lose() returns trigger language plpgsql as $$ begin return null; end $$`)
  await query(fleet.database, 'create trigger losing before insert on feedback for each row execute function lose()')
  const rows = await run(['--from', folder], ownSecret(fleet))
  assert.is(rows.status, 2)
  assert.match(rows.stderr, /The copy of feedback has 0 rows in place of 1/)
  await query(fleet.database, 'drop trigger losing on feedback')

  await query(fleet.database, 'delete from settings')
  emptyBucket(fleet)
  let isLost = false
  fleet.s3.fault = ({ method }, response) => {
    if (method !== 'PUT' || isLost) return false
    isLost = true
    response.end()
    return true
  }
  const files = await run(['--from', folder], ownSecret(fleet))
  assert.is(files.status, 2)
  assert.match(files.stderr, /The target lists \d+ files with \d+ bytes in place of \d+/)
})

function emptyBucket({ s3 }: TestFleet): void {
  rmSync(join(s3.folder, 'pets'), { recursive: true })
  mkdirSync(join(s3.folder, 'pets'))
}

add('refuses a source in use and a target with something else', async (fleet, folder) => {
  const errorOf = async (args: readonly string[], env = ownSecret(fleet)) => {
    const { status, stderr } = await run(args, env)
    assert.is(status, 2, stderr)
    return stderr
  }
  const app = await startMediaApp(onDisk, folder)
  assert.match(await errorOf(['--from', folder]), /A server or another command works on .*data-/)
  await app.close()
  assert.match(await errorOf(['--from', folder], onDisk), /--database, --objects or both/)
  assert.match(await errorOf([]), /Give --from or --to/)
  assert.match(await errorOf(['--from', freshFolder()]), /No svc data in/)
  assert.match(await errorOf(['--from', folder], { ...fleet.variables }), /SVC_SECRET is not the secret in/)

  const { stdout } = await run(['--from', folder], ownSecret(fleet))
  assert.match(
    stdout,
    `svc serve, with the same SVC_DATABASE and SVC_OBJECTS; all processes with SVC_SECRET_FILE=${folder}`,
  )
  const copy = freshFolder()
  cpSync(folder, copy, { recursive: true })
  assert.match(await errorOf(['--from', copy]), /The database holds a service already/)
  const onFleet = { ...ownSecret(fleet), SVC_SECRET_FILE: join(folder, 'secret') }
  assert.match(await errorOf(['--to', folder], onFleet), /holds a service already/)
  const other = freshFolder()
  assert.match(await errorOf(['--to', other], { ...fleet.variables }), /first used with another secret/)
  const web = await startMediaApp(onFleet, freshFolder())
  assert.match(await errorOf(['--to', other], onFleet), /A server or another command works on the database/)
  await web.close()
})

add('moves the files or the rows alone', async (fleet, folder) => {
  const { SVC_DATABASE = '', SVC_OBJECTS = '' } = fleet.variables
  const before = await readAnswers(onDisk, folder)
  const files = await runJson(['--from', folder, '--objects', SVC_OBJECTS], bucketVariables)
  assert.equal(files.tables, {})
  const again = await run(['--from', folder, '--objects', SVC_OBJECTS], bucketVariables)
  assert.match(again.stderr, /The target holds files already/)
  const withBucket = { ...onDisk, SVC_OBJECTS, ...bucketVariables }
  assert.equal(await readAnswers(withBucket, folder), before)
  rmSync(join(folder, 'objects'), { recursive: true })
  const { stdout } = await run(['--to', folder, '--objects', SVC_OBJECTS], bucketVariables)
  assert.match(stdout, `svc serve --data-dir ${folder}\n`)
  assert.equal(await readAnswers(onDisk, folder), before)

  const rows = await runJson(['--from', folder], { SVC_DATABASE })
  assert.is(rows.objects, 0)
  const withDatabase = { ...onDisk, SVC_DATABASE, SVC_SECRET_FILE: join(folder, 'secret') }
  assert.equal(await readAnswers(withDatabase, folder), before)
})

move.run()
