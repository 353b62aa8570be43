import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { openFile } from '../../src/commands/output/stream.js'
import { isSvcError } from '../../src/errors.js'
import { runOnSmallDisk } from '../helpers/small-disk.js'
import { openTemporaryFolder } from '../helpers/temporary.js'

const files = suite('files that are written')
const place = openTemporaryFolder()
files.after(() => place.close())

files('take the place of a file once they are whole', async () => {
  const path = place.write('report.txt', 'old')
  const file = openFile(path)
  file.write('one ')
  await file.flush('all')
  assert.is(readFileSync(path, 'utf8'), 'old')
  file.write('two')
  await file.close()
  assert.is(readFileSync(path, 'utf8'), 'one two')
})

files('leave nothing behind where they cannot be put in their place', async () => {
  const path = join(place.folder, 'folder')
  mkdirSync(join(path, 'in'), { recursive: true })
  const file = openFile(path)
  file.write('text')
  const error: unknown = await file.close().catch((reason) => reason)
  assert.ok(isSvcError(error), String(error))
  assert.match(error.message, /folder cannot be written: /)
  assert.equal(listPartials(), [])
})

files('are refused where the disk takes a part of them only, and leave the file of before alone', () => {
  const path = place.write('large.txt', 'old')
  const script = `
    import { openFile } from '${new URL('../../src/commands/output/stream.ts', import.meta.url)}'
    const file = openFile(${JSON.stringify(path)})
    file.write('x'.repeat(100_000))
    await file.close().catch((error) => console.log(error.code, error.cause.code))
    await file.close()`
  assert.equal(runOnSmallDisk(script), { stdout: 'invalid_request EFBIG\n', stderr: '' })
  assert.is(readFileSync(path, 'utf8'), 'old')
  assert.equal(listPartials(), [])
})

function listPartials(): string[] {
  return readdirSync(place.folder).filter((name) => name.endsWith('.partial'))
}

files.run()
