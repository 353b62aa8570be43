import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { Database } from '../../src/adapters/sql/sqlite/driver.js'
import { markEmptied } from '../../src/app/upkeep/restore.js'
import { describeDataDir } from '../../src/runtime/data-dir.js'
import { program, runSvc, startSvc } from '../helpers/svc.js'
import { openTemporaryFolder } from '../helpers/temporary.js'

const data = suite('svc data')
// biome-ignore lint/suspicious/noExplicitAny: documents of the program, looked into member by member
type Json = any
let place: ReturnType<typeof openTemporaryFolder>
let made: Made
let names = 0
data.before(() => {
  place = openTemporaryFolder()
  made = makeData(fresh())
})
data.after(() => place.close())

const fresh = () => join(place.folder, `data-${names++}`)
const run = (dataDir: string, ...args: string[]) => runSvc([...args, '--data-dir', dataDir])

function runJson(dataDir: string, ...args: string[]): Json {
  const { status, stdout, stderr } = run(dataDir, ...args, '--json')
  assert.is(status, 0, `${args.join(' ')}: ${stderr}`)
  return JSON.parse(stdout)
}

interface Made {
  readonly dataDir: string
  readonly avatar: Json
  readonly animations: readonly Json[]
  readonly picture: Json
}

/** A pet with its avatar, two animations of one pose, and a diary picture. */
function makeData(dataDir: string): Made {
  const owner = ['--user-id', 'ann', '--pet-id', 'rex']
  const avatar = runJson(
    dataDir,
    'avatar',
    'generate',
    'fixtures/photos/dog.jpg',
    '--species',
    'dog',
    '--wait',
    ...owner,
  )
  const animate = () => runJson(dataDir, 'animation', 'generate', avatar.task_id, '--pose', 'sitting', '--wait')
  const animations = [animate(), animate()]
  const picture = runJson(dataDir, 'diary', 'generate', 'rain_walk', '--asset', avatar.identity_asset_id, '--wait')
  return { dataDir, avatar, animations, picture }
}

/** A data directory like the one that was made. */
function copyOfMade(): string {
  const dataDir = fresh()
  const snapshot = join(place.folder, 'made.tar')
  if (!existsSync(snapshot)) runJson(made.dataDir, 'data', 'snapshot', snapshot)
  runJson(dataDir, 'data', 'restore', snapshot)
  return dataDir
}

function listFiles(folder: string): string[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { recursive: true, encoding: 'utf8', withFileTypes: true } as { withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.includes('.drafts'))
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort()
}

function query<Row>(dataDir: string, sql: string): Row[] {
  const database = new Database(join(dataDir, 'svc.db'))
  try {
    return database.prepare(sql).all() as Row[]
  } finally {
    database.close()
  }
}

/** Checks that a data directory is complete: an intact database, and every file that it names. */
function checkWhole(dataDir: string): string[] {
  assert.equal(query(dataDir, 'pragma integrity_check'), [{ integrity_check: 'ok' }])
  const keys = query<{ text: string }>(
    dataDir,
    "select input || units as text from tasks where status = 'success'",
  ).flatMap(({ text }) => text.match(/ai-gateway[\w/.-]+/g) ?? [])
  for (const key of keys) assert.ok(existsSync(join(dataDir, 'objects', key)), `${key} is missing in ${dataDir}`)
  return query<{ id: string }>(dataDir, 'select id from tasks order by id').map(({ id }) => id)
}

