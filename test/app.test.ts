import { spawnSync } from 'node:child_process'
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { openFolderStore } from '../src/app/storage/folder-store.js'
import { createApp } from '../src/app.js'
import { loadConfig } from '../src/config.js'
import { createKey, fullSettings } from '../src/contract/access.js'
import { describeDataDir, requireDataDir } from '../src/runtime/data-dir.js'
import { refusalOf } from './helpers/refusal.js'
import { reportSkip } from './helpers/skip.js'
import { openTemporaryFolder } from './helpers/temporary.js'

const app = suite('app')
const start = (path: string) => createApp(loadConfig({ dataDir: path, port: '0' }, {}))

/** Files of a data directory with their content; undefined is a folder. */
const unusable: [file: string, content: string | undefined, says: string][] = [
  ['svc.db', 'x'.repeat(5000), 'svc.db: it is not a database'],
  ['svc.db', undefined, 'svc.db: there is a folder of that name'],
  ['secret', undefined, 'secret: there is a folder of that name'],
  ['secret', '', 'secret must hold 64 hexadecimal digits'],
]
app('says in one sentence that it cannot start on a file that is not what it must be', async () => {
  for (const [file, content, says] of unusable) {
    const place = openTemporaryFolder()
    if (content === undefined) mkdirSync(join(place.folder, file))
    else place.write(file, content)
    assert.match(await refusalOf(() => start(place.folder)), says)
    place.close()
  }
})

app('leaves no file open where its first key cannot be kept', async () => {
  if (!existsSync('/proc/self/fd')) return reportSkip('nothing tells which files a process has open')
  const place = openTemporaryFolder()
  mkdirSync(join(place.folder, 'local.key'))
  assert.match(await refusalOf(() => start(place.folder)), /there is a folder of that name/)
  const targets = readdirSync('/proc/self/fd').map((name) => findLink(join('/proc/self/fd', name)))
  assert.equal(
    targets.filter((target) => target?.startsWith(place.folder)),
    [],
  )
  place.close()
})

app('keeps its first key at the next start if it ended between the row and the file', async () => {
  const place = openTemporaryFolder()
  const { localKey } = describeDataDir(place.folder)
  mkdirSync(localKey)
  await refusalOf(() => start(place.folder))
  rmSync(localKey, { recursive: true })
  const second = await start(place.folder)
  assert.is(second.createdKey, undefined)
  const headers = { authorization: `Bearer ${readFileSync(localKey, 'utf8').trim()}` }
  assert.is((await second.fetch(new Request('http://localhost/v1/models', { headers }))).status, 200)
  await second.close()
  assert.equal(listDrafts(place.folder), [])
  place.close()
})

app('keeps the text of a rotated key if the command was killed, but no older key', async () => {
  const place = openTemporaryFolder()
  const { localKey } = describeDataDir(place.folder)
  const draft = `${localKey}.${endedProcess}`
  const first = await start(place.folder)
  const id = first.createdKey?.id ?? ''
  const old = createKey({ ...fullSettings, name: 'old', admin: true }, new Date())
  const next = createKey({ ...fullSettings, name: 'next', admin: true }, new Date(), id)
  await first.keys.insertKey(old.key)
  await first.keys.replaceKey(id, new Date(Date.now() + 3_600_000), next.key)
  await first.close()
  for (const [text, kept] of [
    [old.text, first.createdKey?.text],
    [next.text, next.text],
    [old.text, next.text],
  ]) {
    writeFileSync(draft, `${text}\n`)
    await (await start(place.folder)).close()
    assert.is(readFileSync(localKey, 'utf8').trim(), kept)
    assert.equal(listDrafts(place.folder), [])
  }
  place.close()
})

app('removes what killed starts have left, but no file of a process that runs', async () => {
  const place = openTemporaryFolder()
  const { localKey, secret } = describeDataDir(place.folder)
  const unknown = createKey({ ...fullSettings, name: 'unknown', admin: true }, new Date())
  for (const file of [localKey, secret]) {
    for (const owner of [endedProcess, process.pid, process.ppid, 'backup']) {
      writeFileSync(`${file}.${owner}`, `${unknown.text}\n`)
    }
  }
  const running = await start(place.folder)
  assert.equal(listDrafts(place.folder), [
    `local.key.${process.ppid}`,
    'local.key.backup',
    `secret.${process.ppid}`,
    'secret.backup',
  ])
  assert.is(readFileSync(localKey, 'utf8').trim(), running.createdKey?.text)
  await running.close()
  place.close()
})

/** The ID of a process that has ended. */
const endedProcess = spawnSync(process.execPath, ['--version']).pid

function listDrafts(path: string): string[] {
  return readdirSync(path)
    .filter((name) => /^(local\.key|secret)\../.test(name))
    .sort()
}

/** The target of a link; undefined if the link is gone, such as the one of the folder that was just read. */
function findLink(path: string): string | undefined {
  return lstatSync(path, { throwIfNoEntry: false }) && readlinkSync(path)
}

app('says in one sentence that a database was cut short', async () => {
  const place = openTemporaryFolder()
  await (await start(place.folder)).close()
  const { database } = describeDataDir(place.folder)
  truncateSync(database, Math.floor(readFileSync(database).length / 2))
  assert.match(await refusalOf(() => start(place.folder)), /svc\.db: it is damaged/)
  assert.match(await refusalOf(() => openFolderStore(requireDataDir(place.folder))), /svc\.db: it is damaged/)
  place.close()
})

app('says that a folder without a database is not a data directory', async () => {
  const place = openTemporaryFolder()
  assert.match(await refusalOf(async () => requireDataDir(place.folder)), /No svc data in /)
  assert.match(await refusalOf(async () => requireDataDir(join(place.folder, 'none'))), /No svc data in /)
  place.close()
})

app.run()
