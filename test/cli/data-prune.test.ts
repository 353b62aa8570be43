// run: takes 8 s
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { Database } from '../../src/adapters/sql/sqlite/driver.js'
import { checkWhole, listFiles, makeAvatar, openDataFolders, query, run, runJson } from '../helpers/data-folders.js'
import type { Json } from '../helpers/media.js'
import { program, startSvc } from '../helpers/svc.js'

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

data('prunes while a server runs and goes on, and after a kill the next run finishes the work', async () => {
  const dataDir = folders.copy()
  const running = startSvc(['serve', '--port', '0', '--json', '--data-dir', dataDir], { SVC_STUB_DELAY_MS: '800' })
  const { url } = JSON.parse(await running.nextLine())
  const pending = await runJson(
    dataDir,
    'avatar',
    'generate',
    'fixtures/photos/cat.jpg',
    '--species',
    'cat',
    '--url',
    url,
  )
  for (let round = 0; round < 6; round++) {
    const args = [program, 'data', 'prune', '--older-than', '0s', '--data-dir', dataDir]
    const child = spawn(process.execPath, args)
    const timer = setTimeout(() => child.kill('SIGKILL'), 80 + round * 25)
    await once(child, 'exit')
    clearTimeout(timer)
  }
  await runJson(dataDir, 'data', 'prune', '--older-than', '0s')
  assert.is((await runJson(dataDir, 'task', 'wait', pending.task_id, '--url', url)).status, 'success')
  running.child.kill()
  assert.equal(await running.ended, { code: 0, signal: null })
  checkWhole(dataDir)
  // A process that is killed between rows and files leaves files that have no row an hour later.
  const longAgo = Date.now() / 1000 - 7200
  for (const file of listFiles(join(dataDir, 'objects'))) utimesSync(join(dataDir, 'objects', file), longAgo, longAgo)
  await runJson(dataDir, 'data', 'prune', '--older-than', '0s')
  checkWhole(dataDir)
  assert.is(listFiles(join(dataDir, 'objects')).length, 7 + 5)
})

data.run()
