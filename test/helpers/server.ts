import { openSqliteStore } from '../../src/adapters/sql/sqlite/open-store.js'
import { createKey, fullSettings, type KeySettings } from '../../src/contract/access.js'
import type { RouteTable } from '../../src/contract/route.js'
import type { RequestEntry } from '../../src/log/request-log.js'
import { MemoryBudget } from '../../src/server/input/upload-memory.js'
import { createNodeHandler } from '../../src/server/node/buffered-response.js'
import { type Listener, startListening } from '../../src/server/node/listen.js'
import type { Handlers } from '../../src/server/pipeline/handler.js'
import { createServer, type ServerParts } from '../../src/server/server.js'
import { openTemporaryFolder } from './temporary.js'

export type TestServer = Awaited<ReturnType<typeof startServer>>

/** Starts the server with the test's own routes and its own database. */
export async function startServer<T extends RouteTable>(
  routes: T,
  handlers: Handlers<T>,
  parts: Partial<ServerParts<T>> & { readonly budgetBytes?: number; readonly fileBytesAtMost?: number } = {},
) {
  const place = openTemporaryFolder()
  const store = await openSqliteStore(`${place.folder}/svc.db`)
  const clock = { now: Date.parse('2026-10-20T08:00:00Z') }
  const entries: RequestEntry[] = []
  const { budgetBytes = 64 << 20, fileBytesAtMost = 1 << 20, ...others } = parts
  const budget = new MemoryBudget(budgetBytes)
  const server = createServer({
    routes,
    handlers,
    store,
    idempotency: store,
    uploads: { fileBytesAtMost, budget },
    publicUrl: null,
    log: {
      write: (entry) => void ('method' in entry && entries.push(entry)),
      flush: async () => {},
      close: async () => {},
    },
    now: () => clock.now,
    ...others,
  })
  const makeKey = async (settings: Partial<KeySettings> = {}) => {
    const { key, text } = createKey({ ...fullSettings, name: 'test', admin: false, ...settings }, new Date(clock.now))
    await store.insertKey(key)
    return text
  }
  const key = await makeKey({ rateLimit: 0 })
  const fetch = async (request: Request): Promise<Response> => server.fetch(request)
  let listener: Listener | undefined
  return {
    clock,
    entries,
    budget,
    store,
    /** Text of a key with all permissions except `admin`. */
    key,
    createKey: makeKey,
    /** Sends a call with the key. */
    send: (method: string, path: string, init: RequestInit = {}) =>
      fetch(
        new Request(`http://svc.test${path}`, {
          method,
          ...init,
          headers: { authorization: `Bearer ${key}`, ...(init.headers as Record<string, string>) },
        }),
      ),
    fetch,
    async listen() {
      listener = await startListening(createNodeHandler(server), '127.0.0.1', 0)
      return listener
    },
    async close() {
      await listener?.close(0)
      await store.close()
      place.close()
    },
  }
}
