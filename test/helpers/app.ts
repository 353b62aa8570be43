import { iterateStoredFiles } from '../../src/adapters/objects/key.js'
import { Database } from '../../src/adapters/sql/sqlite/driver.js'
import { openStorage, type Storage } from '../../src/app/storage/open-storage.js'
import { createApp } from '../../src/app.js'
import { type Config, loadConfig } from '../../src/config.js'
import { createKey, fullSettings, type KeySettings } from '../../src/contract/access.js'
import type { RequestEntry } from '../../src/log/request-log.js'
import { describeDataDir, findLocalKey } from '../../src/runtime/data-dir.js'
import { findFleetFolder } from './fleet-folder.js'
import { openTemporaryFolder } from './temporary.js'

export type TestApp = Awaited<ReturnType<typeof startApp>>

export interface AppSettings {
  /** The environment. */
  readonly variables?: Record<string, string>
  /** A folder of the test; by default the app gets a new one, which is removed with it. */
  readonly dataDir?: string | undefined
  /** `service` for the clock of the service, which `svc clock` moves; by default a stopped clock. */
  readonly time?: 'service'
  readonly drainMs?: number
  /** By default a free one. */
  readonly port?: string
}

/** Starts the whole app on its own folder; the database, the log and the secret are real files. */
export async function startApp({ variables = {}, dataDir: own, time, drainMs, port = '0' }: AppSettings = {}) {
  const place = own === undefined ? openTemporaryFolder() : { folder: own, close: () => {} }
  const clock = { now: Date.parse('2026-10-20T08:00:00Z') }
  const fleet = findFleetFolder(place.folder)
  const config = loadConfig({ dataDir: place.folder, port }, { ...fleet?.variables, ...variables })
  const app = await createApp(config, {
    ...(time === undefined ? { now: () => clock.now } : {}),
    ...(drainMs === undefined ? {} : { drainMs }),
  })
  const dataDir = describeDataDir(place.folder)
  const key = app.createdKey?.text ?? fleet?.key ?? findLocalKey(dataDir) ?? ''
  const openOther = () => openStorage(config, { mayCreate: false, urlTtlSeconds: 60 })
  async function withObjects(act: (objects: Storage['objects']) => Promise<void>): Promise<void> {
    const other = await openOther()
    await act(other.objects)
    await other.close()
  }
  return {
    app,
    dataDir: place.folder,
    /** Opens the app's storage like another process. The test closes it. */
    openOther,
    /** Runs a statement on the app's database, on a connection of its own. */
    query: (text: string) => queryDatabase(config, text),
    /** Lists the keys of the stored objects that begin with `prefix`, which ends with a slash. */
    listObjects: (prefix: string) => listObjects(config, prefix),
    storeObject: (key: string, bytes: Uint8Array) => withObjects((objects) => objects.put(key, bytes)),
    /** Removes an object, as a fault of the storage does. */
    loseObject: (key: string) => withObjects((objects) => objects.delete(key)),
    /** The clock of the app if it is stopped; a test may set it. */
    clock,
    /** Text of the key `local`, which has all permissions. */
    key,
    /** Creates another key as `svc key create` does, over its own connection. */
    async createKey(settings: Partial<KeySettings> = {}) {
      const other = await openOther()
      const now = new Date(time === undefined ? clock.now : other.store.now())
      const made = createKey({ ...fullSettings, name: 'test', admin: false, ...settings }, now)
      await other.store.insertKey(made.key)
      await other.close()
      return { id: made.key.id, text: made.text }
    },
    get: async (path: string, headers: Record<string, string> = {}): Promise<Response> =>
      app.fetch(new Request(`http://svc.test${path}`, { headers })),
    /** Posts a payload to the health detail endpoint. */
    generate: async (body: unknown, headers: Record<string, string> = {}): Promise<Response> =>
      app.fetch(
        new Request('http://svc.test/v1/health-detail-insights/generate', {
          method: 'POST',
          headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
          body: typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body),
        }),
      ),
    /** Closes the app and returns its log. */
    async closeAndReadLog() {
      await app.close()
      const entries = await readLog(config)
      place.close()
      return entries
    },
    async close() {
      await app.close()
      place.close()
    },
  }
}

/**
 * Serves a data directory on the clock of the service, for clients in other processes. It costs a fifth of `svc serve`: use
 * that where the command is tested.
 */
export async function serveFolder(dataDir: string, variables: Record<string, string> = {}) {
  const started = await startApp({ dataDir, variables, time: 'service', drainMs: 200 })
  const { url, port } = await started.app.listen()
  return { ...started, url, port }
}

/** Runs a statement on the configured database. */
export async function queryDatabase(
  { database: url, dataDir }: Pick<Config, 'database' | 'dataDir'>,
  text: string,
): Promise<Record<string, unknown>[]> {
  if (url !== '') return (await import('./postgres.js')).query(url, text)
  const database = new Database(describeDataDir(dataDir).database)
  try {
    const statement = database.prepare<[], Record<string, unknown>>(text)
    return statement.reader ? statement.all() : ([statement.run()].slice(1) as [])
  } finally {
    database.close()
  }
}

async function listObjects(config: Config, prefix: string): Promise<string[]> {
  const keys: string[] = []
  if (config.objects === '') {
    const stored = iterateStoredFiles(describeDataDir(config.dataDir).objects)
    for (const { key } of stored) if (key.startsWith(prefix)) keys.push(key)
    return keys
  }
  const { openBucket } = await import('../../src/app/storage/bucket.js')
  const bucket = openBucket(config, { sign: () => '', isValid: () => false })
  for await (const { key } of bucket.list(prefix)) keys.push(key)
  await bucket.close()
  return keys
}

/** Reads the log, wherever it is. A log whose table is not made yet has no lines. */
export async function readLog({
  database: url,
  dataDir,
}: Pick<Config, 'database' | 'dataDir'>): Promise<RequestEntry[]> {
  const text = 'select line from log_lines order by id'
  if (url !== '')
    return (await queryDatabase({ database: url, dataDir }, text)).map(({ line }) => JSON.parse(String(line)))
  const database = new Database(describeDataDir(dataDir).log)
  try {
    const hasTable = database.prepare("select 1 from sqlite_schema where name = 'log_lines'").get() !== undefined
    return hasTable
      ? database
          .prepare<[], string>(text)
          .pluck()
          .all()
          .map((line) => JSON.parse(line))
      : []
  } finally {
    database.close()
  }
}

/** Reads an error answer. Throws if its request ID differs from the header. */
export async function readError(response: Response): Promise<{ status: number; code: string; message: string }> {
  const { error } = (await response.json()) as { error: { code: string; message: string; request_id: string } }
  if (error.request_id !== response.headers.get('x-request-id')) throw new Error('request_id is not the X-Request-ID')
  return { status: response.status, code: error.code, message: error.message }
}
