/** An error with the fields that tests read. */
export interface Thrown extends Error {
  readonly code: string
  readonly cause?: Thrown & { readonly status?: number }
}

/** Returns the error with which the work rejects. */
export const thrownBy = (work: Promise<unknown>): Promise<Thrown> =>
  work.then(
    () => Promise.reject(new Error('nothing was thrown')),
    (error) => error,
  )

/** Returns the code of the error with which the work rejects; `done` if it does not. */
export const codeOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'done',
    (error) => error.code ?? String(error),
  )
