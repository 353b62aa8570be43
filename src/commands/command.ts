import type { Config } from '../config.js'
import { SvcError } from '../errors.js'
import type { Problem } from '../payload-files/result.js'
import { toPrintable } from '../text/words.js'
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

  constructor(readonly signal: NodeJS.Signals) {
    super(`The command was stopped by ${signal}.`)
  }
}

/** Prints a problem on stderr, after the source that it is about, if any. */
export function printProblem({ source, message }: Problem): void {
  process.stderr.write(`svc: ${toPrintable(source === undefined ? message : `${source}: ${message}`)}\n`)
}

/** True if a person at a terminal can answer questions, which are asked on standard error. */
export function isPersonThere(): boolean {
  return process.stdin.isTTY === true && process.stderr.isTTY === true
}

/** Throws `invalid_request` with what a script must give in place of an answer. */
export function requirePerson(message: string): void {
  if (!isPersonThere()) throw new SvcError('invalid_request', message)
}

/** Throws `invalid_request` in production. */
export function requireTest({ environment }: Config, name: string): void {
  if (environment === 'test') return
  throw new SvcError('invalid_request', `${name} is for tests: SVC_ENV is ${environment}, and must be test.`)
}

/**
 * Resolves on the first of these signals. The second one calls `onSecond`; after that, or without it, a signal ends the
 * process as by default.
 */
export function nextSignal(
  signals: readonly NodeJS.Signals[] = ['SIGTERM', 'SIGINT'],
  onSecond?: (signal: NodeJS.Signals) => void,
): Promise<void> {
  return new Promise((resolve) => {
    const stopListening = (listener: (signal: NodeJS.Signals) => void) => {
      for (const signal of signals) process.off(signal, listener)
    }
    const onFirst = () => {
      // The next listener first: between the two, a signal would end the process.
      if (onSecond !== undefined) for (const signal of signals) process.on(signal, onNext)
      stopListening(onFirst)
      resolve()
    }
    const onNext = (signal: NodeJS.Signals) => {
      stopListening(onNext)
      onSecond?.(signal)
    }
    for (const signal of signals) process.on(signal, onFirst)
  })
}