for (const ending of ['.tar', '.tar.gz', '.tgz', '']) {
  data(`copies a folder into ${ending || 'a folder'} and puts it back as it was`, async () => {
    const snapshot = join(place.folder, `copy${ending}`)
    const { size_bytes, objects, missing } = runJson(made.dataDir, 'data', 'snapshot', snapshot)
    assert.equal([objects, missing], [10, []])
    const written = ending === '' ? listFiles(snapshot).map((file) => join(snapshot, file)) : [snapshot]
    for (const file of written) assert.is(statSync(file).mode & 0o777, 0o600, file)
    assert.is(
      written.reduce((sum, file) => sum + statSync(file).size, 0),
      size_bytes,
    )

    const restored = fresh()
    runJson(restored, 'data', 'restore', snapshot)
    assert.equal(checkWhole(restored), checkWhole(made.dataDir))
    for (const file of [
      'secret',
      'local.key',
      ...listFiles(join(made.dataDir, 'objects')).map((key) => `objects/${key}`),
    ]) {
      assert.ok(readFileSync(join(restored, file)).equals(readFileSync(join(made.dataDir, file))), file)
      assert.is(statSync(join(restored, file)).mode & 0o777, 0o600, file)
    }
    assert.equal(readdirSync(restored).sort(), ['local.key', 'objects', 'secret', 'svc.db'])
    assert.equal(
      readdirSync(made.dataDir).filter((name) => name.startsWith('.')),
      [],
    )
  })
}

data('keeps keys and addresses working', async () => {
  const restored = copyOfMade()
  const running = startSvc(['serve', '--port', '0', '--json', '--data-dir', restored])
  const { url, key } = JSON.parse(await running.nextLine())
  assert.is(key, undefined)
  const authorization = `Bearer ${readFileSync(join(made.dataDir, 'local.key'), 'utf8').trim()}`
  assert.is((await fetch(`${url}/v1/models`, { headers: { authorization } })).status, 200)
  const { pathname, search } = new URL(made.avatar.images.sitting.generated_url)
  assert.is((await fetch(`${url}${pathname}${search}`)).status, 200)
  running.child.kill()
  await running.ended
})

data('takes a snapshot of one moment while a server works', async () => {
  const dataDir = fresh()
  const running = startSvc(['serve', '--port', '0', '--json', '--data-dir', dataDir])
  const { url, key } = JSON.parse(await running.nextLine())
  let busy = true
  const photo = readFileSync('fixtures/photos/dog.jpg')
  const work = (async () => {
    while (busy) {
      const form = new FormData()
      form.set('source_image', new Blob([photo]), 'dog.jpg')
      form.set('species', 'dog')
      form.set('pose', 'sitting')
      const headers = { authorization: `Bearer ${key.key}` }
      const answer = await fetch(`${url}/v1/pet-avatar/generate`, { method: 'POST', headers, body: form })
      assert.is(answer.status, 200)
      await delay(20)
    }
  })()
  const snapshots: string[] = []
  for (let index = 0; index < 4; index++) {
    const snapshot = join(place.folder, `busy-${index}.tar`)
    const child = spawn(process.execPath, [program, 'data', 'snapshot', snapshot, '--data-dir', dataDir])
    assert.equal(await once(child, 'exit'), [0, null])
    snapshots.push(snapshot)
  }
  busy = false
  await work
  running.child.kill()
  await running.ended
  const counts = snapshots.map((snapshot) => {
    const restored = fresh()
    assert.equal(runJson(restored, 'data', 'restore', snapshot).missing, [])
    return checkWhole(restored).length
  })
  assert.ok((counts.at(-1) ?? 0) > (counts[0] ?? 0), counts.join())
})

data('replaces no snapshot unasked, and nothing else ever', () => {
  const taken = place.write('taken/photo.jpg', 'a photo')
  const folder = dirname(taken)
  const refuse = (target: string, ...flags: string[]) => run(made.dataDir, 'data', 'snapshot', target, ...flags)
  assert.match(refuse(folder).stderr, /already exists/)
  assert.match(refuse(folder, '--force').stderr, /is a folder but not a snapshot/)
  assert.match(refuse(join(made.dataDir, 'a.tar')).stderr, /is inside the data directory/)
  assert.match(refuse(join(place.folder, 'no', 'a.tar')).stderr, /does not exist/)
  const snapshot = join(place.folder, 'again.tar')
  assert.is(refuse(snapshot).status, 0)
  assert.is(refuse(snapshot).status, 2)
  assert.is(refuse(snapshot, '--force').status, 0)
  assert.equal(readdirSync(folder), ['photo.jpg'])
  assert.is(refuse(join(place.folder, 'again')).status, 0)
  assert.is(refuse(join(place.folder, 'again'), '--force').status, 0)
  assert.equal(
    readdirSync(place.folder).filter((name) => /partial|old$/.test(name)),
    [],
  )
})

