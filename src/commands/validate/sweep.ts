import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Is told how many bytes were checked in this thread. */
export type Sweep = (checkedBytes: number) => void

/** After a collection V8 compiles anew what it has forgotten of payloads, which takes a twentieth of the time for so much. */
const sweepBytes = 256 << 20

/**
 * Has V8 collect all garbage of this thread now and then. V8 keeps each short text that it parses, such as an ID, until it
 * collects the whole heap, and puts that off while little else stays: a million payloads took 60 MB more than a tenth of them.
 */
export function createSweep(): Sweep {
  let collect: (() => void) | undefined
  let waitingBytes = 0
  return (checkedBytes) => {
    waitingBytes += checkedBytes
    if (waitingBytes < sweepBytes) return
    waitingBytes = 0
    collect ??= exposeCollector()
    collect()
  }
}

/** A context made after the flag was set has the function that the one of the program lacks. */
function exposeCollector(): () => void {
  setFlagsFromString('--expose-gc')
  return runInNewContext('gc')
}
