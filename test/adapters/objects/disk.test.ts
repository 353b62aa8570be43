import { createSecretKey } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { openDiskObjects } from '../../../src/adapters/objects/disk.js'
import { createUrlSignatures } from '../../../src/adapters/secret.js'
import { testObjectStore } from '../../conformance/objects.js'
import { reportSkip } from '../../helpers/skip.js'
import { openTemporaryFolder } from '../../helpers/temporary.js'
import { codeOf } from '../../helpers/thrown.js'

const signatures = createUrlSignatures(createSecretKey(Buffer.alloc(32)), 86_400)
const open = () => {
  const place = openTemporaryFolder()
  return { path: place.folder, store: openDiskObjects(place.folder, signatures), close: place.close }
}

testObjectStore('disk', async () => open())

const disk = suite('objects on disk')
let path: string
let store: ReturnType<typeof open>['store']
let close: () => void
disk.before.each(() => {
  ;({ path, store, close } = open())
})
disk.after.each(() => close())

const key = 'ai-gateway/avatars/one/lying.webp'
const list = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8', withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))

disk('are files under their keys, readable by their owner only, without other files', async () => {
  await store.put(key, Buffer.from('x'))
  assert.equal(list(path), [key])
  assert.is(statSync(join(path, key)).mode & 0o777, 0o600)
  assert.is(statSync(join(path, 'ai-gateway/avatars/one')).mode & 0o777, 0o700)
})

disk('are deleted with their folder if it is empty, and a concurrent store creates it again', async () => {
  const folder = join(path, 'ai-gateway/avatars/one')
  await store.put(key, Buffer.from('x'))
  await store.put('ai-gateway/avatars/one/lying.mp4', Buffer.from('x'))
  await store.delete(key)
  assert.ok(existsSync(folder))
  await store.delete('ai-gateway/avatars/one/lying.mp4')
  assert.not(existsSync(folder))
  const work = Array.from({ length: 100 }, async (_, index) => {
    const one = `ai-gateway/avatars/one/${index}.png`
    for (let round = 0; round < 5; round++) {
      await store.put(one, Buffer.from('x'))
      await store.delete(one)
    }
  })
  await Promise.all(work)
  assert.not(existsSync(folder))
})

disk('removes the drafts of a crash, but no draft that may still be written, also while it is open', async () => {
  const [old, young] = [join(path, '.drafts/old'), join(path, '.drafts/young')]
  const makeOld = () => {
    writeFileSync(old, 'half')
    utimesSync(old, Date.now() / 1000 - 7200, Date.now() / 1000 - 7200)
  }
  makeOld()
  writeFileSync(young, 'half')
  openDiskObjects(path, signatures)
  assert.equal(list(path), ['.drafts/young'])
  const open = openDiskObjects(path, signatures, 1)
  makeOld()
  // The young draft is removed in a later millisecond than the old one, if little time has passed since it was written.
  while (list(path).some((file) => file.startsWith('.drafts/'))) await open.put(key, Buffer.from('x'))
  assert.equal(list(path), [key])
})

disk('throws `unavailable` with a cause if the disk fails, and leaves no draft', async () => {
  mkdirSync(join(path, 'ai-gateway'), { mode: 0o700 })
  // A file in place of a folder fails for every user, also for root.
  writeFileSync(join(path, 'ai-gateway/avatars'), '')
  const error = await store.put(key, Buffer.from('x')).catch((thrown) => thrown)
  assert.is(error?.code, 'unavailable')
  assert.not.match(error.message, path)
  assert.instance(error.cause, Error)
  assert.equal(list(join(path, '.drafts')), [])
})

disk('leaves a folder among the drafts alone', async () => {
  const draft = join(path, '.drafts/old')
  mkdirSync(draft)
  utimesSync(draft, 0, 0)
  const impatient = openDiskObjects(path, signatures, 0)
  await impatient.put(key, Buffer.from('x'))
  assert.ok(existsSync(draft))
  assert.equal(list(path), [key])
})

disk('throws `unavailable` if the folder of drafts is gone, or a folder is in place of an object', async () => {
  mkdirSync(join(path, key), { recursive: true })
  assert.is(await codeOf(store.delete(key)), 'unavailable')
  const impatient = openDiskObjects(path, signatures, 0)
  rmSync(join(path, '.drafts'), { recursive: true })
  writeFileSync(join(path, '.drafts'), '')
  assert.is(await codeOf(impatient.put(key, Buffer.from('x'))), 'unavailable')
})

disk('throws `unavailable` if a file is not readable', async () => {
  if (process.getuid?.() === 0) return reportSkip('root may read every file')
  await store.put(key, Buffer.from('x'))
  chmodSync(join(path, key), 0)
  assert.is(await codeOf(store.get(key)), 'unavailable')
})

disk('keeps no file open', async () => {
  if (process.platform !== 'linux') return reportSkip('only Linux lists the open files of a process')
  await store.put(key, Buffer.alloc(1 << 20))
  const countOpen = () => readdirSync('/proc/self/fd').length
  const before = countOpen()
  for (let count = 0; count < 20; count++) {
    await store.get(key, { start: 0, end: 10 })
    await (await store.open(key))?.close()
    const reader = (await store.open(key))?.stream().getReader()
    await reader?.read()
    await reader?.cancel()
    await store.open(join(path, 'missing'))
  }
  assert.is(countOpen(), before)
})

disk.run()
