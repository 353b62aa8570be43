import { call, Refusal } from '../../client/client.js'
import type { Routes } from '../../contract/index.js'
import type { ReplyBody } from '../../contract/route.js'
import { isSvcError } from '../../errors.js'
import type { Connection } from '../client/connect.js'
import { toPrintable } from '../output/words.js'
import type { CallBatch, CallQuery, CallSource, ShownCall } from './source.js'

const callsAtOnce = 500
const everyMs = 1000
/** Each is a call of its own, and calls are counted. */
const tracesAtMost = 20

/** The last calls of a server, and what comes after them. */
export function openServerSource(connection: Connection, { status, petId, requestId, withOwn }: CallQuery): CallSource {
  let cursor: string | undefined
  let waitUntil = 0
  let trouble = ''

  async function list(): Promise<CallBatch> {
    const answer = await call<Routes['listRequests']>(connection, {
      method: 'GET',
      path: '/_svc/requests',
      query: {
        limit: String(callsAtOnce),
        after: cursor,
        status: status === undefined ? undefined : String(status),
        pet_id: petId,
        request_id: requestId,
        include: withOwn ? 'svc' : undefined,
      },
    })
    const isMore = cursor !== undefined && answer.data.length === callsAtOnce
    cursor = answer.cursor
    return { calls: await addTraces(answer.data), isMore }
  }

  /** Of a refused body its rules, of a call that was asked for all that is known; the list has neither. */
  async function addTraces(calls: readonly ShownCall[]): Promise<ShownCall[]> {
    const shown = [...calls]
    for (const [place, listed] of calls.entries()) {
      const isWanted = requestId !== undefined || listed.status === 422
      if (!isWanted || place < calls.length - tracesAtMost) continue
      const trace = await call<Routes['getRequest']>(connection, {
        method: 'GET',
        path: '/_svc/requests/{request_id}',
        params: { request_id: listed.request_id },
      })
      // Of several calls with one ID the server tells of the last.
      if (trace.time === listed.time) shown[place] = requestId === undefined ? { ...listed, ...rulesOf(trace) } : trace
    }
    return shown
  }

  return {
    everyMs,
    async read() {
      if (performance.now() < waitUntil) return { calls: [], isMore: false }
      try {
        const batch = await list()
        trouble = ''
        return batch
      } catch (error) {
        // Whoever follows goes on when the server does.
        if (cursor === undefined || !isPassing(error)) throw error
        const seconds = error instanceof Refusal ? (error.retryAfterSeconds ?? 1) : 1
        waitUntil = performance.now() + seconds * 1000
        if (error.message !== trouble) process.stderr.write(`svc: ${toPrintable(error.message)} Asking again.\n`)
        trouble = error.message
        return { calls: [], isMore: false }
      }
    },
    close: () => connection.close(),
  }
}

function rulesOf({ violations, warnings }: ReplyBody<Routes['getRequest']>) {
  return { violations, warnings }
}

function isPassing(error: unknown): error is Error {
  return isSvcError(error) && (error.code === 'unavailable' || error.code === 'rate_limit_exceeded')
}
