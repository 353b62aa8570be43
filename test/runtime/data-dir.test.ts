import { existsSync, mkdirSync, statSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createDataDir, requireDataDir } from '../../src/runtime/data-dir.js'
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

dataDirs('says why it cannot be created', () => {
  const file = place.write('file', '')
  const below = join(file, 'a', 'b')
  assert.throws(() => createDataDir(file), `Cannot create the data directory ${file}: there is a file of that name.`)
  assert.throws(() => createDataDir(below), `the data directory ${below}: a part of the path is a file.`)
})

dataDirs('says why it cannot be read', () => {
  const long = join(place.folder, 'x'.repeat(300))
  assert.throws(() => requireDataDir(long), `Cannot use ${join(long, 'svc.db')}: the name is too long.`)
  const link = join(place.folder, 'link')
  symlinkSync('link', link)
  assert.throws(() => requireDataDir(link), `Cannot use ${join(link, 'svc.db')}: its links form a circle.`)
})

dataDirs('is rejected at once where no folder can be created', () => {
  if (!existsSync('/proc/self')) return reportSkip('there is no /proc')
  for (const path of ['/proc/nope', '/proc/nope/a/b']) {
    assert.throws(
      () => createDataDir(path),
      `Cannot create the data directory ${path}: no directory can be made there.`,
    )
  }
})

dataDirs.run()
