import { openStore } from '../../app/storage/open-store.js'
import { call, type Server } from '../../client/client.js'
import type { StorageConfig } from '../../config/storage.js'
import { isSvcError, SvcError } from '../../errors.js'

/** Returns the time of a server, which a test may have moved, in epoch milliseconds. */
export async function findServerTime(server: Server): Promise<number> {
  try {
    return Date.parse((await call(server, 'getClock')).now)
  } catch (error) {
    if (!isSvcError(error) || error.code !== 'forbidden') throw error
    // In production it is the real time, which every answer has.
    const { headers } = await server.transport.send(new Request(new URL('live', server.transport.base)))
    return Date.parse(headers.get('date') ?? '')
  }
}

/** Returns the time of the service on a database, in epoch milliseconds. */
export async function findStoredTime(config: StorageConfig): Promise<number> {
  try {
    const store = await openStore(config, { mayCreate: false })
    const now = store.now()
    await store.close()
    return now
  } catch (error) {
    if (!isSvcError(error)) throw error
    const advice = 'Give --since a time, such as 2026-10-14T08:00Z, which needs no database.'
    throw new SvcError(error.code, `${error.message} ${advice}`, { cause: error.cause })
  }
}
