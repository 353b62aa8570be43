import { openStore } from '../../app/storage/open-store.js'
import { call } from '../../client/client.js'
import { loadConfig } from '../../config.js'
import { createFaultAdmin, type FaultAdmin } from '../../faults/admin.js'
import { toCompact } from '../../faults/rule.js'
import { connect, type ServerFlags } from '../client/connect.js'
import { requireTest } from './require-test.js'

/** Manages the rules of a server, or of a database, which running servers read within a second. */
export async function withFaults<T>(
  flags: ServerFlags,
  isNew: boolean,
  work: (admin: FaultAdmin) => Promise<T>,
): Promise<T> {
  if (flags.url) return withServer(flags, work)
  const { dataDir, database, objects } = flags
  const config = loadConfig({ dataDir, database, objects })
  // The others are needed to make a start in production possible again.
  if (isNew) requireTest(config, 'svc fault add')
  const store = await openStore(config, { mayCreate: isNew })
  try {
    return await work(createFaultAdmin(store, store.now))
  } finally {
    await store.close()
  }
}

async function withServer<T>(flags: ServerFlags, work: (admin: FaultAdmin) => Promise<T>): Promise<T> {
  const connection = await connect(flags, 'existing')
  try {
    return await work({
      list: async () => (await call(connection, 'listFaults')).data,
      add: (fields) => call(connection, 'addFault', { body: { rule: toCompact(fields) } }),
      remove: async (id) => void (await call(connection, 'removeFault', { params: { fault_id: id } })),
      clear: async () => (await call(connection, 'clearFaults')).removed,
    })
  } finally {
    await connection.close()
  }
}
