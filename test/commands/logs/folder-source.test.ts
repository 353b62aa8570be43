import { appendFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { openSqliteStore } from '../../../src/adapters/sql/store.js'
import { openFolderSource } from '../../../src/commands/logs/folder-source.js'
import { type DataDir, describeDataDir } from '../../../src/data-dir.js'
import { isSvcError } from '../../../src/errors.js'
import { makeFolder } from '../../helpers/app.js'

const source = suite('calls of a folder')
let folder: ReturnType<typeof makeFolder>
let dataDir: DataDir
source.before.each(() => {
  folder = makeFolder()
  dataDir = describeDataDir(folder.path)
  mkdirSync(dataDir.logs)
})
source.after.each(() => folder.remove())

const query = { withOwn: false }
const receivedAt = new Date(Date.UTC(2026, 9, 20))

function writeCall(id: string): void {
  const key = { key_id: 'key_1', key_name: 'local' }
  const call = { method: 'POST', path: '/v1/home-insights/generate', status: 200, duration_ms: 0, ...key }
  const line = JSON.stringify({ time: receivedAt.toISOString(), request_id: id, ...call })
  appendFileSync(join(dataDir.logs, '20261020T000000000Z-1.jsonl'), `${line}\n`)
}

function breakDatabase(): void {
  writeFileSync(dataDir.database, 'x'.repeat(5000))
}

/** A database in which these calls were booked. */
async function mendDatabase(...ids: readonly string[]): Promise<void> {
  rmSync(dataDir.database)
  const store = await openSqliteStore(dataDir.database)
  const owner = { userId: 'u', petId: 'rex', missing: [] } as const
  for (const requestId of ids) {
    await store.saveInsights([], {
      ...{ requestId, keyId: 'key_1', endpoint: 'home-insights' },
      ...{ owner, calledAt: receivedAt },
    })
  }
  await store.close()
}

source('shows pets again when the database is there again', async () => {
  breakDatabase()
  writeCall('r1')
  const { read, close } = openFolderSource(dataDir, query, true)
  const petsOf = async () => (await read()).calls.map(({ request_id: id, pet_id: petId }) => [id, petId])
  assert.equal(await petsOf(), [['r1', undefined]])
  await mendDatabase('r1', 'r2')
  writeCall('r2')
  assert.equal(await petsOf(), [['r2', 'rex']])
  await close()
})

source('waits for the database where a pet was asked for, and loses no call', async () => {
  breakDatabase()
  writeCall('r1')
  const { read, close } = openFolderSource(dataDir, { ...query, petId: 'rex' }, true)
  for (let round = 0; round < 2; round++) assert.equal(await read(), { calls: [], isMore: false })
  writeCall('r2')
  await mendDatabase('r1', 'r2')
  const ids: string[] = []
  for (let round = 0; round < 2; round++) ids.push(...(await read()).calls.map(({ request_id: id }) => id))
  assert.equal(ids, ['r1', 'r2'])
  await close()
})

source('says at once that the database cannot be used where nobody follows', async () => {
  breakDatabase()
  writeCall('r1')
  const { read } = openFolderSource(dataDir, { ...query, petId: 'rex' }, false)
  const error = await read().catch((thrown: unknown) => thrown)
  assert.is(isSvcError(error) && error.code, 'unavailable')
})

source.run()