data('tells of files that were not there', () => {
  const dataDir = copyOfMade()
  const [key = ''] = listFiles(join(dataDir, 'objects'))
  rmSync(join(dataDir, 'objects', key))
  const snapshot = join(place.folder, 'gap.tar')
  assert.equal(runJson(dataDir, 'data', 'snapshot', snapshot).missing, [key])
  assert.equal(runJson(fresh(), 'data', 'restore', snapshot).missing, [key])
})

const damages: [what: string, damage: (folder: string) => void, says: RegExp][] = [
  ['a changed picture', (folder) => change(firstObject(folder)), /damaged: objects\/ai-gateway\/.* was changed/],
  ['a missing picture', (folder) => rmSync(firstObject(folder)), /damaged: objects\/ai-gateway/],
  ['a file that does not belong to it', (folder) => writeFileSync(join(folder, 'x'), ''), /damaged: x/],
  ['a changed database', (folder) => change(join(folder, 'svc.db')), /damaged: svc\.db/],
  [
    'a folder for a secret',
    (folder) => {
      rmSync(join(folder, 'secret'))
      mkdirSync(join(folder, 'secret'))
      writeFileSync(join(folder, 'secret/x'), '')
      addToManifest(folder, 'secret/x')
    },
    /damaged: secret is not part of a snapshot/,
  ],
  [
    'an empty folder for a key',
    (folder) => {
      rmSync(join(folder, 'local.key'))
      mkdirSync(join(folder, 'local.key'))
      changeManifest(folder, ({ files }) => ({ files: files.filter(({ path }: Json) => path !== 'local.key') }))
    },
    /damaged: local\.key is not part of a snapshot/,
  ],
  [
    'a file for the folder of objects',
    (folder) => {
      rmSync(join(folder, 'objects'), { recursive: true })
      writeFileSync(join(folder, 'objects'), '')
      changeManifest(folder, ({ files }) => ({ files: files.filter(({ path }: Json) => !path.startsWith('objects/')) }))
      addToManifest(folder, 'objects')
    },
    /damaged: objects is not part of a snapshot/,
  ],
  [
    'a file among its objects that is not an object',
    (folder) => {
      writeFileSync(join(folder, 'objects/.drafts'), '')
      addToManifest(folder, 'objects/.drafts')
    },
    /damaged: objects\/\.drafts is not part of a snapshot/,
  ],
  [
    'a file of the log',
    (folder) => {
      mkdirSync(join(folder, 'logs'))
      writeFileSync(join(folder, 'logs/x'), '')
      addToManifest(folder, 'logs/x')
    },
    /damaged: logs is not part of a snapshot/,
  ],
  [
    'a list with nothing in it for a file',
    (folder) => changeManifest(folder, ({ files }) => ({ files: [...files, null] })),
    /in its manifest\.json \/files\/13 must be object/,
  ],
  [
    'no list of what is missing',
    (folder) => changeManifest(folder, () => ({ missing: null })),
    /in its manifest\.json \/missing must be array/,
  ],
  [
    'no time',
    (folder) => changeManifest(folder, () => ({ created_at: undefined })),
    /in its manifest\.json must have required properties created_at/,
  ],
  [
    'a manifest that is null',
    (folder) => writeFileSync(join(folder, 'manifest.json'), 'null'),
    /another version of svc/,
  ],
  ['no manifest', (folder) => rmSync(join(folder, 'manifest.json')), /not a snapshot of svc/],
]
const firstObject = (folder: string) => join(folder, 'objects', listFiles(join(folder, 'objects'))[0] ?? '')
function change(file: string): void {
  const bytes = readFileSync(file)
  bytes[1000] = (bytes[1000] ?? 0) ^ 1
  writeFileSync(file, bytes)
}
function changeManifest(folder: string, change: (manifest: Json) => Json): void {
  const file = join(folder, 'manifest.json')
  const manifest = JSON.parse(readFileSync(file, 'utf8'))
  writeFileSync(file, JSON.stringify({ ...manifest, ...change(manifest) }))
}
/** As a file that is empty, and whole. */
function addToManifest(folder: string, path: string): void {
  const sha256 = createHash('sha256').digest('hex')
  changeManifest(folder, ({ files }) => ({ files: [...files, { path, size_bytes: 0, sha256 }] }))
}
for (const [what, damage, says] of damages) {
  data(`refuses a snapshot with ${what}, and changes nothing`, () => {
    const snapshot = join(place.folder, `damaged-${names++}`)
    runJson(made.dataDir, 'data', 'snapshot', snapshot)
    damage(snapshot)
    const dataDir = copyOfMade()
    const before = checkWhole(dataDir)
    const { status, stderr } = run(dataDir, 'data', 'restore', snapshot, '--force')
    assert.is(status, 2)
    assert.match(stderr, says)
    assert.equal(checkWhole(dataDir), before)
    assert.equal(
      readdirSync(dataDir).filter((name) => name.startsWith('.')),
      [],
    )
  })
}

