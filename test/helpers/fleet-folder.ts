/** A database and a bucket in place of each data directory: `npm run test:fleet`. Loads neither: most runs have folders. */
import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { delimiter, join, resolve } from 'node:path'

/** The servers that the test files of a run share. */
export interface SharedFleet {
  /** The folder of PostgreSQL's programs, and that of its socket. */
  readonly programs: string
  readonly socket: string
  /** The name of a migrated database with one key. */
  readonly model: string
  /** The text of that key, which has all permissions. */
  readonly key: string
  /** The folder whose folders are buckets, and their endpoint. */
  readonly buckets: string
  readonly endpoint: string
  /** The environment that all of them need. */
  readonly variables: Readonly<Record<string, string>>
}

/** The variable by which a run tells its test files of the servers. */
export const fleetVariable = 'TEST_FLEET'

const folders = new Map<string, ReturnType<typeof createFolder>>()

/** Returns the storage in place of a data directory, the same for the same path; undefined if the run is on folders. */
export function findFleetFolder(dataDir: string) {
  const text = process.env[fleetVariable]
  if (text === undefined) return undefined
  const path = resolve(dataDir)
  const folder = folders.get(path) ?? createFolder(JSON.parse(text))
  folders.set(path, folder)
  return folder
}

/** Creates a database and a bucket without waiting for events: some commands run while their test waits. */
function createFolder({ programs, socket, model, key, buckets, endpoint, variables }: SharedFleet) {
  const name = `test-${randomBytes(8).toString('hex')}`
  const statement = `create database "${name}" template "${model}"`
  const options = ['-h', socket, '-U', 'svc', '-d', 'postgres', '-qc', statement]
  const env = { ...process.env, PATH: [programs, process.env.PATH].join(delimiter) }
  const { error, status, stderr } = spawnSync('psql', options, { encoding: 'utf8', env })
  if (status !== 0) throw new Error(stderr, { cause: error })
  mkdirSync(join(buckets, name))
  const database = `postgresql:///${name}?host=${encodeURIComponent(socket)}&user=svc`
  return {
    database,
    key,
    variables: { ...variables, SVC_DATABASE: database, SVC_OBJECTS: `s3://${name}?endpoint=${endpoint}` },
  }
}
