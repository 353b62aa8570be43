/** Takes the API keys out of a text that a caller chose: people put keys into the wrong header and into paths. */
export function redactKeys(text: string): string {
  return text.replaceAll(/svc_[\w-]{8,}/g, 'svc_…').slice(0, charactersAtMost)
}

const charactersAtMost = 300

export interface ErrorNote {
  readonly name: string
  readonly message?: string
  readonly code?: string
  /** Where it happened: the frames of the stack. */
  readonly frames: readonly string[]
}

/** An unexpected error for the log. Its message is left out where it may quote what the caller sent. */
export function describeError(error: unknown, withMessage: boolean): ErrorNote {
  if (!(error instanceof Error)) return { name: typeof error, frames: [] }
  const stack = error.stack ?? ''
  const messageAt = stack.indexOf(error.message)
  const frames = stack.slice(messageAt === -1 ? 0 : messageAt + error.message.length)
  const code = 'code' in error && typeof error.code === 'string' ? { code: error.code } : {}
  return {
    name: error.name,
    ...(withMessage ? { message: redactKeys(error.message) } : {}),
    ...code,
    frames: frames
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line.startsWith('at ')),
  }
}
