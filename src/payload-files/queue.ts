import type { CheckedSegment } from './check-segment.js'
import type { SkippedSegment } from './segment.js'

export type SegmentResult = CheckedSegment | SkippedSegment

/** Results in the order of their segments, some of them still expected from threads. */
export interface Queue {
  readonly add: (result: SegmentResult) => void
  readonly expect: (promise: Promise<CheckedSegment>) => void
  readonly isEmpty: () => boolean
  /** True if so much waits for the first result that the caller should take it before it adds more. */
  readonly isFull: () => boolean
  /** Takes the available results, up to the first that is not. */
  readonly takeReady: () => Generator<SegmentResult>
  /** Takes the first result, once it is available. Rejects with the error of its thread. */
  readonly takeFirst: () => Promise<SegmentResult>
}

/** The first result of a thread takes as long as many later ones, which wait for it. */
const maxEntries = 512
/** Flagged payloads that are kept with them. */
const maxFlagged = 8192

interface QueueEntry {
  result?: SegmentResult
  readonly promise?: Promise<CheckedSegment>
}

export function createQueue(): Queue {
  const entries: QueueEntry[] = []
  let flagged = 0
  const countOf = (result: SegmentResult) => ('problem' in result ? 0 : result.flagged.length)
  const leave = (result: SegmentResult) => {
    entries.shift()
    flagged -= countOf(result)
    return result
  }
  return {
    add: (result) => {
      entries.push({ result })
      flagged += countOf(result)
    },
    expect: (promise) => {
      const turn: QueueEntry = { promise }
      entries.push(turn)
      const settle = (checked: CheckedSegment) => {
        turn.result = checked
        flagged += countOf(checked)
      }
      // `takeFirst` rejects with the error. Without this handler, a result that is never taken would end the program.
      promise.then(settle).catch(() => undefined)
    },
    isEmpty: () => entries.length === 0,
    isFull: () => entries.length > maxEntries || flagged > maxFlagged,
    takeReady: function* () {
      for (let result = entries[0]?.result; result !== undefined; result = entries[0]?.result) yield leave(result)
    },
    takeFirst: async () => {
      const result = entries[0]?.result ?? (await entries[0]?.promise)
      if (result === undefined) throw new RangeError('The queue is empty.')
      return leave(result)
    },
  }
}
