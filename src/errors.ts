/**
 * All error codes of the API, with their HTTP status.
 * Source: gateway contract, 7; src/contract/README.md, "Errors".
 */
export const statusByCode = {
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  gone: 410,
  payload_too_large: 413,
  unsupported_content_encoding: 415,
  invalid_request: 422,
  rate_limit_exceeded: 429,
  internal_error: 500,
  provider_error: 502,
  unavailable: 503,
} as const

export type ErrorCode = keyof typeof statusByCode

export interface SvcErrorOptions {
  readonly cause?: unknown
  readonly retryAfterSeconds?: number | undefined
  readonly isOutcomeUnknown?: boolean
}

/**
 * The only error that the program throws on purpose. `message` is a full sentence for the caller: what is wrong, with which
 * field, and the fix. Internal details go into `cause`, which only the log shows.
 */
export class SvcError extends Error {
  override readonly name = 'SvcError'
  readonly code: ErrorCode
  /** The time after which a retry may succeed, if known. */
  readonly retryAfterSeconds: number | undefined
  /** True if the work may have been done nevertheless, so what it needs must be kept. */
  readonly isOutcomeUnknown: boolean

  constructor(code: ErrorCode, message: string, options?: SvcErrorOptions) {
    super(message, options)
    this.code = code
    this.retryAfterSeconds = options?.retryAfterSeconds
    this.isOutcomeUnknown = options?.isOutcomeUnknown ?? false
  }
}

/** True if `error` is a SvcError. Compares the name, because each command bundle holds its own copy of the class. */
export function isSvcError(error: unknown): error is SvcError {
  return error instanceof Error && error.name === 'SvcError' && 'code' in error
}

/** True if a retry may succeed soon: a database, a disk or a service is temporarily unavailable. */
export function isUnavailable(error: unknown): error is SvcError {
  return isSvcError(error) && error.code === 'unavailable'
}

/** Returns the reason of a system error in words; undefined for other errors. */
export function findSystemReason(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? systemReasons[String(error.code)] : undefined
}

const systemReasons: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EIO: 'the disk does not answer',
  EISDIR: 'it is a folder',
  ELOOP: 'its links form a circle',
  EMFILE: 'too many files are open: raise the limit of open files (ulimit -n)',
  ENAMETOOLONG: 'the name is too long',
  ENFILE: 'too many files are open on this machine',
  ENOENT: 'no such file or folder',
  ENOSPC: 'the disk is full',
  ENOTDIR: 'a part of the path is a file',
  EPERM: 'permission denied',
  EROFS: 'the disk is read-only',
}
