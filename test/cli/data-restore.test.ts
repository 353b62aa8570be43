import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { markEmptied } from '../../src/app/upkeep/restore.js'
import { describeDataDir } from '../../src/runtime/data-dir.js'
import { checkWhole, listFiles, makeAvatar, openDataFolders, run, runJson } from '../helpers/data-folders.js'
import type { Json } from '../helpers/media.js'
import { program, runSvc, startSvc } from '../helpers/svc.js'

const data = suite('svc data restore')
let folders: Awaited<ReturnType<typeof openDataFolders>>
/** A snapshot that is a folder. */
let snapshotFolder: string
data.before(async () => {
  folders = await openDataFolders(async (dataDir) => {
    await makeAvatar(dataDir, '--pose', 'sitting')
  })
  snapshotFolder = join(folders.folder, 'made')
  await runJson(folders.made, 'data', 'snapshot', snapshotFolder)
})
data.after(() => folders.close())

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
    /in its manifest\.json \/files\/\d+ must be object/,
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
  data(`refuses a snapshot with ${what}, and changes nothing`, async () => {
    const damaged = folders.fresh()
    cpSync(snapshotFolder, damaged, { recursive: true })
    damage(damaged)
    const dataDir = folders.copy()
    const before = checkWhole(dataDir)
    const { status, stderr } = await run(dataDir, 'data', 'restore', damaged, '--force')
    assert.is(status, 2)
    assert.match(stderr, says)
    assert.equal(checkWhole(dataDir), before)
    assert.equal(
      readdirSync(dataDir).filter((name) => name.startsWith('.')),
      [],
    )
  })
}

data('refuses half an archive, a file that is not an archive, and a file that does not exist', async () => {
  const snapshot = join(folders.folder, 'half.tar')
  cpSync(folders.snapshot, snapshot)
  truncateSync(snapshot, statSync(snapshot).size / 2)
  for (const file of [snapshot, folders.write('text.tar', 'text'), join(folders.folder, 'no.tar')]) {
    const { status, stderr } = await run(folders.fresh(), 'data', 'restore', file)
    assert.is(status, 2)
    assert.match(stderr, /not a complete archive|not a snapshot|does not exist/)
  }
})

data('restores into no folder that is in use or not empty', async () => {
  const { snapshot } = folders
  const dataDir = folders.copy()
  assert.match((await run(dataDir, 'data', 'restore', snapshot)).stderr, /is not empty/)
  const running = startSvc(['serve', '--port', '0', '--json', '--data-dir', dataDir])
  const { url } = JSON.parse(await running.nextLine())
  for (const args of [
    ['restore', snapshot, '--force'],
    ['reset', '--yes'],
    ['restore', '--finish'],
  ]) {
    const { status, stderr } = await run(dataDir, 'data', ...args)
    assert.is(status, 2)
    assert.match(stderr, /A server or another command works on/)
  }
  assert.is((await fetch(`${url}/health`)).status, 200)
  running.child.kill()
  await running.ended
  await runJson(dataDir, 'data', 'restore', snapshot, '--force')
  checkWhole(dataDir)
})

data('replaces a file that is not a database, and a key that the snapshot does not have', async () => {
  const dataDir = folders.fresh()
  mkdirSync(dataDir)
  for (const name of ['svc.db', 'svc.db-wal', 'local.key', 'secret']) writeFileSync(join(dataDir, name), 'rubbish')
  const snapshot = join(folders.folder, 'no-key')
  cpSync(snapshotFolder, snapshot, { recursive: true })
  rmSync(join(snapshot, 'local.key'))
  const manifest = JSON.parse(readFileSync(join(snapshot, 'manifest.json'), 'utf8'))
  const files = manifest.files.filter(({ path }: { path: string }) => path !== 'local.key')
  writeFileSync(join(snapshot, 'manifest.json'), JSON.stringify({ ...manifest, files }))
  await runJson(dataDir, 'data', 'restore', snapshot, '--force')
  checkWhole(dataDir)
  assert.equal(readdirSync(dataDir).sort(), ['objects', 'secret', 'svc.db'])
})