data('refuses half an archive, a file that is not an archive, and a file that does not exist', () => {
  const snapshot = join(place.folder, 'half.tar')
  runJson(made.dataDir, 'data', 'snapshot', snapshot)
  truncateSync(snapshot, statSync(snapshot).size / 2)
  for (const file of [snapshot, place.write('text.tar', 'text'), join(place.folder, 'no.tar')]) {
    const { status, stderr } = run(fresh(), 'data', 'restore', file)
    assert.is(status, 2)
    assert.match(stderr, /not a complete archive|not a snapshot|does not exist/)
  }
})

data('restores into no folder that is in use or not empty', async () => {
  const snapshot = join(place.folder, 'made.tar')
  const dataDir = copyOfMade()
  assert.match(run(dataDir, 'data', 'restore', snapshot).stderr, /is not empty/)
  const running = startSvc(['serve', '--port', '0', '--json', '--data-dir', dataDir])
  const { url } = JSON.parse(await running.nextLine())
  for (const args of [
    ['restore', snapshot, '--force'],
    ['reset', '--yes'],
    ['restore', '--finish'],
  ]) {
    const { status, stderr } = run(dataDir, 'data', ...args)
    assert.is(status, 2)
    assert.match(stderr, /A server or another command works on/)
  }
  assert.is((await fetch(`${url}/health`)).status, 200)
  running.child.kill()
  await running.ended
  runJson(dataDir, 'data', 'restore', snapshot, '--force')
  checkWhole(dataDir)
})

data('replaces a file that is not a database, and a key that the snapshot does not have', () => {
  const dataDir = fresh()
  mkdirSync(dataDir)
  for (const name of ['svc.db', 'svc.db-wal', 'local.key', 'secret']) writeFileSync(join(dataDir, name), 'rubbish')
  const snapshot = join(place.folder, 'no-key')
  runJson(made.dataDir, 'data', 'snapshot', snapshot)
  rmSync(join(snapshot, 'local.key'))
  const manifest = JSON.parse(readFileSync(join(snapshot, 'manifest.json'), 'utf8'))
  const files = manifest.files.filter(({ path }: { path: string }) => path !== 'local.key')
  writeFileSync(join(snapshot, 'manifest.json'), JSON.stringify({ ...manifest, files }))
  runJson(dataDir, 'data', 'restore', snapshot, '--force')
  checkWhole(dataDir)
  assert.equal(readdirSync(dataDir).sort(), ['objects', 'secret', 'svc.db'])
})

