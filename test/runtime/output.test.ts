import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { isSvcError } from '../../src/errors.js'
import { openFile } from '../../src/runtime/output.js'
import { compiledUrl, runOnSmallDisk } from '../helpers/small-disk.js'
import { openTemporaryFolder } from '../helpers/temporary.js'

const files = suite('file output')
const place = openTemporaryFolder()
files.after(() => place.close())

files('replaces a file when it is complete', async () => {
  const path = place.write('report.txt', 'old')
  const file = openFile(path)
  file.write('one ')
  await file.flush('all')
  assert.is(readFileSync(path, 'utf8'), 'old')
  file.write('two')
  await file.close()
  assert.is(readFileSync(path, 'utf8'), 'one two')
})

files('leaves no partial file if it cannot be renamed', async () => {
  const path = join(place.folder, 'folder')
  mkdirSync(join(path, 'in'), { recursive: true })
  const file = openFile(path)
  file.write('text')
  const error: unknown = await file.close().catch((reason) => reason)
  assert.ok(isSvcError(error), String(error))
  assert.match(error.message, /folder cannot be written: /)
  assert.equal(listPartials(), [])
})

files('fails if the disk accepts only a part, and leaves the old file as it was', () => {
  const path = place.write('large.txt', 'old')
  const script = `
    import { openFile } from '${compiledUrl('runtime/output')}'
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
