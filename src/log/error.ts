import { redactMessage } from './redact.js'

export interface ErrorNote {
  readonly name: string
  readonly message?: string
  readonly code?: string
  /** Where it happened: the frames of the stack. */
  readonly frames?: readonly string[]
}

const causesAtMost = 4

/**
 * An error for the log with what caused it, the outermost first. What may be secret in a message is taken out, or all of it
 * where it may quote what a caller sent: not `withMessage`.
 */
export function describeError(error: unknown, withMessage = true): readonly ErrorNote[] {
  const chain: ErrorNote[] = []
  for (let cause = error; cause !== undefined && chain.length < causesAtMost; ) {
    if (!(cause instanceof Error)) {
      chain.push({ name: typeof cause })
      break
    }
    const { name, message } = cause
    const told = withMessage ? { message: redactMessage(message) } : {}
    const code = 'code' in cause && typeof cause.code === 'string' ? { code: cause.code } : {}
    chain.push({ name, ...told, ...code, frames: listFrames(cause) })
    cause = cause.cause
  }
  return chain
}

/** The stack begins with the message as it once was: lines of that are none of the frames, whatever they begin with. */
function listFrames({ message, stack = '' }: Error): readonly string[] {
  const messageAt = stack.indexOf(message)
  const frames = messageAt === -1 ? stack : stack.slice(messageAt + message.length)
  return frames
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => /^at .+:\d+:\d+\)?$/.test(line))
}
