import { call, type Server } from '../../client/client.js'
import { isSvcError } from '../../errors.js'

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
