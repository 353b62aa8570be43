const charactersAtMost = 300
const callerIdShown = 200
/** The rest of a text is dropped unread: a response of a vendor may have megabytes, and a search in them takes time. */
const charactersRead = 4000

/** Drops the rest of a long text after a whole word: part of a key could not be recognized. */
export function cutAtWord(text: string): string {
  if (text.length <= charactersRead) return text
  const start = text.slice(0, charactersRead)
  return `${start.slice(0, Math.max(start.lastIndexOf(' '), start.lastIndexOf('\n')) + 1)}…`
}

/** Removes API keys from a caller's text: people put keys into the wrong header and into paths. */
export function redactKeys(text: string): string {
  return text.replaceAll(/svc_[\w-]{8,}/g, 'svc_…').slice(0, charactersAtMost)
}

/** Removes our API keys, those of model services, and URLs, which may be signed, from a message. */
export function redactMessage(message: string): string {
  return redactKeys(
    cutAtWord(message)
      .replaceAll(/\b(?:https?|data):[^\s"'<>)]+/gi, '[URL]')
      .replaceAll(/\b(?:sk|pk|r8|key|bearer|aiza)[-_ ][\w-]{0,200}\d[\w-]{6,}/gi, '…'),
  )
}

/** Returns the ID under which the log has a call whose caller sent this text: truncated and redacted if it is unusable. */
export function toLoggedId(text: string): string {
  return isUsableId(text) ? text : redactKeys(text.trim().slice(0, callerIdShown))
}

/** True for 1 to 128 characters of `[A-Za-z0-9._-]` that are not an API key. */
export function isUsableId(text: string): boolean {
  return /^[A-Za-z0-9._-]{1,128}$/.test(text) && redactKeys(text) === text
}

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
