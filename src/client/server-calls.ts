import { isSvcError } from '../errors.js'
import {
  type CallBatch,
  type CallQuery,
  type CallSource,
  isInQuery,
  type LoggedCall,
  type SourceOptions,
} from '../log/call-source.js'
import { call, Refusal, type Server } from './client.js'

const callsPerRead = 500
const pollMs = 1000
/** Each trace is a call of its own, which counts for the rate limit. */
const maxTraces = 20

/** Opens the log of a server: its last calls, then new ones. The server is closed with the source. */
export function openServerCalls(
  server: Server & { close(): Promise<void> },
  query: CallQuery,
  { isFollowed, onTrouble }: SourceOptions,
): CallSource {
  let cursor: string | undefined
  let waitUntil = 0
  let trouble = ''
  let refusal: Error | undefined

  /** Pauses until the server answers again. */
  function wait(error: Error, consequence: string): CallBatch {
    const seconds = error instanceof Refusal ? (error.retryAfterSeconds ?? 1) : 1
    waitUntil = performance.now() + seconds * 1000
    if (error.message !== trouble) onTrouble(`${error.message} ${consequence}`)
    trouble = error.message
    return { calls: [], isMore: false }
  }

  async function readNext(): Promise<CallBatch> {
    const { data, cursor: next } = await list(server, query, cursor)
    const asked = data.filter((one) => isInQuery(query, one))
    const traced = await addTraces(server, query, asked)
    const isMore = cursor !== undefined && data.length === callsPerRead
    cursor = next
    if (traced.refusal === undefined) trouble = ''
    else if (isFollowed) wait(traced.refusal, 'Calls are shown without their rules and tasks.')
    // The next read throws the reason why not all is shown.
    else refusal = traced.refusal
    return { calls: traced.calls, isMore: isMore || refusal !== undefined }
  }

  return {
    pollMs,
    async read() {
      if (refusal !== undefined) throw refusal
      if (performance.now() < waitUntil) return { calls: [], isMore: false }
      try {
        return await readNext()
      } catch (error) {
        if (cursor === undefined || !isTransient(error)) throw error
        return wait(error, 'Asking again.')
      }
    },
    close: () => server.close(),
  }
}

function list(server: Server, { status, petId, requestId, withOwn }: CallQuery, after: string | undefined) {
  return call(server, 'listRequests', {
    query: {
      limit: String(callsPerRead),
      after,
      status: status === undefined ? undefined : String(status),
      pet_id: petId,
      request_id: requestId,
      include: withOwn ? 'svc' : undefined,
    },
  })
}

/**
 * Adds the rules to calls with an invalid body, and the whole trace to a call that was asked for by ID. `refusal` is the
 * reason why the server refused a trace: the calls from there on are as listed.
 */
async function addTraces(server: Server, { requestId }: CallQuery, listed: readonly LoggedCall[]) {
  const calls = [...listed]
  for (const [index, one] of listed.entries()) {
    const isWanted = requestId !== undefined || one.status === 422
    if (!isWanted || index < listed.length - maxTraces) continue
    try {
      const trace = await findTrace(server, one.request_id)
      // Of several calls with one ID, the server returns the last.
      if (trace?.time !== one.time) continue
      const { violations, warnings } = trace
      calls[index] = requestId === undefined ? { ...one, violations, warnings } : trace
    } catch (error) {
      if (!isTransient(error)) throw error
      return { calls, refusal: error }
    }
  }
  return { calls, refusal: undefined }
}

/** Finds the trace of a call; undefined if its line was deleted to make room. */
async function findTrace(server: Server, requestId: string) {
  try {
    return await call(server, 'getRequest', { params: { request_id: requestId } })
  } catch (error) {
    if (isSvcError(error) && error.code === 'not_found') return undefined
    throw error
  }
}

function isTransient(error: unknown): error is Error {
  return isSvcError(error) && (error.code === 'unavailable' || error.code === 'rate_limit_exceeded')
}
