import { setTimeout as delay } from 'node:timers/promises'
import { DatabaseError } from 'pg'
import { isSvcError, SvcError } from '../../../errors.js'
import { codeOf } from '../../../runtime/reason.js'
import type { RunWork } from '../database.js'

/**
 * SQLSTATE classes and codes of a server that stops, starts, is overloaded, or cannot be reached: 08 connection, 53 resources,
 * 57P01 to 57P05 shutdown and start, 57014 and 55P03 time limits, 25006 read-only, 58 system.
 */
const unavailableStates = /^(08...|53...|58...|57P0[1-5]|57014|55P03|25006|25P03)$/
/** Codes of Node: system errors, and the ends of TLS sessions. A certificate that is not valid stays an error of the setup. */
const unavailableCodes = /^(E[A-Z0-9]+|EAI_\w+|ERR_(SSL|TLS|STREAM|SOCKET)_\w+)$/
const noAnswer = 'Query read timeout'
/** Errors of the client, which have no code. */
const unavailableMessages = new RegExp(
  `^(Connection terminated|timeout exceeded when trying to connect|Client has encountered|Client was closed|${noAnswer})`,
)
/** The server ended the connection, so the response to a commit may be lost. */
const lostStates = /^(08...|57P0[1-5]|25P03)$/
/** The server has become a standby. */
const readOnlyState = '25006'

const conflictCodes = /^40(001|P01)$/
const attemptsAtMost = 20
const delayMsAtMost = 50

/**
 * Retries work whose transaction PostgreSQL aborted because of another one. Rejects with `unavailable` if the server cannot
 * be used for now; the next call tries again.
 */
export const retryAfterConflict: RunWork = async (work) => {
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

/** True if the client waited for a response for as long as it may. */
export function isUnanswered(error: unknown): boolean {
  return messageOf(error) === noAnswer
}

/** True if the connection must not be used again. */
export function isBroken(error: unknown): boolean {
  return isLost(error) || codeOf(error) === readOnlyState
}

const unsent = new WeakSet<object>()

/** Rethrows an error of a statement that was not sent: there was no connection. */
export function markUnsent(error: Error): never {
  unsent.add(error)
  throw error
}

/** True if it is unknown whether the work of a transaction was committed. */
export function isCommitUnknown(error: unknown): boolean {
  const cause = isSvcError(error) ? error.cause : error
  return cause instanceof Error && isLost(cause) && !unsent.has(cause)
}

/** True for every error that the server did not send: any of them may have taken the response along. */
function isLost(error: unknown): boolean {
  return error instanceof DatabaseError ? lostStates.test(codeOf(error)) : true
}

function toSvcError(error: unknown): unknown {
  const codes = error instanceof DatabaseError ? unavailableStates : unavailableCodes
  if (!codes.test(codeOf(error)) && !unavailableMessages.test(messageOf(error))) return error
  return new SvcError('unavailable', 'The service cannot use its database at the moment. Try again later.', {
    cause: error,
  })
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : ''
}
