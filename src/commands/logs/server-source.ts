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

/** The last calls of a server, and what comes after them if that is followed. */
export function openServerSource(connection: Connection, query: CallQuery, isFollowed: boolean): CallSource {
  let cursor: string | undefined
  let waitUntil = 0
  let trouble = ''
  let refusal: Error | undefined

  /** Whoever follows goes on when the server does. */
  function wait(error: Error, consequence: string): CallBatch {
    const seconds = error instanceof Refusal ? (error.retryAfterSeconds ?? 1) : 1
    waitUntil = performance.now() + seconds * 1000
    if (error.message !== trouble) process.stderr.write(`svc: ${toPrintable(error.message)} ${consequence}\n`)
    trouble = error.message
    return { calls: [], isMore: false }
  }

  async function readNext(): Promise<CallBatch> {
    const { data, cursor: next } = await list(connection, query, cursor)
    const traced = await addTraces(connection, query, data)
    const isMore = cursor !== undefined && data.length === callsAtOnce
    cursor = next
    if (traced.refusal === undefined) trouble = ''
    else if (isFollowed) wait(traced.refusal, 'Calls are shown without their rules and tasks.')
    // The next read tells why not all is shown.
    else refusal = traced.refusal
    return { calls: traced.calls, isMore: isMore || refusal !== undefined }
  }

  return {
    everyMs,
    async read() {
      if (refusal !== undefined) throw refusal
      if (performance.now() < waitUntil) return { calls: [], isMore: false }
      try {
        return await readNext()
      } catch (error) {
        if (cursor === undefined || !isPassing(error)) throw error
        return wait(error, 'Asking again.')
      }
    },
    close: () => connection.close(),
  }
}

function list(connection: Connection, { status, petId, requestId, withOwn }: CallQuery, after: string | undefined) {
  return call<Routes['listRequests']>(connection, {
    method: 'GET',
    path: '/_svc/requests',
    query: {
      limit: String(callsAtOnce),
      after,
      status: status === undefined ? undefined : String(status),
      pet_id: petId,
      request_id: requestId,
      include: withOwn ? 'svc' : undefined,
    },
  })
}

interface Traced {
  readonly calls: readonly ShownCall[]
  /** Why the server told no more: the calls from there on are as they were listed. */
  readonly refusal?: Error
}

/** Of a refused body its rules, of a call that was asked for all that is known; the list has neither. */
async function addTraces(
  connection: Connection,
  { requestId }: CallQuery,
  listed: readonly ShownCall[],
): Promise<Traced> {
  const calls = [...listed]
  for (const [place, one] of listed.entries()) {
    const isWanted = requestId !== undefined || one.status === 422
    if (!isWanted || place < listed.length - tracesAtMost) continue
    try {
      const trace = await findTrace(connection, one.request_id)
      // Of several calls with one ID the server tells of the last.
      if (trace?.time === one.time) calls[place] = requestId === undefined ? { ...one, ...rulesOf(trace) } : trace
    } catch (error) {
      if (!isPassing(error)) throw error
      return { calls, refusal: error }
    }
  }
  return { calls }
}

type Trace = ReplyBody<Routes['getRequest']>

/** Undefined for a call whose line was deleted since, to make room. */
async function findTrace(connection: Connection, requestId: string): Promise<Trace | undefined> {
  try {
    return await call<Routes['getRequest']>(connection, {
      method: 'GET',
      path: '/_svc/requests/{request_id}',
      params: { request_id: requestId },
    })
  } catch (error) {
    if (isSvcError(error) && error.code === 'not_found') return undefined
    throw error
  }
}

function rulesOf({ violations, warnings }: Trace) {
  return { violations, warnings }
}

function isPassing(error: unknown): error is Error {
  return isSvcError(error) && (error.code === 'unavailable' || error.code === 'rate_limit_exceeded')
}
