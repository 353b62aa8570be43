import { availableParallelism } from 'node:os'
import { isSvcError } from '../errors.js'
import type { UnknownMembers } from '../insight/index.js'
import { type CheckedSegment, type CheckSegment, createCheckSegment, type Validate } from './check-segment.js'
import { createSpareMemory, readChunks, type SpareMemory } from './chunks.js'
import type { CheckPool } from './pool.js'
import { type PayloadResult, type Segment, type SkippedSegment, syntaxRule } from './result.js'
import type { Source, SourceOrProblem } from './sources.js'
import { splitSegments } from './split-segments.js'

/** An event of a run over many sources, in the order of the sources and their payloads. */
export type CheckEvent =
  | { readonly kind: 'valid'; readonly source: string; readonly index: number; readonly count: number }
  | { readonly kind: 'result'; readonly result: PayloadResult }
  /** The number of payloads among those before with unknown members that no violation names. */
  | { readonly kind: 'ignoring'; readonly source: string; readonly count: number }
  | { readonly kind: 'problem'; readonly source?: string; readonly message: string }

export interface CheckOptions {
  /** Warnings make a payload invalid. */
  readonly strict: boolean
  /** The number of threads that check, including this one. Default: one per core. */
  readonly threads?: number | undefined
  /** Default: only unknown members that a known one is missing for are warnings. */
  readonly unknown?: UnknownMembers | undefined
  /** Default: the validator of health-detail payloads. Another one runs in this thread only. */
  readonly check?: Validate
  /** Other threads start after this one has checked so much of an NDJSON source. Default 4 MiB. */
  readonly inlineBytes?: number
}

const defaultInlineBytes = 4 << 20

/** Checks every payload of the sources. Valid ones are reported in runs, so that a long file takes no memory. */
export async function* checkSources(
  sources: readonly SourceOrProblem[],
  options: CheckOptions,
): AsyncGenerator<CheckEvent> {
  const threads = options.threads ?? availableParallelism()
  const spare = createSpareMemory()
  const checkSegment = createCheckSegment(options.check, options.unknown)
  /** Checks a segment in this thread, and then gives its memory back. */
  const checkHere: CheckSegment = async (segment) => {
    const checked = await checkSegment(segment)
    spare.give(segment.bytes)
    return checked
  }
  let pool: CheckPool | undefined
  const openPool = async () => {
    const { createPool } = await import('./pool.js')
    pool ??= createPool(threads - 1, spare.give, options.unknown)
    return pool
  }
  try {
    for (const one of sources) {
      if (one.source === undefined) yield { kind: 'problem', message: one.problem }
      else yield* checkSource(one.source, options, checkHere, spare, threads > 1 ? openPool : undefined)
    }
  } finally {
    await pool?.close()
  }
}

async function* checkSource(
  source: Source,
  options: CheckOptions,
  checkHere: CheckSegment,
  spare: SpareMemory,
  openPool: OpenPool | undefined,
): AsyncGenerator<CheckEvent> {
  let index = 0
  let empty = true
  try {
    for await (const checked of checkAll(splitSegments(readChunks(source, spare)), options, checkHere, openPool)) {
      if ('problem' in checked) {
        yield { kind: 'problem', source: source.name, message: checked.problem }
      } else {
        for (const event of toEvents(source.name, index, checked, options.strict)) yield event
        index += checked.count
        if (checked.ignoring > 0) yield { kind: 'ignoring', source: source.name, count: checked.ignoring }
      }
      empty &&= index === 0 && !('problem' in checked)
    }
    if (empty) yield { kind: 'problem', source: source.name, message: 'it holds no payload.' }
  } catch (error) {
    if (!isSvcError(error)) throw error
    yield { kind: 'problem', source: source.name, message: error.message }
  }
}

type OpenPool = () => Promise<CheckPool>

