import { isInForeground } from './foreground.js'

const forwarded: readonly NodeJS.Signals[] = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT']
/** Signals that a terminal sends to all foreground processes, also to the program. */
const sentByTerminal: readonly NodeJS.Signals[] = ['SIGINT', 'SIGQUIT']

/** The signals that this process catches, so that they do not end it. */
export interface CaughtSignals {
  /** The first signal before `forwardTo`. */
  readonly pending: () => NodeJS.Signals | undefined
  /** Forwards signals to the program, except those that its terminal sends it. */
  forwardTo(kill: (signal: NodeJS.Signals) => void): void
  release(): void
}

export function catchSignals(): CaughtSignals {
  let first: NodeJS.Signals | undefined
  let kill: ((signal: NodeJS.Signals) => void) | undefined
  const onSignal = (signal: NodeJS.Signals) => {
    if (kill === undefined) first ??= signal
    // Checked for each signal: a job may have moved to the background meanwhile.
    else if (!sentByTerminal.includes(signal) || !isInForeground()) kill(signal)
  }
  for (const signal of forwarded) process.on(signal, onSignal)
  return {
    pending: () => first,
    forwardTo(killProgram) {
      kill = killProgram
    },
    release() {
      for (const signal of forwarded) process.off(signal, onSignal)
    },
  }
}
