/** What went wrong in a thread, as it is sent: what SQLite throws would arrive as no error at all. */
export interface Fault {
  readonly message: string
  /** SQLite's, such as `SQLITE_BUSY`; empty where it has none. */
  readonly code: string
}

export function describeFault(error: unknown): Fault {
  const { message, code = '' } = error as Error & { readonly code?: string }
  return { message, code }
}

/** The error that it was, on the side that asked. */
export function toError({ message, code }: Fault): Error {
  return Object.assign(new Error(message), { code })
}
