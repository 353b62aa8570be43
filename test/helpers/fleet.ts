/** PostgreSQL and a bucket in place of the data directory, as several machines share them. */
import { openPostgresStore } from '../../src/adapters/sql/postgres/open-store.js'
import { createKey, fullSettings } from '../../src/contract/access.js'
import type { SharedFleet } from './fleet-folder.js'
import { createDatabase, dropDatabase, findPostgres, folderOf, nameOf } from './postgres.js'
import { s3Credentials, startS3 } from './s3.js'

export type TestFleet = Awaited<ReturnType<typeof startFleet>>

/** The reason that no fleet can be started. */
export const fleetObstacle = findPostgres() === undefined ? 'PostgreSQL is not installed' : undefined

/** A secret like those that `openssl rand -hex 32` makes. */
export const fleetSecret = '0123456789abcdef'.repeat(4)

export const bucketVariables = {
  SVC_OBJECTS_KEY_ID: s3Credentials.keyId,
  SVC_OBJECTS_SECRET: s3Credentials.secret,
}

/** Starts a bucket in this process, and creates an empty database. */
export async function startFleet() {
  const database = await createDatabase(findPostgres() ?? '')
  const s3 = await startS3()
  return {
    database,
    s3,
    /** The environment of a process that uses both. */
    variables: { SVC_DATABASE: database, SVC_OBJECTS: s3.address, SVC_SECRET: fleetSecret, ...bucketVariables },
    async close() {
      await s3.close()
      await dropDatabase(database)
    },
  }
}

/** Starts the servers that the test files of a run share, until this process ends. */
export async function startSharedFleet(): Promise<SharedFleet> {
  if (fleetObstacle !== undefined) throw new Error(fleetObstacle)
  const programs = findPostgres() ?? ''
  const address = await createDatabase(programs)
  const store = await openPostgresStore(address)
  const { key, text } = createKey({ ...fullSettings, name: 'local', admin: true }, new Date())
  await store.insertKey(key)
  await store.close()
  const s3 = await startS3('pets', { keepsProcess: false })
  return {
    ...{ programs, socket: folderOf(address), model: nameOf(address), key: text },
    ...{ buckets: s3.folder, endpoint: s3.endpoint },
    variables: { SVC_SECRET: fleetSecret, ...bucketVariables },
  }
}
