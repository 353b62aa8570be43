import { existsSync, mkdirSync, statSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createDataDir, requireDataDir } from '../../src/runtime/data-dir.js'
import { refusalOf } from '../helpers/refusal.js'
import { reportSkip } from '../helpers/skip.js'
import { openTemporaryFolder } from '../helpers/temporary.js'

const dataDirs = suite('data directory')
let place: ReturnType<typeof openTemporaryFolder>
dataDirs.before.each(() => {
  place = openTemporaryFolder()
})
dataDirs.after.each(() => place.close())

const modeOf = (path: string) => statSync(path).mode & 0o777

dataDirs('is created with its parents, with mode 0700', () => {
  const path = join(place.folder, 'a', 'b')
  assert.is(createDataDir(path).database, join(path, 'svc.db'))
  assert.equal([modeOf(join(place.folder, 'a')), modeOf(path)], [0o700, 0o700])
})

dataDirs('is left as it is if it exists', () => {
  const path = join(place.folder, 'a')
  mkdirSync(path, { mode: 0o755 })
  createDataDir(path)
  assert.is(modeOf(path), 0o755)
})

dataDirs('says why it cannot be created', async () => {
  const file = place.write('file', '')
  const below = join(file, 'a', 'b')
  for (const [path, reason] of [
    [file, 'there is a file of that name.'],
    [below, 'a part of the path is a file.'],
  ] as const) {
    assert.is(await refusalOf(() => createDataDir(path)), `Cannot create the data directory ${path}: ${reason}`)
  }
})

dataDirs('says why it cannot be read', async () => {
  const long = join(place.folder, 'x'.repeat(300))
  const link = join(place.folder, 'link')
  symlinkSync('link', link)
  for (const [path, reason] of [
    [long, 'the name is too long.'],
    [link, 'its links form a circle.'],
  ] as const) {
    assert.is(await refusalOf(() => requireDataDir(path)), `Cannot use ${join(path, 'svc.db')}: ${reason}`)
  }
})

dataDirs('is rejected at once where no folder can be created', async () => {
  if (!existsSync('/proc/self')) return reportSkip('there is no /proc')
  for (const path of ['/proc/nope', '/proc/nope/a/b']) {
    const expected = `Cannot create the data directory ${path}: no directory can be made there.`
    assert.is(await refusalOf(() => createDataDir(path)), expected)
  }
})

dataDirs.run()
