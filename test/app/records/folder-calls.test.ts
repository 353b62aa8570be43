import { rmSync, writeFileSync } from 'node:fs'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { openSqliteLog } from '../../../src/adapters/sql/sqlite/log-file.js'
import { openSqliteStore } from '../../../src/adapters/sql/sqlite/open-store.js'
import { openFolderCalls } from '../../../src/app/records/folder-calls.js'
import { loadConfig } from '../../../src/config.js'
import { openTableLog } from '../../../src/log/writers.js'
import { type DataDir, describeDataDir } from '../../../src/runtime/data-dir.js'
import { openTemporaryFolder } from '../../helpers/temporary.js'

const source = suite('calls of a data directory')
let place: ReturnType<typeof openTemporaryFolder>
let dataDir: DataDir
source.before.each(() => {
  place = openTemporaryFolder()
  dataDir = describeDataDir(place.folder)
})
source.after.each(() => place.close())

const open = (petId?: string, isFollowed = true) =>
  openFolderCalls(
    loadConfig({ dataDir: place.folder }, {}),
    { withOwn: false, ...(petId !== undefined && { petId }) },
    { isFollowed, onTrouble: () => {} },
  )
const receivedAt = new Date(Date.UTC(2026, 9, 20))

async function writeCall(id: string): Promise<void> {
  const key = { key_id: 'key_1', key_name: 'local' }
  const call = { method: 'POST', path: '/v1/home-insights/generate', status: 200, duration_ms: 0, ...key }
  const file = openSqliteLog(dataDir.log)
  const log = openTableLog(file, 'test', 500_000)
  log.write({ time: receivedAt.toISOString(), request_id: id, call_id: `call-${id}`, ...call })
  await log.close()
  await file.close()
}

function breakDatabase(): void {
  writeFileSync(dataDir.database, 'x'.repeat(5000))
}

/** Replaces the database by one with rows of these calls. */
async function repairDatabase(...ids: readonly string[]): Promise<void> {
  rmSync(dataDir.database)
  const store = await openSqliteStore(dataDir.database)
  const owner = { userId: 'u', petId: 'rex', missing: [] } as const
  for (const requestId of ids) {
    await store.saveInsights([], {
      ...{ requestId, callId: `call-${requestId}`, keyId: 'key_1', endpoint: 'home-insights' },
      ...{ owner, createdAt: receivedAt },
    })
  }
  await store.close()
}

source('shows pets again once the database can be read', async () => {
  breakDatabase()
  await writeCall('r1')
  const { read, close } = open()
  const petsOf = async () => (await read()).calls.map(({ request_id: id, pet_id: petId }) => [id, petId])
  assert.equal(await petsOf(), [['r1', undefined]])
  await repairDatabase('r1', 'r2')
  await writeCall('r2')
  assert.equal(await petsOf(), [['r2', 'rex']])
  await close()
})

source('waits for the database for a query by pet, and loses no call', async () => {
  breakDatabase()
  await writeCall('r1')
  const { read, close } = open('rex')
  for (let round = 0; round < 2; round++) assert.equal(await read(), { calls: [], isMore: false })
  await writeCall('r2')
  await repairDatabase('r1', 'r2')
  const ids: string[] = []
  for (let round = 0; round < 2; round++) ids.push(...(await read()).calls.map(({ request_id: id }) => id))
  assert.equal(ids, ['r1', 'r2'])
  await close()
})

source('rejects at once if the database cannot be read and the log is not followed', async () => {
  breakDatabase()
  await writeCall('r1')
  const error = await open('rex', false)
    .read()
    .catch((thrown: { code: string }) => thrown)
  assert.is('code' in error && error.code, 'unavailable')
})

source.run()
