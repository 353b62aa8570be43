// run: takes 9 s
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { Database } from '../../src/adapters/sql/sqlite/driver.js'
import { serveFolder } from '../helpers/app.js'
import { checkWhole, listFiles, makeAvatar, openDataFolders, query, run, runJson } from '../helpers/data-folders.js'
import type { Json } from '../helpers/media.js'
import { program } from '../helpers/svc.js'

const data = suite('svc data prune and reset')
let folders: Awaited<ReturnType<typeof openDataFolders>>
let made: { readonly avatar: Json; readonly animations: readonly Json[]; readonly picture: Json }
data.before(async () => {
  folders = await openDataFolders(async (dataDir) => {
    const avatar = await makeAvatar(dataDir)
    const animate = () => runJson(dataDir, 'animation', 'generate', avatar.task_id, '--pose', 'sitting', '--wait')
    const animations = [await animate(), await animate()]
    const asset = ['--asset', avatar.identity_asset_id]
    made = { avatar, animations, picture: await runJson(dataDir, 'diary', 'generate', 'rain_walk', ...asset, '--wait') }
  })
})
data.after(() => folders.close())

data('removes all of svc and nothing else, when somebody says so', async () => {
  const dataDir = folders.copy()
  writeFileSync(join(dataDir, 'notes.txt'), 'mine')
  const refused = await run(dataDir, 'data', 'reset')
  assert.is(refused.status, 2)
  assert.match(refused.stderr, /This removes \d+ files with .* permanently: confirm with --yes/)
  checkWhole(dataDir)
  const { files, objects, size_bytes } = await runJson(dataDir, 'data', 'reset', '--yes')
  assert.equal([files, objects], [13, 10])
  assert.ok(size_bytes > 1_000_000)
  assert.equal(readdirSync(dataDir), ['notes.txt'])
  assert.is((await runJson(dataDir, 'data', 'reset')).files, 0)
  await runJson(dataDir, 'key', 'create', '--name', 'new')
})

const idsOf = (dataDir: string) => query<{ id: string }>(dataDir, 'select id from tasks').map(({ id }) => id)

data('removes old data, and nothing that an identity asset shows', async () => {
  const dataDir = folders.copy()
  const usage = await runJson(dataDir, 'usage')
  const [older, newest] = made.animations
  assert.equal((await runJson(dataDir, 'data', 'prune', '--older-than', '1d')).tasks, {})
  const planned = await runJson(dataDir, 'data', 'prune', '--older-than', '0s', '--dry-run')
  assert.is(idsOf(dataDir).length, 4)
  const done = await runJson(dataDir, 'data', 'prune', '--older-than', '0s')
  assert.equal(done.tasks, { animation: 1, diary: 1 })
  const numbers = ({ tasks, objects, object_bytes }: Json) => ({ tasks, objects, object_bytes })
  assert.equal(numbers(planned), numbers(done))
  assert.is(done.objects, 3)
  const left = idsOf(dataDir)
  assert.ok(left.includes(newest.task_id) && left.includes(made.avatar.task_id) && !left.includes(older.task_id))
  assert.equal(
    query(dataDir, `select 1 from units where task_id in ('${older.task_id}', '${made.picture.task_id}')`),
    [],
  )
  assert.equal(query(dataDir, 'select 1 from diary_counts where total <> 0'), [])
  checkWhole(dataDir)
  assert.is(listFiles(join(dataDir, 'objects')).length, 7)
  assert.equal(await runJson(dataDir, 'usage'), usage)
  assert.is((await runJson(dataDir, 'avatar', 'list', '--user-id', 'ann')).total, 1)

  const key = made.avatar.images.sitting.generated_cos_key
  await runJson(dataDir, 'avatar', 'feedback', key, '--liked')
  const all = await runJson(dataDir, 'data', 'prune', '--older-than', '0s', '--identity-assets')
  assert.equal(all.tasks, { animation: 1, avatar: 1 })
  assert.equal(listFiles(join(dataDir, 'objects')), [])
  for (const table of ['tasks', 'units', 'feedback']) assert.equal(query(dataDir, `select 1 from ${table}`), [])
  assert.equal(await runJson(dataDir, 'usage'), usage)
})

