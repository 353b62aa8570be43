import type { Problem } from '../payload-files/result.js'
import { toPrintable } from '../text/words.js'

/** Prints on stderr which source could not be read, and why. */
export function printProblem({ source, message }: Problem): void {
  process.stderr.write(`svc: ${toPrintable(source === undefined ? message : `${source}: ${message}`)}\n`)
}
