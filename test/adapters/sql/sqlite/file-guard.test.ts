import { renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createFileGuard } from '../../../../src/adapters/sql/sqlite/file-guard.js'
import { openTemporaryFolder } from '../../../helpers/temporary.js'

const guard = suite('guard of the database file')

const changes: [what: string, change: (file: string) => void][] = [
  ['removed', (file) => renameSync(file, `${file}.away`)],
  [
    'replaced',
    (file) => {
      renameSync(file, `${file}.away`)
      writeFileSync(file, '')
    },
  ],
]
for (const [what, change] of changes) {
  guard(`refuses work on a file that was ${what}, within a second, until the file is back`, async () => {
    const place = openTemporaryFolder()
    const file = place.write('svc.db', '')
    const clock = { now: 0 }
    const reports: string[] = []
    const { protect, requireFile } = createFileGuard(
      file,
      (message) => reports.push(message),
      () => clock.now,
    )
    const run = protect((work) => work())
    const work = async () => 'done'
    const refusal = () => run(work).catch((error: { code: string }) => error.code)
    assert.is(await refusal(), 'done')
    change(file)
    assert.throws(requireFile, /was removed or replaced while the service runs/)
    assert.is(await refusal(), 'unavailable')
    renameSync(join(place.folder, 'svc.db.away'), file)
    assert.is(await refusal(), 'done')

    change(file)
    assert.is(await refusal(), 'done')
    clock.now += 1000
    assert.is(await refusal(), 'unavailable')
    assert.is(reports.length, 2)
    place.close()
  })
}

guard.run()
