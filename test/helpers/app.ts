import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { openStorage, type Storage } from '../../src/app/storage/open-storage.js'
import { type App, createApp } from '../../src/app.js'
import { loadConfig } from '../../src/config.js'
import { createKey, fullSettings, type KeySettings } from '../../src/contract/access.js'
import type { RequestEntry } from '../../src/log/request-log.js'
import { describeDataDir, findLocalKey } from '../../src/runtime/data-dir.js'
import { isOnFleet, openFleetFolder } from './fleet.js'
import { openTemporaryFolder } from './temporary.js'

export interface TestApp {
  readonly app: App
  readonly dataDir: string
  /** Opens the app's storage like another process. The test closes it. */
  openOther(): Promise<Storage>
  /** The clock of the app; a test may set it. */
  readonly clock: { now: number }
  /** Text of the key `local`, which has all permissions. */
  readonly key: string
  /** Creates another key as `svc key create` does, over its own connection. */
  createKey(settings?: Partial<KeySettings>): Promise<{ id: string; text: string }>
  get(path: string, headers?: Record<string, string>): Promise<Response>
  /** Posts a payload to the health detail endpoint. */
  generate(body: unknown, headers?: Record<string, string>): Promise<Response>
  /** Closes the app and returns its log. */
  closeAndReadLog(): Promise<RequestEntry[]>
  close(): Promise<void>
}

export interface AppSettings {
  /** The environment. */
  readonly variables?: Record<string, string>
  /** A folder of the test; by default the app gets a new one, which is removed with it. */
  readonly dataDir?: string | undefined
  /** Computes the app's clock from the test's. */
  readonly now?: (testNow: number) => number
  readonly drainMs?: number
}

/** Starts the whole app on its own folder; the database, the log and the secret are real files. */
export async function startApp({ variables = {}, dataDir: own, now, drainMs }: AppSettings = {}): Promise<TestApp> {
  const place = own === undefined ? openTemporaryFolder() : { folder: own, close: () => {} }
  const clock = { now: now === undefined ? Date.parse('2026-10-20T08:00:00Z') : 0 }
  const fleet = isOnFleet ? await openFleetFolder(place.folder) : undefined
  const config = loadConfig({ dataDir: place.folder, port: '0' }, { ...fleet?.variables, ...variables })
  const app = await createApp(config, {
    now: () => (now === undefined ? clock.now : now(clock.now)),
    ...(drainMs === undefined ? {} : { drainMs }),
  })
  const dataDir = describeDataDir(place.folder)
  const key = app.createdKey?.text ?? fleet?.key ?? findLocalKey(dataDir) ?? ''
  if (fleet !== undefined) fleet.key = key
  const openOther = () => openStorage(config, { mayCreate: false, urlTtlSeconds: 60 })
  return {
    app,
    dataDir: place.folder,
    openOther,
    clock,
    key,
    async createKey(settings = {}) {
      const made = createKey({ ...fullSettings, name: 'test', admin: false, ...settings }, new Date(clock.now))
      const other = await openOther()
      await other.store.insertKey(made.key)
      await other.close()
      return { id: made.key.id, text: made.text }
    },
    get: async (path, headers = {}) => app.fetch(new Request(`http://svc.test${path}`, { headers })),
    generate: async (body, headers = {}) =>
      app.fetch(
        new Request('http://svc.test/v1/health-detail-insights/generate', {
          method: 'POST',
          headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
          body: typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body),
        }),
      ),
    async closeAndReadLog() {
      await app.close()
      const entries = readLog(dataDir.logs)
      place.close()
      return entries
    },
    async close() {
      await app.close()
      place.close()
    },
  }
}

export function readLog(folder: string): RequestEntry[] {
  return readdirSync(folder)
    .sort()
    .flatMap((file) => readFileSync(join(folder, file), 'utf8').trim().split('\n'))
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))
}

/** Reads an error answer. Throws if its request ID differs from the header. */
export async function readError(response: Response): Promise<{ status: number; code: string; message: string }> {
  const { error } = (await response.json()) as { error: { code: string; message: string; request_id: string } }
  if (error.request_id !== response.headers.get('x-request-id')) throw new Error('request_id is not the X-Request-ID')
  return { status: response.status, code: error.code, message: error.message }
}
