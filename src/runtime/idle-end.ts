const defaultIdleMs = 60_000

export interface IdleEnd {
  /** Called when work begins. */
  begin(): void
  /** Called at the start of the process and when work ends. */
  rest(): void
}

/**
 * Ends this child process when it has rested for the milliseconds of its first argument, or a minute, to free its memory.
 * The parent starts another one when it needs it.
 */
export function createIdleEnd(): IdleEnd {
  const idleMs = Number(process.argv[2] ?? defaultIdleMs)
  let timer: NodeJS.Timeout | undefined
  return {
    begin: () => clearTimeout(timer),
    rest() {
      // Nothing but the channel keeps the process running.
      timer = setTimeout(() => process.channel?.unref(), idleMs)
    },
  }
}
