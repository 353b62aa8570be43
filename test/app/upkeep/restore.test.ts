import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { Header } from 'tar'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { Database } from '../../../src/adapters/sql/sqlite/driver.js'
import { openFolderStore } from '../../../src/app/storage/folder-store.js'
import { openStorage } from '../../../src/app/storage/open-storage.js'
import { requireExclusiveLock } from '../../../src/app/upkeep/exclusive-lock.js'
import { measureContents, resetDataDir } from '../../../src/app/upkeep/reset.js'
import { finishRestore, markEmptied, restoreSnapshot } from '../../../src/app/upkeep/restore.js'
import { takeSnapshot } from '../../../src/app/upkeep/snapshot.js'
import { loadConfig } from '../../../src/config.js'
import { createKey, fullSettings } from '../../../src/contract/access.js'
import { isSvcError } from '../../../src/errors.js'
import { createDataDir, type DataDir, describeDataDir } from '../../../src/runtime/data-dir.js'
import { startApp } from '../../helpers/app.js'
import { reportSkip } from '../../helpers/skip.js'
import { startSvc } from '../../helpers/svc.js'
import { openTemporaryFolder } from '../../helpers/temporary.js'

const restores = suite('restore and reset')
let place: ReturnType<typeof openTemporaryFolder>
let snapshot: string
let names = 0
restores.before(async () => {
  place = openTemporaryFolder()
  snapshot = join(place.folder, 'made')
  await takeSnapshot(await makeData(), snapshot, false)
})
restores.after(() => place.close())

const fresh = () => describeDataDir(join(place.folder, `data-${names++}`))
const restore = (dataDir: DataDir, force = false) => restoreSnapshot(dataDir, snapshot, snapshot, force)
const read = (file: string) => readFileSync(file, 'utf8')

/** A data directory with a secret and a key. */
async function makeData(): Promise<DataDir> {
  const dataDir = fresh()
  await (await startApp({ dataDir: dataDir.path })).close()
  return dataDir
}

async function refusalOf(work: () => unknown): Promise<string> {
  try {
    await work()
  } catch (error) {
    if (isSvcError(error)) return error.message
    throw error
  }
  throw new Error('nothing was refused')
}

const serve = ({ path }: DataDir) => startSvc(['serve', '--port', '0', '--json', '--data-dir', path])

restores('prevents a server from starting in a folder without a database, and does not create one', async () => {
  const dataDir = createDataDir(fresh().path)
  const hold = requireExclusiveLock(dataDir)
  assert.match(await refusalOf(() => requireExclusiveLock(dataDir)), /works on/)
  const refused = serve(dataDir)
  assert.equal(await refused.ended, { code: 2, signal: null })
  assert.match(refused.errors(), /svc\.db: another process holds it/)
  hold.release()
  assert.equal(readdirSync(dataDir.path), [])
  const running = serve(dataDir)
  await running.nextLine()
  assert.match(await refusalOf(() => restore(dataDir, true)), /works on/)
  running.child.kill()
  await running.ended
})

for (const isNew of [true, false]) {
  const what = isNew ? 'was created' : 'was replaced'
  restores(`refuses a start that waited while a database ${what}, and does not change the database`, async () => {
    if (!existsSync('/proc/self/fd')) return reportSkip('nothing tells which files a process has open')
    const dataDir = isNew ? createDataDir(fresh().path) : await makeData()
    const hold = requireExclusiveLock(dataDir)
    const waiting = serve(dataDir)
    while (!hasOpen(waiting.child.pid, dataDir.database)) await delay(5)
    cpSync(snapshot, dataDir.restore, { recursive: true })
    finishRestore(dataDir)
    // Another restore has started meanwhile.
    const { key } = createKey({ ...fullSettings, name: 'new', admin: false }, new Date())
    const store = await openFolderStore(dataDir)
    await store.insertKey(key)
    hold.release()
    // A server that does start must not block the test.
    await waiting.nextLine().then(
      () => waiting.child.kill(),
      () => {},
    )
    assert.equal(await waiting.ended, { code: 2, signal: null })
    assert.match(waiting.errors(), /svc\.db: it was replaced meanwhile; start again\./)
    await store.close()
    assert.equal(
      readdirSync(dataDir.path)
        .filter((name) => name !== 'logs')
        .sort(),
      ['local.key', 'secret', 'svc.db'],
    )
    const again = await openFolderStore(dataDir)
    assert.equal((await again.listKeys()).map(({ name }) => name).sort(), ['local', 'new'])
    await again.close()
    assert.is(read(dataDir.secret), read(join(snapshot, 'secret')))
  })
}

