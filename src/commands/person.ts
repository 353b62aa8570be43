import { SvcError } from '../errors.js'

/** True if a person at a terminal can answer questions, which are asked on standard error. */
export function isPersonThere(): boolean {
  return process.stdin.isTTY === true && process.stderr.isTTY === true
}

/** Throws `invalid_request` with what a script must give in place of an answer. */
export function requirePerson(message: string): void {
  if (!isPersonThere()) throw new SvcError('invalid_request', message)
}
