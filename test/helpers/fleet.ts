/** PostgreSQL and a bucket in place of the data directory, as several machines share them. */
import { openPostgresStore } from '../../src/adapters/sql/postgres/open-store.js'
import { createDatabase, dropDatabase, findPostgres, nameOf } from './postgres.js'
import { s3Credentials, startS3, type TestS3 } from './s3.js'

export interface TestFleet {
  /** URL of an empty database. */
  readonly database: string
  readonly s3: TestS3
  /** The environment of a process that uses both. */
  readonly variables: Readonly<Record<string, string>>
  close(): Promise<void>
}

/** The reason that no fleet can be started. */
export const fleetObstacle = findPostgres() === undefined ? 'PostgreSQL is not installed' : undefined

/** A secret like those that `openssl rand -hex 32` makes. */
export const fleetSecret = '0123456789abcdef'.repeat(4)

export const bucketVariables = {
  SVC_OBJECTS_KEY_ID: s3Credentials.keyId,
  SVC_OBJECTS_SECRET: s3Credentials.secret,
}

/** Starts a bucket in this process, and creates an empty database. */
export async function startFleet(): Promise<TestFleet> {
  const database = await createDatabase(findPostgres() ?? '')
  const s3 = await startS3()
  return {
    database,
    s3,
    variables: { SVC_DATABASE: database, SVC_OBJECTS: s3.address, SVC_SECRET: fleetSecret, ...bucketVariables },
    async close() {
      await s3.close()
      await dropDatabase(database)
    },
  }
}

/** True if the suites that start the whole app run on a fleet: `npm run test:fleet`. */
export const isOnFleet = process.env.SVC_TEST_STORE === 'fleet'

/** The storage in place of a data directory. */
export interface FleetFolder {
  readonly variables: Readonly<Record<string, string>>
  /** The text of the first key, once it was created: no folder keeps it. */
  key?: string | undefined
}

const folders = new Map<string, Promise<FleetFolder>>()
let model: Promise<string> | undefined
let bucket: Promise<TestS3> | undefined

/** Returns the fleet of a data directory: the same for the same path. All share a bucket, which ends with the process. */
export function openFleetFolder(dataDir: string): Promise<FleetFolder> {
  const known = folders.get(dataDir) ?? createFleetFolder()
  folders.set(dataDir, known)
  return known
}

async function createFleetFolder(): Promise<FleetFolder> {
  if (fleetObstacle !== undefined) throw new Error(fleetObstacle)
  const programs = findPostgres() ?? ''
  model ??= createModel(programs)
  bucket ??= startS3('pets', { keepsProcess: false })
  const [database, { address }] = [await createDatabase(programs, await model), await bucket]
  return {
    variables: { SVC_DATABASE: database, SVC_OBJECTS: address, SVC_SECRET: fleetSecret, ...bucketVariables },
  }
}

async function createModel(programs: string): Promise<string> {
  const address = await createDatabase(programs)
  await (await openPostgresStore(address)).close()
  return nameOf(address)
}
