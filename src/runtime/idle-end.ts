/** A process that has had no work for this time ends, to give its memory back; its parent starts another when needed. */
const defaultIdleMs = 60_000

export interface IdleEnd {
  /** Called when work begins. */
  begin(): void
  /** Called at the start of the process and when work ends. */
  rest(): void
}

/** Ends this process when it rests for `IDLE_MS` milliseconds, a variable of its environment, or one minute. */
export function createIdleEnd(): IdleEnd {
  const idleMs = Number(process.env.IDLE_MS ?? defaultIdleMs)
  let timer: NodeJS.Timeout | undefined
  return {
    begin: () => clearTimeout(timer),
    rest() {
      timer = setTimeout(() => process.exit(0), idleMs)
    },
  }
}
