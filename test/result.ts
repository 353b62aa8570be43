/** A test file, for a process that runs them. */
export interface FileRequest {
  /** The compiled file. */
  readonly path: string
  /** A folder that keeps the drawings of the stub for other files; empty if it shall draw them all. */
  readonly drawings: string
}

/** The result of a test file. */
export interface FileResult {
  readonly passed: number
  /** One sentence for each test that failed, and for each other fault of the file. */
  readonly failures: readonly string[]
  /** Why tests were skipped; they are among `passed`. */
  readonly skips: readonly string[]
  readonly seconds: number
  /** Seconds of CPU time of the file and of what it started and waited for. */
  readonly cpuSeconds: number
  /** True if the process has so much memory that it should run no other file. */
  readonly isLarge: boolean
}
