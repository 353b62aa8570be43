import { write } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { createLineGroups } from './line-groups.js'
import type { RequestLog } from './request-log.js'

const linesAtOnce = 1000
const writeAgainMs = 20
/** A collector that does not read must not keep the process from its end. */
const lastWritesMs = 2000

const writeTo = promisify(write)

/**
 * Opens a log that is written to a file descriptor, for a collector. Not through `process.stdout`, which blocks the process
 * while the collector does not read.
 */
export function openStreamLog(descriptor: number, instance: string): RequestLog {
  const ending = `,"instance":${JSON.stringify(instance)}}\n`
  let rest: Buffer | undefined
  let giveUpAt = Number.POSITIVE_INFINITY

  async function writeLines(lines: readonly string[]): Promise<void> {
    rest ??= Buffer.from(lines.join(''))
    while (rest.length > 0) {
      try {
        const { bytesWritten } = await writeTo(descriptor, rest)
        rest = rest.subarray(bytesWritten)
      } catch (error) {
        // The pipe is full, and another part of the program has made it non-blocking.
        if ((error as NodeJS.ErrnoException).code !== 'EAGAIN' || performance.now() > giveUpAt) throw error
        await delay(writeAgainMs)
      }
    }
    rest = undefined
  }

  const groups = createLineGroups<string>({
    linesAtMost: linesAtOnce,
    lengthOf: ({ length }) => length,
    target: 'standard output',
    write: writeLines,
  })
  return {
    write(entry) {
      groups.add(JSON.stringify(entry).slice(0, -1) + ending)
    },
    flush: groups.flush,
    async close() {
      giveUpAt = performance.now() + lastWritesMs
      await groups.close()
    },
  }
}
