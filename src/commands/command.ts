import type { StrictCommand } from './strict-command.js'

/** The exit code of a command: 0 done, 1 the answer is no, 2 could not run, 3 partial success, 4 deadline passed. */
export type CommandResult = 0 | 1 | 2 | 3 | 4

/** Takes the exit code: a `CommandResult`, or that of a program that the command ran. */
export type Finish = (exitCode: number) => void

/** A module that declares one command group. */
export interface CommandModule {
  readonly register: (program: StrictCommand, finish: Finish) => void
}

/** Thrown after a signal stopped the command and it printed its last words. The process then ends by that signal. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted'
  readonly signal: NodeJS.Signals

  constructor(signal: NodeJS.Signals) {
    super(`The command was stopped by ${signal}.`)
    this.signal = signal
  }
}
