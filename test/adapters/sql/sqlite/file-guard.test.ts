import { renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createFileGuard } from '../../../../src/adapters/sql/sqlite/open-store.js'
import { openTemporaryFolder } from '../../../helpers/temporary.js'

const guard = suite('guard of the database file')

const names = ['svc.db', 'svc.db-wal']
const changes = names.flatMap((name) => ['removed', 'replaced'].map((how) => [name, how] as const))
for (const [name, how] of changes) {
  guard(`refuses work after ${name} was ${how}, within a second, until the file is back`, async () => {
    const place = openTemporaryFolder()
    const [file] = names.map((each) => place.write(each, ''))
    const changed = join(place.folder, name)
    const change = () => {
      renameSync(changed, `${changed}.away`)
      if (how === 'replaced') writeFileSync(changed, '')
    }
    const clock = { now: 0 }
    const reports: string[] = []
    const { protect, requireFile } = createFileGuard(
      file ?? '',
      (message) => reports.push(message),
      () => clock.now,
    )
    const run = protect((work) => work())
    const work = async () => 'done'
    const refusal = () => run(work).catch((error: { code: string }) => error.code)
    assert.is(await refusal(), 'done')
    change()
    assert.throws(requireFile, /was removed or replaced while the service runs/)
    assert.is(await refusal(), 'unavailable')
    renameSync(`${changed}.away`, changed)
    assert.is(await refusal(), 'done')

    change()
    assert.is(await refusal(), 'done')
    clock.now += 1000
    assert.is(await refusal(), 'unavailable')
    assert.is(reports.length, 2)
    place.close()
  })
}

guard.run()
