import { setTimeout as delay } from 'node:timers/promises'
import { isSvcError, SvcError } from '../../../errors.js'
import type { RetryWhileBusy } from '../database.js'

/**
 * SQLSTATE classes and codes, and codes of Node, of a server that stops, starts, is overloaded, or cannot be reached: 08
 * connection, 53 resources, 57P01 to 57P05 shutdown and start, 57014 and 55P03 time limits, 25006 read-only, 58 system.
 */
const unavailableCodes =
  /^(08...|53...|58...|57P0[1-5]|57014|55P03|25006|25P03|ECONN\w+|EPIPE|ETIMEDOUT|EHOST\w+|ENET\w+|ENOTFOUND|EAI_AGAIN|ENOENT|EACCES)$/
/** Errors of the client, which have no code. */
const unavailableMessages = /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered)/
/** The connection was lost, so the answer to a commit may be lost with it. */
const lostCodes = /^(08...|57P0[1-5]|ECONNRESET|EPIPE|ETIMEDOUT|25P03)$/
const lostMessages = /^(Connection terminated|Client has encountered)/

const conflictCodes = /^40(001|P01)$/
const attemptsAtMost = 20
const delayMsAtMost = 50

/**
 * Retries work whose transaction PostgreSQL aborted because of another one. Rejects with `unavailable` if the server cannot
 * be used for now; the next call tries again.
 */
export const retryAfterConflict: RetryWhileBusy = async (work) => {
  for (let count = 1; ; count++) {
    try {
      return await work()
    } catch (error) {
      const isRetried = conflictCodes.test(codeOf(error)) || isOutdatedPlan(error)
      if (!isRetried || count === attemptsAtMost) throw toSvcError(error)
    }
    await delay(Math.random() * Math.min(2 ** count, delayMsAtMost))
  }
}

/** True if a named statement was prepared before its table got a column. */
export function isOutdatedPlan(error: unknown): boolean {
  return codeOf(error) === '0A000' && messageOf(error).startsWith('cached plan must not change result type')
}

/** True if it is unknown whether the work of a transaction was committed. */
export function isCommitUnknown(error: unknown): boolean {
  const cause = isSvcError(error) ? error.cause : error
  return lostCodes.test(codeOf(cause)) || lostMessages.test(messageOf(cause))
}

function toSvcError(error: unknown): unknown {
  if (!unavailableCodes.test(codeOf(error)) && !unavailableMessages.test(messageOf(error))) return error
  return new SvcError('unavailable', 'The service cannot use its database at the moment. Try again later.', {
    cause: error,
  })
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : ''
}
