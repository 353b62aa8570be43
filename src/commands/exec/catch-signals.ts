import { isInForeground } from './foreground.js'

const forwarded: readonly NodeJS.Signals[] = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT']
/** What a terminal sends to all programs in its foreground, the one that is run here among them. */
const sentByTerminal: readonly NodeJS.Signals[] = ['SIGINT', 'SIGQUIT']

/** The signals of this process, which from now on do not end it. */
export interface CaughtSignals {
  /** The first that came while nobody took them. */
  readonly pending: () => NodeJS.Signals | undefined
  /** Hands each on to the program that is run, but for what its terminal sends it. */
  forwardTo(kill: (signal: NodeJS.Signals) => void): void
  release(): void
}

export function catchSignals(): CaughtSignals {
  let first: NodeJS.Signals | undefined
  let kill: ((signal: NodeJS.Signals) => void) | undefined
  const onSignal = (signal: NodeJS.Signals) => {
    if (kill === undefined) first ??= signal
    // Asked when it comes: a job may have gone to the background meanwhile.
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