data('leaves the old or the new, whole, however a restore is killed', async () => {
  const snapshot = join(place.folder, 'made.tar')
  const dataDir = copyOfMade()
  const other = runJson(dataDir, 'avatar', 'generate', 'fixtures/photos/cat.jpg', '--species', 'cat', '--wait').task_id
  const old = checkWhole(dataDir)
  const changed = join(place.folder, 'changed.tar')
  runJson(dataDir, 'data', 'snapshot', changed)
  // Killed as soon as the folder has that name in it; then anywhere between there and its end.
  const moments = ['.restore-draft', '.restore', ...Array.from({ length: 8 }, (_, round) => round * 5)]
  for (const moment of moments) {
    const child = spawn(process.execPath, [program, 'data', 'restore', snapshot, '--force', '--data-dir', dataDir])
    const ended = once(child, 'exit')
    const name = typeof moment === 'string' ? moment : '.restore-draft'
    while (!existsSync(join(dataDir, name)) && child.exitCode === null) await delay(0)
    if (typeof moment === 'number') await delay(moment)
    child.kill('SIGKILL')
    await ended
    runJson(dataDir, 'data', 'restore', '--finish')
    const ids = checkWhole(dataDir)
    const isOld = ids.includes(other)
    assert.is(ids.length, isOld ? old.length : old.length - 1)
    runJson(dataDir, 'data', 'restore', changed, '--force')
  }
  assert.equal(
    readdirSync(dataDir).filter((name) => name.startsWith('.')),
    [],
  )
})

data('has all others refuse a folder whose restore was cut short, until it is finished', () => {
  const dataDir = copyOfMade()
  const snapshot = join(place.folder, 'cut-short')
  runJson(made.dataDir, 'data', 'snapshot', snapshot)
  renameSync(snapshot, join(dataDir, '.restore'))
  // Killed after the first step.
  rmSync(join(dataDir, 'objects'), { recursive: true })
  renameSync(join(dataDir, '.restore/objects'), join(dataDir, 'objects'))
  for (const args of [['serve', '--port', '0'], ['key', 'list'], ['usage'], ['data', 'snapshot', `${snapshot}.tar`]]) {
    const { status, stderr } = run(dataDir, ...args)
    assert.is(status, 2)
    assert.match(stderr, 'svc data restore --finish')
  }
  assert.is(runJson(dataDir, 'data', 'restore', '--finish').finished, true)
  assert.equal(checkWhole(dataDir), checkWhole(made.dataDir))
  assert.is(runJson(dataDir, 'data', 'restore', '--finish').finished, false)
})

data('finishes a reset that was cut short, and says that it was one', () => {
  const dataDir = copyOfMade()
  markEmptied(describeDataDir(dataDir))
  assert.match(run(dataDir, 'key', 'list').stderr, 'svc data restore --finish')
  assert.is(run(dataDir, 'data', 'restore', '--finish').stdout, 'The reset is finished.\n')
  assert.not.ok(existsSync(join(dataDir, 'svc.db')))
  assert.is(run(dataDir, 'data', 'restore', '--finish').stdout, 'Nothing was interrupted; nothing was changed.\n')
})

data('says which models count after a restore and a reset', () => {
  const [source, target] = [copyOfMade(), fresh()]
  writeFileSync(join(source, 'svc.config.json'), '{ "models": { "svc-avatar": "stub", "svc-animation": "stub" } }')
  const snapshot = join(place.folder, 'with-models.tar')
  runJson(source, 'data', 'snapshot', snapshot)
  const restored = run(target, 'data', 'restore', snapshot)
  assert.match(restored.stdout, '  svc.config.json was restored: its models are used.\n')
  const again = run(target, 'data', 'restore', snapshot, '--force')
  assert.match(again.stdout, '  svc.config.json of the folder was kept: its models are used.\n')
  const emptied = run(target, 'data', 'reset', '--yes')
  assert.match(emptied.stdout, `  ${target}/svc.config.json stays: the next start uses its models.\n`)
})

