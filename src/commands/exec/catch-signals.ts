import { closeSync, openSync, readFileSync } from 'node:fs'

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

/**
 * True if a signal of the terminal, such as Ctrl-C, reaches this process and its children: it is in the foreground process
 * group of a terminal. Standard input may come from elsewhere.
 */
function isInForeground(): boolean {
  return process.platform === 'linux' ? isForegroundGroup(readFileSync('/proc/self/stat', 'utf8')) : hasTerminal()
}

/** Reads the stat line of a process on Linux. Source: the manual page proc(5), /proc/pid/stat. */
export function isForegroundGroup(stat: string): boolean {
  // The name of the program is in parentheses, and may contain blanks and parentheses.
  const [, , group, , , foregroundGroup] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return group === foregroundGroup
}

/** Other systems only tell whether there is a terminal. */
function hasTerminal(): boolean {
  try {
    closeSync(openSync('/dev/tty', 'r'))
    return true
  } catch {
    // A process without a terminal cannot open it.
    return false
  }
}
