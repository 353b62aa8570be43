import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { create, extract, Header } from 'tar'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { Database } from '../../../src/adapters/sql/sqlite/driver.js'
import { openFolderStore } from '../../../src/app/storage/folder-store.js'
import { requireExclusiveLock } from '../../../src/app/upkeep/exclusive-lock.js'
import { measureContents, resetDataDir } from '../../../src/app/upkeep/reset.js'
import { restoreSnapshot } from '../../../src/app/upkeep/restore.js'
import { takeSnapshot } from '../../../src/app/upkeep/snapshot.js'
import { createKey, fullSettings } from '../../../src/contract/access.js'
import { createDataDir, type DataDir, describeDataDir } from '../../../src/runtime/data-dir.js'
import { startApp } from '../../helpers/app.js'
import { refusalOf } from '../../helpers/refusal.js'
import { reportSkip } from '../../helpers/skip.js'
import { startSvc } from '../../helpers/svc.js'
import { openTemporaryFolder } from '../../helpers/temporary.js'

const restores = suite('restore and reset')
let place: ReturnType<typeof openTemporaryFolder>
let snapshot: string
/** The files of the snapshot. */
let unpacked: string
let names = 0
restores.before(async () => {
  place = openTemporaryFolder()
  snapshot = join(place.folder, 'made.tar')
  await takeSnapshot(await makeData(), snapshot, false)
  unpacked = join(place.folder, 'unpacked')
  mkdirSync(unpacked)
  await extract({ file: snapshot, cwd: unpacked })
})
restores.after(() => place.close())

const fresh = () => describeDataDir(join(place.folder, `data-${names++}`))
const restore = (dataDir: DataDir) => restoreSnapshot(dataDir, snapshot, snapshot)
const read = (file: string) => readFileSync(file, 'utf8')

/** A data directory with a secret and a key. */
async function makeData(): Promise<DataDir> {
  const dataDir = fresh()
  await (await startApp({ dataDir: dataDir.path })).close()
  return dataDir
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
  assert.match(await refusalOf(() => resetDataDir(dataDir)), /works on/)
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
    // As a restore does.
    for (const name of ['secret', 'local.key', 'svc.db']) {
      cpSync(join(unpacked, name), join(dataDir.path, `${name}.new`))
      renameSync(join(dataDir.path, `${name}.new`), join(dataDir.path, name))
    }
    for (const journal of dataDir.journals) rmSync(journal, { force: true })
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
        .filter((name) => !['logs', 'objects'].includes(name))
        .sort(),
      ['local.key', 'secret', 'svc.db'],
    )
    const again = await openFolderStore(dataDir)
    assert.equal((await again.listKeys()).map(({ name }) => name).sort(), ['local', 'new'])
    await again.close()
    assert.is(read(dataDir.secret), read(join(unpacked, 'secret')))
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

restores('checks again before it puts anything in place', async () => {
  const dataDir = fresh()
  const filled = restore(dataDir)
  writeFileSync(join(dataDir.path, 'notes.txt'), 'mine')
  assert.match(await refusalOf(() => filled), /is not empty/)
  assert.equal(readdirSync(dataDir.path), ['notes.txt'])

  const other = fresh()
  const stolen = restore(other)
  rmSync(other.database)
  writeFileSync(other.database, 'of another')
  assert.match(await refusalOf(() => stolen), /was changed meanwhile; nothing was restored/)
  assert.equal(readdirSync(other.path), ['svc.db'])
  assert.is(read(other.database), 'of another')
})

restores('says how a folder becomes a snapshot', async () => {
  assert.is(
    await refusalOf(() => restoreSnapshot(fresh(), unpacked, 'old snapshot/')),
    "old snapshot/ is a folder. Pack it first: tar -cf 'old snapshot.tar' -C 'old snapshot/' .",
  )
})

restores('restores a snapshot of an older version, which has a manifest, for its owner alone', async () => {
  const folder = join(place.folder, 'older')
  cpSync(unpacked, folder, { recursive: true })
  writeFileSync(join(folder, 'manifest.json'), '{ "format": "svc-snapshot-1" }')
  chmodSync(join(folder, 'secret'), 0o4777)
  const file = join(place.folder, 'older.tar')
  await create({ file, cwd: folder }, ['.'])
  const dataDir = fresh()
  await restoreSnapshot(dataDir, file, file)
  assert.equal(readdirSync(dataDir.path).sort(), ['local.key', 'objects', 'secret', 'svc.db'])
  assert.is(read(dataDir.secret), read(join(unpacked, 'secret')))
  assert.is(statSync(dataDir.secret).mode & 0o7777, 0o600)
})

restores('does not unpack an archive that is larger than the free space', async () => {
  const dataDir = fresh()
  const archive = Buffer.alloc(1024)
  new Header({ path: 'svc.db', type: 'File', mode: 0o600, size: 2 ** 52 }).encode(archive)
  const file = place.write('large.tar', archive)
  assert.match(await refusalOf(() => restoreSnapshot(dataDir, file, 'large.tar')), /^large\.tar does not fit: /)
  assert.equal(readdirSync(dataDir.path), [])
})

restores('treats an empty database, which a killed restore leaves, as absent', async () => {
  for (const pages of [0, 1]) {
    const dataDir = createDataDir(fresh().path)
    writeFileSync(dataDir.database, '')
    if (pages === 1) new Database(dataDir.database).exec('pragma user_version = 0').close()
    await restore(dataDir)
  }
  const dataDir = createDataDir(fresh().path)
  writeFileSync(dataDir.database, 'of another')
  assert.match(await refusalOf(() => restore(dataDir)), /is not empty/)
  assert.equal(readdirSync(dataDir.path), ['svc.db'])
})

restores('changes nothing in a folder that does not exist', async () => {
  const none = fresh()
  assert.is((await resetDataDir(none)).files, 0)
  requireExclusiveLock(none).release()
  assert.not(existsSync(none.path))
  assert.is(measureContents(none).files, 0)
})

restores.run()