data('removes all of svc and nothing else, when somebody says so', () => {
  const dataDir = copyOfMade()
  writeFileSync(join(dataDir, 'notes.txt'), 'mine')
  const refused = run(dataDir, 'data', 'reset')
  assert.is(refused.status, 2)
  assert.match(refused.stderr, /This removes \d+ files with .* permanently: confirm with --yes/)
  checkWhole(dataDir)
  const { files, objects, size_bytes } = runJson(dataDir, 'data', 'reset', '--yes')
  assert.equal([files, objects], [13, 10])
  assert.ok(size_bytes > 1_000_000)
  assert.equal(readdirSync(dataDir), ['notes.txt'])
  assert.is(runJson(dataDir, 'data', 'reset').files, 0)
  runJson(dataDir, 'key', 'create', '--name', 'new')
})

const idsOf = (dataDir: string) => query<{ id: string }>(dataDir, 'select id from tasks').map(({ id }) => id)

data('removes what is old, and nothing that an identity asset shows', () => {
  const dataDir = copyOfMade()
  const usage = runJson(dataDir, 'usage')
  const [older, newest] = made.animations
  assert.equal(runJson(dataDir, 'data', 'prune', '--older-than', '1d').tasks, {})
  const planned = runJson(dataDir, 'data', 'prune', '--older-than', '0s', '--dry-run')
  assert.is(idsOf(dataDir).length, 4)
  const done = runJson(dataDir, 'data', 'prune', '--older-than', '0s')
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
  assert.equal(runJson(dataDir, 'usage'), usage)
  assert.is(runJson(dataDir, 'avatar', 'list', '--user-id', 'ann').total, 1)

  const key = made.avatar.images.sitting.generated_cos_key
  runJson(dataDir, 'avatar', 'feedback', key, '--liked')
  const all = runJson(dataDir, 'data', 'prune', '--older-than', '0s', '--identity-assets')
  assert.equal(all.tasks, { animation: 1, avatar: 1 })
  assert.equal(listFiles(join(dataDir, 'objects')), [])
  for (const table of ['tasks', 'units', 'feedback']) assert.equal(query(dataDir, `select 1 from ${table}`), [])
  assert.equal(runJson(dataDir, 'usage'), usage)
})

data('keeps an avatar that a newer task was made from, and a file that another task names', () => {
  const dataDir = copyOfMade()
  const longAgo = Date.now() - 10 * 86_400_000
  const age = (id: string) => `update tasks set finished_at = ${longAgo}, created_at = ${longAgo} where id = '${id}'`
  const database = new Database(join(dataDir, 'svc.db'))
  for (const id of [made.avatar.task_id, made.animations[0].task_id]) database.exec(age(id))
  database.close()
  const { tasks, objects } = runJson(dataDir, 'data', 'prune', '--older-than', '5d', '--identity-assets')
  assert.equal([tasks, objects], [{ animation: 1 }, 2])
  runJson(dataDir, 'animation', 'delete', made.animations[1].task_id)
  // Nothing hangs on the avatar any more; the diary picture was painted after two of its files.
  const next = runJson(dataDir, 'data', 'prune', '--older-than', '5d', '--identity-assets')
  assert.equal(next.tasks, { avatar: 1 })
  const input = query<{ input: string }>(dataDir, 'select input from tasks')[0]?.input ?? ''
  for (const key of JSON.parse(input).referenceKeys) assert.ok(existsSync(join(dataDir, 'objects', key)), key)
})

