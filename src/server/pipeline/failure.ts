import { type ErrorCode, isSvcError, statusByCode } from '../../errors.js'
import { codeOf } from '../../runtime/reason.js'
import { isCallerGone } from '../input/body-reader.js'
import { InvalidBody } from '../input/json-body.js'
import type { Outcome, Progress } from './progress.js'

/** Turns every error into a response. The caller learns nothing of an error that is not an SvcError. */
export function fail(error: unknown, progress: Progress): Outcome {
  if (isCallerGone(error)) return { status: callerGoneStatus, body: undefined }
  if (error instanceof InvalidBody) progress.violations = error.violations
  progress.cause = isSvcError(error) ? error.cause : error
  if (!isSvcError(error)) {
    if (!isShortage(error)) return envelope('internal_error', 'Something went wrong on our side.', progress)
    progress.headers['retry-after'] = String(retryAfterSeconds)
    return envelope(
      'unavailable',
      'The service is short of memory, open files or disk space. Try again later.',
      progress,
    )
  }
  if (error.code === 'unauthorized') progress.headers['www-authenticate'] = 'Bearer'
  if (error.code === 'unsupported_content_encoding') progress.headers['accept-encoding'] = 'identity'
  const waitSeconds = error.retryAfterSeconds ?? (error.code === 'unavailable' ? retryAfterSeconds : undefined)
  if (waitSeconds !== undefined) progress.headers['retry-after'] = String(waitSeconds)
  return envelope(error.code, error.message, progress)
}

/** True if the system refused a resource: open files, processes, memory or disk space. */
function isShortage(error: unknown): boolean {
  return /^E(MFILE|NFILE|AGAIN|NOMEM|NOSPC|DQUOT|ROFS|IO)$/.test(codeOf(error))
}

/** Outages and full queues are usually short. */
const retryAfterSeconds = 5

/** Never sent; the log shows it for calls whose connection closed before the response. */
export const callerGoneStatus = 499

function envelope(code: ErrorCode, message: string, progress: Progress): Outcome {
  return { status: statusByCode[code], body: { error: { code, message, request_id: progress.id.id } } }
}