/** Yields the results of all segments in order. With a pool, several are checked at once, one of them in this thread. */
async function* checkAll(
  segments: AsyncIterable<Segment | SkippedSegment>,
  options: CheckOptions,
  checkHere: CheckSegment,
  openPool: OpenPool | undefined,
): AsyncGenerator<SegmentResult> {
  const queue = createQueue()
  const enqueue = createEnqueue(queue, options, checkHere, openPool)
  for await (const segment of segments) {
    await enqueue(segment)
    for (const result of queue.takeReady()) yield result
    while (queue.isFull()) yield queue.takeFirst()
  }
  while (!queue.isEmpty()) yield queue.takeFirst()
}

/** Returns a function that has a segment checked, in this thread or another, and adds the result to the queue. */
function createEnqueue(
  queue: Queue,
  { inlineBytes = defaultInlineBytes }: CheckOptions,
  checkHere: CheckSegment,
  openPool: OpenPool | undefined,
): (segment: Segment | SkippedSegment) => Promise<void> {
  let seenBytes = 0
  let isBroken = false
  return async (segment) => {
    if ('problem' in segment) return queue.add(segment)
    // After a broken payload, a syntax error of the array is a consequence of it.
    if (segment.syntaxError !== undefined && isBroken) return
    if (openPool === undefined || !segment.lines || seenBytes < inlineBytes) {
      const checked = await checkHere(segment)
      isBroken ||= checked.flagged.some(({ errors }) => errors[0]?.rule === syntaxRule)
      queue.add(checked)
      seenBytes += segment.bytes.length
      return
    }
    const pool = await openPool()
    // A line that was split between two chunks is not worth the transfer to a thread.
    if (segment.bytes.length > smallBytes && pool.hasRoom()) return queue.expect(pool.check(segment))
    // It is small, or all threads are busy: this thread checks it, and then lets the results of others arrive.
    queue.add(await checkHere(segment))
    await new Promise((resolve) => setImmediate(resolve))
  }
}

/** A segment up to this size is checked in this thread. */
const smallBytes = 64 << 10

function* toEvents(source: string, base: number, checked: CheckedSegment, strict: boolean): Generator<CheckEvent> {
  let next = 0
  for (const { index, errors, warnings } of checked.flagged) {
    if (index > next) yield { kind: 'valid', source, index: base + next, count: index - next }
    const valid = errors.length === 0 && !(strict && warnings.length > 0)
    yield { kind: 'result', result: { source, index: base + index, valid, errors, warnings } }
    next = index + 1
  }
  if (checked.count > next) yield { kind: 'valid', source, index: base + next, count: checked.count - next }
}

export type SegmentResult = CheckedSegment | SkippedSegment

/** The first result of a thread takes as long as many later ones, which wait for it. */
const maxEntries = 512
/** Flagged payloads that are kept with them. */
const maxFlagged = 8192

interface QueueEntry {
  result?: SegmentResult
  readonly promise?: Promise<CheckedSegment>
}

type Queue = ReturnType<typeof createQueue>

/** Creates a queue of results in the order of their segments, some of them still expected from threads. */
export function createQueue() {
  const entries: QueueEntry[] = []
  let flagged = 0
  const countOf = (result: SegmentResult) => ('problem' in result ? 0 : result.flagged.length)
  const leave = (result: SegmentResult) => {
    entries.shift()
    flagged -= countOf(result)
    return result
  }
  return {
    add: (result: SegmentResult): void => {
      entries.push({ result })
      flagged += countOf(result)
    },
    expect: (promise: Promise<CheckedSegment>): void => {
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
    /** True if so much waits for the first result that the caller should take it before it adds more. */
    isFull: () => entries.length > maxEntries || flagged > maxFlagged,
    /** Takes the available results, up to the first that is not. */
    takeReady: function* (): Generator<SegmentResult> {
      for (let result = entries[0]?.result; result !== undefined; result = entries[0]?.result) yield leave(result)
    },
    /** Takes the first result, once it is available. Rejects with the error of its thread. */
    takeFirst: async (): Promise<SegmentResult> => {
      const result = entries[0]?.result ?? (await entries[0]?.promise)
      if (result === undefined) throw new RangeError('The queue is empty.')
      return leave(result)
    },
  }
}