function hasOpen(pid: number | undefined, file: string): boolean {
  const folder = `/proc/${pid}/fd`
  return readdirSync(folder).some((name) => {
    try {
      return readlinkSync(join(folder, name)) === file
    } catch {
      // It was closed meanwhile.
      return false
    }
  })
}

restores('checks again before it replaces anything', async () => {
  const dataDir = fresh()
  const filled = restore(dataDir)
  writeFileSync(join(dataDir.path, 'notes.txt'), 'mine')
  assert.match(await refusalOf(() => filled), /is not empty/)
  assert.equal(readdirSync(dataDir.path), ['notes.txt'])

  const stolen = restore(dataDir, true)
  rmSync(dataDir.database)
  writeFileSync(dataDir.database, 'of another')
  assert.match(await refusalOf(() => stolen), /was changed meanwhile; nothing was restored/)
  assert.equal(readdirSync(dataDir.path).sort(), ['notes.txt', 'svc.db'])
  assert.is(read(dataDir.database), 'of another')
})

restores('does not copy a data directory into itself', async () => {
  const dataDir = await makeData()
  const itself = restoreSnapshot(dataDir, dataDir.path, 'itself', true)
  assert.match(await refusalOf(() => itself), /^itself is not a snapshot of svc/)
  assert.equal(readdirSync(dataDir.path).sort(), ['local.key', 'logs', 'objects', 'secret', 'svc.db'])
})

restores('does not unpack an archive that is larger than the free space', async () => {
  const dataDir = fresh()
  const archive = Buffer.alloc(1024)
  new Header({ path: 'svc.db', type: 'File', mode: 0o600, size: 2 ** 52 }).encode(archive)
  const file = place.write('large.tar', archive)
  assert.match(await refusalOf(() => restoreSnapshot(dataDir, file, 'large.tar', false)), /^large\.tar does not fit: /)
  assert.equal(readdirSync(dataDir.path), [])
})

restores('treats an empty database, which a killed restore leaves, as absent', async () => {
  for (const pages of [0, 1]) {
    const dataDir = createDataDir(fresh().path)
    writeFileSync(dataDir.database, '')
    if (pages === 1) new Database(dataDir.database).exec('pragma user_version = 0').close()
    assert.is((await restore(dataDir)).replaced, false)
  }
  const dataDir = createDataDir(fresh().path)
  writeFileSync(dataDir.database, 'of another')
  assert.match(await refusalOf(() => restore(dataDir)), /is not empty/)
  assert.equal(readdirSync(dataDir.path), ['svc.db'])
})

restores('finishes an interrupted restore only with force and if no process uses the folder', async () => {
  const dataDir = await makeData()
  const secret = read(dataDir.secret)
  const app = await startApp({ dataDir: dataDir.path })
  await takeSnapshot(dataDir, join(place.folder, 'other'), false)
  renameSync(join(place.folder, 'other'), dataDir.restore)
  writeFileSync(dataDir.secret, 'changed since')
  assert.match(
    await refusalOf(() => restore(dataDir)),
    `finish it with: svc data restore --finish --data-dir ${dataDir.path}`,
  )
  assert.match(await refusalOf(() => restore(dataDir, true)), /works on/)
  assert.is(read(dataDir.secret), 'changed since')
  await app.close()
  const config = loadConfig({ dataDir: dataDir.path }, {})
  const openAll = () => openStorage(config, { mayCreate: false, urlTtlSeconds: 0 })
  for (const open of [() => openFolderStore(dataDir), openAll]) {
    assert.match(await refusalOf(open), /finish it with: svc data restore --finish --data-dir/)
  }
  await restore(dataDir, true)
  assert.is(read(dataDir.secret), read(join(snapshot, 'secret')))
  assert.is.not(read(dataDir.secret), secret)
})

