import { redactMessage } from './redact.js'

export interface ErrorNote {
  readonly name: string
  readonly message?: string
  readonly code?: string
  /** The frames of the stack. */
  readonly frames?: readonly string[]
}

const causesAtMost = 4

/**
 * Describes an error and its causes for the log, the outermost first. Redacts secrets in messages. Without `withMessage` it
 * omits messages, which may quote the caller's input.
 */
export function describeError(error: unknown, withMessage = true): readonly ErrorNote[] {
  const chain: ErrorNote[] = []
  for (let cause = error; cause !== undefined && chain.length < causesAtMost; ) {
    if (!(cause instanceof Error)) {
      chain.push({ name: typeof cause })
      break
    }
    const { name, message } = cause
    const shown = withMessage ? { message: redactMessage(message) } : {}
    const code = 'code' in cause && typeof cause.code === 'string' ? { code: cause.code } : {}
    chain.push({ name, ...shown, ...code, frames: listFrames(cause) })
    cause = cause.cause
  }
  return chain
}

/** Skips the message at the start of the stack, whose lines may look like frames. */
function listFrames({ message, stack = '' }: Error): readonly string[] {
  const messageAt = stack.indexOf(message)
  const frames = messageAt === -1 ? stack : stack.slice(messageAt + message.length)
  return frames
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => /^at .+:\d+:\d+\)?$/.test(line))
}