data('keeps an avatar that a newer task was made from, and a file that another task names', async () => {
  const dataDir = folders.copy()
  const longAgo = Date.now() - 10 * 86_400_000
  const age = (id: string) => `update tasks set finished_at = ${longAgo}, created_at = ${longAgo} where id = '${id}'`
  const database = new Database(join(dataDir, 'svc.db'))
  for (const id of [made.avatar.task_id, made.animations[0].task_id]) database.exec(age(id))
  database.close()
  const { tasks, objects } = await runJson(dataDir, 'data', 'prune', '--older-than', '5d', '--identity-assets')
  assert.equal([tasks, objects], [{ animation: 1 }, 2])
  await runJson(dataDir, 'animation', 'delete', made.animations[1].task_id)
  // Nothing hangs on the avatar any more; the diary picture was painted after two of its files.
  const next = await runJson(dataDir, 'data', 'prune', '--older-than', '5d', '--identity-assets')
  assert.equal(next.tasks, { avatar: 1 })
  const input = query<{ input: string }>(dataDir, 'select input from tasks')[0]?.input ?? ''
  for (const key of JSON.parse(input).referenceKeys) assert.ok(existsSync(join(dataDir, 'objects', key)), key)
})

data('removes a library whole, old logs, and files without a row once they are an hour old', async () => {
  const dataDir = folders.copy()
  const scenes = ['rain_walk', 'sofa_nap', 'park_walk']
  await runJson(dataDir, 'diary', 'generate', ...scenes, '--asset', made.avatar.identity_asset_id, '--wait')
  const listed: readonly Json[] = (await runJson(dataDir, 'task', 'list')).tasks
  assert.equal([...new Set(listed.map(({ status }) => status))], ['success'])
  const [young, old] = ['young', 'old'].map((name) => {
    const file = join(dataDir, `objects/ai-gateway/photos/${name}.jpg`)
    writeFileSync(file, 'photo')
    return file
  }) as [string, string]
  const hourAgo = Date.now() / 1000 - 3700
  utimesSync(old, hourAgo, hourAgo)
  const logs = join(dataDir, 'logs')
  mkdirSync(logs)
  writeFileSync(join(logs, '20261121T101917273Z-1.jsonl'), '{}\n')
  utimesSync(join(logs, '20261121T101917273Z-1.jsonl'), hourAgo, hourAgo)
  const { tasks, log_lines, log_files } = await runJson(dataDir, 'data', 'prune', '--older-than', '0s')
  assert.equal(tasks, { animation: 1, diary: 4, diary_library: 1 })
  assert.ok(log_lines > 0)
  assert.equal([log_files, readdirSync(logs)], [1, []])
  assert.equal([existsSync(young), existsSync(old)], [true, false])
  assert.equal(query(dataDir, 'select 1 from diary_counts where total <> 0'), [])
})

/** Starts a command in a process that is killed after a time, unless it ends before. */
async function pruneUntilKilled(dataDir: string, ms: number, ...flags: string[]): Promise<void> {
  const child = spawn(process.execPath, [program, 'data', 'prune', ...flags, '--data-dir', dataDir])
  const timer = setTimeout(() => child.kill('SIGKILL'), ms)
  await once(child, 'exit')
  clearTimeout(timer)
}

data('prunes while a server runs and goes on, and after a kill the next run finishes the work', async () => {
  const dataDir = folders.copy()
  const { url, close } = await serveFolder(dataDir, { SVC_STUB_DELAY_MS: '800' })
  const photo = ['fixtures/photos/cat.jpg', '--species', 'cat', '--url', url]
  const pending = await runJson(dataDir, 'avatar', 'generate', ...photo)
  for (const ms of [80, 120, 160, 200]) await pruneUntilKilled(dataDir, ms, '--older-than', '0s')
  await runJson(dataDir, 'data', 'prune', '--older-than', '0s')
  assert.is((await runJson(dataDir, 'task', 'wait', pending.task_id, '--url', url)).status, 'success')
  await close()
  checkWhole(dataDir)
  // A process that is killed between rows and files leaves files that have no row an hour later.
  const longAgo = Date.now() / 1000 - 7200
  for (const file of listFiles(join(dataDir, 'objects'))) utimesSync(join(dataDir, 'objects', file), longAgo, longAgo)
  await runJson(dataDir, 'data', 'prune', '--older-than', '0s')
  checkWhole(dataDir)
  assert.is(listFiles(join(dataDir, 'objects')).length, 7 + 5)
})

/** The picture of another pet whose reference is a pose of rex, made in the folder of rex. */
async function borrow(dataDir: string): Promise<{ readonly key: string; readonly task: Json }> {
  const key = made.avatar.images.sitting.generated_cos_key
  const other = ['--cos-key', key, '--species', 'dog', '--user-id', 'bob', '--pet-id', 'tom', '--wait']
  return { key, task: await runJson(dataDir, 'diary', 'generate', 'rain_walk', ...other) }
}

/** The sums of usage that name no pet and no user, and those of budgets. */
async function readSums(dataDir: string) {
  const sums = []
  for (const by of ['key', 'day', 'model']) sums.push(await runJson(dataDir, 'usage', '--by', by))
  const entries = sums.map(({ entries }) =>
    entries.map(({ requests, units, cost, name, day }: Json) => ({ requests, units, cost, name, day })),
  )
  return { entries, spent: query(dataDir, 'select owner_kind, sum(micros) as micros from spending group by 1') }
}