restores("restores the operator's file if it is absent, and keeps an existing one", async () => {
  const source = await makeData()
  const configOf = ({ path }: DataDir) => join(path, 'svc.config.json')
  writeFileSync(configOf(source), '// of the snapshot')
  for (const name of ['configured', 'configured.tar']) {
    const target = join(place.folder, name)
    await takeSnapshot(source, target, false)
    const [bare, configured] = [fresh(), await makeData()]
    assert.is((await restoreSnapshot(bare, target, target, false)).config, 'restored')
    assert.is(read(configOf(bare)), '// of the snapshot')
    writeFileSync(configOf(configured), '// of the folder')
    assert.is((await restoreSnapshot(configured, target, target, true)).config, 'kept')
    assert.is(read(configOf(configured)), '// of the folder')
    assert.is((await restore(configured, true)).config, 'kept')
    resetDataDir(configured)
    assert.equal(readdirSync(configured.path), ['svc.config.json'])
  }
  assert.is((await restore(fresh())).config, 'none')
})

restores("takes no operator's file from an interrupted restore that is reset", async () => {
  const source = await makeData()
  writeFileSync(join(source.path, 'svc.config.json'), '{}')
  const dataDir = await makeData()
  await takeSnapshot(source, join(place.folder, 'emptied'), false)
  renameSync(join(place.folder, 'emptied'), dataDir.restore)
  resetDataDir(dataDir)
  assert.equal(readdirSync(dataDir.path), [])
})

restores('replaces a folder with a file', async () => {
  const dataDir = await makeData()
  for (const part of [dataDir.secret, dataDir.localKey]) {
    rmSync(part)
    mkdirSync(join(part, 'x'), { recursive: true })
  }
  await restore(dataDir, true)
  assert.is(read(dataDir.secret), read(join(snapshot, 'secret')))
})

restores('refuses to finish an empty marker, which a reset removes', async () => {
  const dataDir = await makeData()
  mkdirSync(dataDir.restore)
  assert.match(await refusalOf(() => finishRestore(dataDir)), /is not a snapshot of svc/)
  resetDataDir(dataDir)
  assert.equal(readdirSync(dataDir.path), [])
})

restores('makes all others refuse a folder whose reset was interrupted, until it is finished', async () => {
  for (const finish of [finishRestore, resetDataDir]) {
    const dataDir = await makeData()
    markEmptied(dataDir)
    rmSync(dataDir.objects, { recursive: true })
    assert.match(await refusalOf(() => createDataDir(dataDir.path)), /or emptied.*--finish/)
    finish(dataDir)
    assert.equal(
      readdirSync(dataDir.path).filter((name) => name !== 'logs'),
      [],
    )
  }
})

restores('resets a folder whose restore was interrupted', async () => {
  const dataDir = await makeData()
  await takeSnapshot(dataDir, join(place.folder, 'cut-short'), false)
  renameSync(join(place.folder, 'cut-short'), dataDir.restore)
  markEmptied(dataDir)
  assert.is(finishRestore(dataDir), true)
  assert.equal(readdirSync(dataDir.path), ['logs'])
})

restores('changes nothing in a folder that does not exist', async () => {
  const none = fresh()
  assert.is(resetDataDir(none).files, 0)
  requireExclusiveLock(none).release()
  assert.not(existsSync(none.path))
  assert.is(measureContents(none).files, 0)
})

restores.run()
