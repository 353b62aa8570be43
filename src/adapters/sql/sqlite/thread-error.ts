/** An error of a thread in a form that can be sent: SQLite's own errors lose their class on the way. */
export interface ThreadError {
  readonly message: string
  /** SQLite's code, such as `SQLITE_BUSY`; empty for other errors. */
  readonly code: string
}

export function toThreadError(error: unknown): ThreadError {
  const { message, code = '' } = error as Error & { readonly code?: string }
  return { message, code }
}

/** Restores the error in the receiving thread. */
export function toError({ message, code }: ThreadError): Error {
  return Object.assign(new Error(message), { code })
}
