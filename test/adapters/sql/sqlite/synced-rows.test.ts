import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { openSqliteStore } from '../../../../src/adapters/sql/sqlite/open-store.js'
import type { NewFault } from '../../../../src/ports/faults.js'
import type { Store } from '../../../../src/ports/store.js'
import { openTemporaryFolder } from '../../../helpers/temporary.js'

const rows = suite('rows of SQLite on disk')
let place: ReturnType<typeof openTemporaryFolder>
let store: Store
/** Ends a sync that runs. */
let onSync: (end: () => void) => void
rows.before.each(async () => {
  place = openTemporaryFolder()
  onSync = (end) => end()
  const syncData = () => new Promise<void>((resolve) => onSync(resolve))
  store = await openSqliteStore(join(place.folder, 'svc.db'), { syncData })
})
rows.after.each(async () => {
  onSync = (end) => end()
  await store.close()
  place.close()
})

const fault = (id: string): NewFault => ({
  ...{ id, fields: { route: 'GET /v1/models', status: '503' }, createdAt: new Date(1000) },
  ...{ expiresAt: null, times: null, every: 1 },
})

const changes: [what: string, change: () => Promise<unknown>][] = [
  ['an added fault rule', () => store.insertFault(fault('new'))],
  ['a removed fault rule', () => store.deleteFault('old')],
  ['removed fault rules', () => store.clearFaults()],
]
for (const [what, change] of changes) {
  rows(`acknowledges ${what} after a sync`, async () => {
    await store.insertFault(fault('old'))
    const events: string[] = []
    onSync = (end) => {
      events.push('synced')
      end()
    }
    await change()
    events.push('acknowledged')
    assert.equal(events, ['synced', 'acknowledged'])
  })
}

rows.run()
