import type { Command } from 'commander'

/** Exit code of a command: 0 done, 1 the answer is no, 2 could not do it, 3 partial success, 4 deadline passed. */
export type CommandResult = 0 | 1 | 2 | 3 | 4

/**
 * A module in this folder that declares one command group. `finish` takes the exit code of the command that ran, which is a
 * `CommandResult` or that of another program that it ran.
 */
export interface CommandModule {
  readonly register: (program: Command, finish: (exitCode: number) => void) => void
}

/** A person stopped the command. What it had to say has been said; the process ends as the signal would have ended it. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted'
  readonly signal: NodeJS.Signals

  constructor(signal: NodeJS.Signals) {
    super(`The command was stopped by ${signal}.`)
    this.signal = signal
  }
}