data('removes a library whole, old logs, and files that nobody knows once they are an hour old', () => {
  const dataDir = copyOfMade()
  const scenes = ['rain_walk', 'sofa_nap', 'park_walk']
  runJson(dataDir, 'diary', 'generate', ...scenes, '--asset', made.avatar.identity_asset_id, '--wait')
  const [young, old] = ['young', 'old'].map((name) => {
    const file = join(dataDir, `objects/ai-gateway/photos/${name}.jpg`)
    writeFileSync(file, 'photo')
    return file
  }) as [string, string]
  const hourAgo = Date.now() / 1000 - 3700
  utimesSync(old, hourAgo, hourAgo)
  const { tasks, log_files } = runJson(dataDir, 'data', 'prune', '--older-than', '0s')
  assert.equal(tasks, { animation: 1, diary: 4, diary_library: 1 })
  assert.ok(log_files > 0)
  assert.equal([existsSync(young), existsSync(old)], [true, false])
  assert.equal(query(dataDir, 'select 1 from diary_counts where total <> 0'), [])
})

data('prunes while a server runs and goes on, and after a kill the next run finishes the work', async () => {
  const dataDir = copyOfMade()
  const running = startSvc(['serve', '--port', '0', '--json', '--data-dir', dataDir], { SVC_STUB_DELAY_MS: '800' })
  const { url } = JSON.parse(await running.nextLine())
  const pending = runJson(dataDir, 'avatar', 'generate', 'fixtures/photos/cat.jpg', '--species', 'cat', '--url', url)
  for (let round = 0; round < 6; round++) {
    const args = [program, 'data', 'prune', '--older-than', '0s', '--data-dir', dataDir]
    const child = spawn(process.execPath, args)
    const timer = setTimeout(() => child.kill('SIGKILL'), 80 + round * 25)
    await once(child, 'exit')
    clearTimeout(timer)
  }
  runJson(dataDir, 'data', 'prune', '--older-than', '0s')
  assert.is(runJson(dataDir, 'task', 'wait', pending.task_id, '--url', url).status, 'success')
  running.child.kill()
  assert.equal(await running.ended, { code: 0, signal: null })
  checkWhole(dataDir)
  // Who was killed between rows and files left files that an hour later are nobody's.
  const longAgo = Date.now() / 1000 - 7200
  for (const file of listFiles(join(dataDir, 'objects'))) utimesSync(join(dataDir, 'objects', file), longAgo, longAgo)
  runJson(dataDir, 'data', 'prune', '--older-than', '0s')
  checkWhole(dataDir)
  assert.is(listFiles(join(dataDir, 'objects')).length, 7 + 5)
})

data('names what it cannot read, or cannot write', () => {
  const dataDir = copyOfMade()
  writeFileSync(join(dataDir, 'svc.db'), 'rubbish'.repeat(1000))
  const target = join(place.folder, 'never.tar')
  const { status, stderr } = run(dataDir, 'data', 'snapshot', target)
  assert.is(status, 2)
  assert.match(stderr, `Cannot use ${join(dataDir, 'svc.db')}: it is not a database of svc`)
  assert.not.match(stderr, target)
  assert.not.ok(existsSync(target))

  const file = place.write('file', '')
  const refused = run(made.dataDir, 'data', 'snapshot', join(file, 'x.tar'))
  assert.match(refused.stderr, join(file, 'x.tar'))
})

data('says what is wrong with its flags', () => {
  assert.match(run(made.dataDir, 'data', 'prune').stderr, /--older-than/)
  assert.match(run(made.dataDir, 'data', 'prune', '--older-than', 'soon').stderr, /--older-than is "soon"/)
  assert.match(run(made.dataDir, 'data', 'restore').stderr, /Name the snapshot/)
  assert.match(run(fresh(), 'data', 'snapshot', 'x.tar').stderr, /is not a data directory of svc/)
})

data.run()