data('erases a pet, prints a receipt, and keeps sums and what another pet uses', async () => {
  const dataDir = folders.copy()
  const { key, task } = await borrow(dataDir)
  await runJson(dataDir, 'avatar', 'feedback', key, '--liked')
  const sums = await readSums(dataDir)
  const planned = await runJson(dataDir, 'data', 'prune', '--pet', 'rex', '--dry-run')
  assert.is(idsOf(dataDir).length, 5)
  const done = await runJson(dataDir, 'data', 'prune', '--pet', 'rex')
  const { dry_run, erased_at, ...receipt } = done
  const { dry_run: isPlan, erased_at: at, log_lines, ...plan } = planned
  assert.equal([isPlan, dry_run], [true, false])
  assert.equal({ ...plan, log_lines }, { ...receipt, log_lines: receipt.log_lines })
  assert.equal([done.pet_id, done.tasks, done.usage_rows > 0], ['rex', { animation: 2, avatar: 1, diary: 1 }, true])
  const counts = Object.entries<Json>(done.files).map(([kind, { count, bytes }]) => [kind, count, bytes > 0])
  // The pose stays: another pet was painted after it.
  assert.equal(counts, [
    ['photos', 1, true],
    ['pictures', 3, true],
    ['clips', 4, true],
    ['diary_pictures', 1, true],
  ])
  assert.equal(idsOf(dataDir), [task.task_id])
  assert.equal(listFiles(join(dataDir, 'objects')).length, 2)
  assert.ok(existsSync(join(dataDir, 'objects', key)))
  checkWhole(dataDir)
  assert.equal(await readSums(dataDir), sums)
  assert.is((await run(dataDir, 'task', 'show', made.avatar.task_id)).status, 1)
  for (const table of ['tasks', 'usage_entries', 'usage_ledger', 'usage_days', 'spending', 'feedback']) {
    assert.not.match(JSON.stringify(query(dataDir, `select * from ${table}`)), /"rex"/)
  }
  const again = await run(dataDir, 'data', 'prune', '--pet', 'rex')
  assert.match(again.stdout, /^Erased the pet rex at .*:\n {2}tasks {4}none; 0 unfinished[\s\S]*objects {2}none\n/)
  const user = await runJson(dataDir, 'data', 'prune', '--user', 'bob')
  assert.equal([user.user_id, user.tasks, listFiles(join(dataDir, 'objects'))], ['bob', { diary: 1 }, []])
  assert.equal(await readSums(dataDir), sums)
})

data('erases a pet whose work a server does, and after kills the next run completes it', async () => {
  const dataDir = folders.copy()
  const { url, close } = await serveFolder(dataDir, { SVC_STUB_DELAY_MS: '1500' })
  const photo = ['fixtures/photos/cat.jpg', '--species', 'cat', '--user-id', 'ann', '--pet-id', 'rex', '--url', url]
  const { task_id } = await runJson(dataDir, 'avatar', 'generate', ...photo)
  while (query(dataDir, "select 1 from units where status = 'processing'").length === 0) await new Promise(setImmediate)
  for (const ms of [250, 310, 370, 430]) await pruneUntilKilled(dataDir, ms, '--pet', 'rex')
  await runJson(dataDir, 'data', 'prune', '--pet', 'rex')
  assert.match((await run(dataDir, 'task', 'show', task_id, '--url', url)).stderr, /no .*task/i)
  await close()
  // The server has removed what it had drawn meanwhile.
  assert.equal(listFiles(join(dataDir, 'objects')), [])
  for (const table of ['tasks', 'units', 'reservations', 'home_insights', 'selections']) {
    assert.equal(query(dataDir, `select * from ${table}`), [])
  }
  checkWhole(dataDir)
})

const refusals: readonly (readonly [args: string[], message: RegExp])[] = [
  [[], /Give one of --older-than, --pet and --user\./],
  [['--pet', 'rex', '--older-than', '1d'], /Give one of/],
  [['--pet', 'r/x'], /--pet is "r\/x"; it must be 1 to 128 letters, digits, - and _\./],
  [['--user', ''], /--user is ""; it must be 1 to 128 characters\./],
  [['--pet', 'shared'], /the shared library/],
  [['--user', 'ann', '--usage'], /go with --older-than only/],
]
data('refuses IDs that no call can have, and flags that do not fit', async () => {
  for (const [args, message] of refusals) {
    const { status, stderr } = await run(folders.made, 'data', 'prune', ...args)
    assert.is(status, 2)
    assert.match(stderr, message)
  }
})

data.run()