data('leaves the old or the new, whole, however a restore is killed', async () => {
  const changed = folders.copy()
  const other = (await runJson(changed, 'avatar', 'generate', 'fixtures/photos/cat.jpg', '--species', 'cat', '--wait'))
    .task_id
  const old = checkWhole(changed)
  // Killed as soon as the folder has that name in it; then anywhere between there and its end.
  const moments = ['.restore-draft', '.restore', ...Array.from({ length: 8 }, (_, round) => round * 5)]
  const dataDirs: string[] = []
  for (const moment of moments) {
    const dataDir = folders.fresh()
    dataDirs.push(dataDir)
    cpSync(changed, dataDir, { recursive: true })
    const restore = [program, 'data', 'restore', folders.snapshot, '--force', '--data-dir', dataDir]
    const child = spawn(process.execPath, restore)
    const ended = once(child, 'exit')
    const name = typeof moment === 'string' ? moment : '.restore-draft'
    while (!existsSync(join(dataDir, name)) && child.exitCode === null) await delay(0)
    if (typeof moment === 'number') await delay(moment)
    child.kill('SIGKILL')
    await ended
    await runJson(dataDir, 'data', 'restore', '--finish')
    const ids = checkWhole(dataDir)
    const isOld = ids.includes(other)
    assert.is(ids.length, isOld ? old.length : old.length - 1)
  }
  // A draft that never counted is there until the next restore.
  const left = dataDirs.find((dataDir) => existsSync(join(dataDir, '.restore-draft'))) ?? ''
  await runJson(left, 'data', 'restore', folders.snapshot, '--force')
  assert.equal(
    readdirSync(left).filter((name) => name.startsWith('.')),
    [],
  )
})

data('has all others refuse a folder whose restore was cut short, until it is finished', async () => {
  const dataDir = folders.copy()
  cpSync(snapshotFolder, join(dataDir, '.restore'), { recursive: true })
  // Killed after the first step.
  rmSync(join(dataDir, 'objects'), { recursive: true })
  renameSync(join(dataDir, '.restore/objects'), join(dataDir, 'objects'))
  for (const args of [
    ['serve', '--port', '0'],
    ['key', 'list'],
    ['usage'],
    ['data', 'snapshot', join(folders.folder, 'cut-short.tar')],
  ]) {
    const { status, stderr } = runSvc([...args, '--data-dir', dataDir])
    assert.is(status, 2)
    assert.match(stderr, 'node bin/svc.js data restore --finish')
  }
  assert.is((await runJson(dataDir, 'data', 'restore', '--finish')).finished, true)
  assert.equal(checkWhole(dataDir), checkWhole(folders.made))
  assert.is((await runJson(dataDir, 'data', 'restore', '--finish')).finished, false)
})

data('finishes a reset that was cut short, and says that it was one', async () => {
  const dataDir = folders.copy()
  markEmptied(describeDataDir(dataDir))
  assert.match((await run(dataDir, 'key', 'list')).stderr, 'svc data restore --finish')
  assert.is((await run(dataDir, 'data', 'restore', '--finish')).stdout, 'The reset is finished.\n')
  assert.not.ok(existsSync(join(dataDir, 'svc.db')))
  assert.is(
    (await run(dataDir, 'data', 'restore', '--finish')).stdout,
    'Nothing was interrupted; nothing was changed.\n',
  )
})

data('says which models count after a restore and a reset', async () => {
  const [source, target] = [folders.copy(), folders.fresh()]
  writeFileSync(join(source, 'svc.config.json'), '{ "models": { "svc-avatar": "stub", "svc-animation": "stub" } }')
  const snapshot = join(folders.folder, 'with-models.tar')
  await runJson(source, 'data', 'snapshot', snapshot)
  const restored = await run(target, 'data', 'restore', snapshot)
  assert.match(restored.stdout, '  svc.config.json was restored: its models are used.\n')
  const again = await run(target, 'data', 'restore', snapshot, '--force')
  assert.match(again.stdout, '  svc.config.json of the folder was kept: its models are used.\n')
  const emptied = await run(target, 'data', 'reset', '--yes')
  assert.match(emptied.stdout, `  ${target}/svc.config.json stays: the next start uses its models.\n`)
})

data.run()
