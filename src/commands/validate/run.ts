import { availableParallelism } from 'node:os'
import { isSvcError } from '../../errors.js'
import { createSpareMemory, readChunks, type SpareMemory } from '../input/chunks.js'
import { type Gap, type Segment, splitSegments } from '../input/segments.js'
import type { Found, Source } from '../input/sources.js'
import { syntaxRule } from '../input/syntax.js'
import { type Checked, checkSegment, type Validate } from './check.js'
import type { Pool } from './pool.js'
import { type Answer, createQueue, type Queue } from './queue.js'
import type { PayloadResult } from './result.js'
import type { Sweep } from './sweep.js'
import { tuneForLongRun } from './tuning.js'

/** What a run over many sources reports, in the order of the sources and their payloads. */
export type Event =
  | { readonly kind: 'valid'; readonly source: string; readonly index: number; readonly count: number }
  | { readonly kind: 'result'; readonly result: PayloadResult }
  | { readonly kind: 'problem'; readonly source?: string; readonly message: string }

export interface CheckOptions {
  /** Warnings make a payload invalid. */
  readonly strict: boolean
  /** Threads that check, this one among them. Default: as many as the machine has cores. */
  readonly threads?: number | undefined
  /** Default: the validator of health-detail payloads. Runs in this thread only. */
  readonly check?: Validate
  /** Default 4 MiB. Threads start once this much of an NDJSON source was checked here. */
  readonly inlineBytes?: number
}

const defaultInlineBytes = 4 << 20

/** Checks every payload of the sources; valid ones are told in runs, so that a long file costs no memory. */
export async function* checkSources(found: readonly Found[], options: CheckOptions): AsyncGenerator<Event> {
  const threads = options.threads ?? availableParallelism()
  const spare = createSpareMemory()
  const checkHere = createCheckHere(options.check, spare.give)
  let pool: Pool | undefined
  const openPool = async () => {
    const { createPool } = await import('./pool.js')
    pool ??= createPool(threads - 1, spare.give)
    return pool
  }
  try {
    for (const one of found) {
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
  checkHere: CheckHere,
  spare: SpareMemory,
  openPool: OpenPool | undefined,
): AsyncGenerator<Event> {
  let index = 0
  let empty = true
  try {
    for await (const checked of checkAll(splitSegments(readChunks(source, spare)), options, checkHere, openPool)) {
      if ('problem' in checked) {
        yield { kind: 'problem', source: source.name, message: checked.problem }
      } else {
        for (const event of toEvents(source.name, index, checked, options.strict)) yield event
        index += checked.count
      }
      empty &&= index === 0 && !('problem' in checked)
    }
    if (empty) yield { kind: 'problem', source: source.name, message: 'it holds no payload.' }
  } catch (error) {
    if (!isSvcError(error)) throw error
    yield { kind: 'problem', source: source.name, message: error.message }
  }
}

/** A segment beyond this size is one of many payloads, and mostly not the last. */
const longBytes = 512 << 10

type CheckHere = (segment: Segment) => Promise<Checked>
type OpenPool = () => Promise<Pool>

/** What checks segments in this thread and then gives their memory back. */
function createCheckHere(check: Validate | undefined, give: SpareMemory['give']): CheckHere {
  let sweep: Sweep | undefined
  return async (segment) => {
    const { bytes } = segment
    if (bytes.length > longBytes) sweep ??= await tuneForLongRun()
    const checked = await checkSegment(segment, check)
    give(bytes)
    sweep?.(bytes.length)
    return checked
  }
}

/** The answers to all segments in their order. With a pool, several are checked at once, one of them here. */
async function* checkAll(
  segments: AsyncIterable<Segment | Gap>,
  options: CheckOptions,
  checkHere: CheckHere,
  openPool: OpenPool | undefined,
): AsyncGenerator<Answer> {
  const queue = createQueue()
  const enqueue = createEnqueue(queue, options, checkHere, openPool)
  for await (const segment of segments) {
    await enqueue(segment)
    for (const answer of queue.takeReady()) yield answer
    while (queue.isFull()) yield queue.takeFirst()
  }
  while (!queue.isEmpty()) yield queue.takeFirst()
}

/** Makes what has a segment checked, here or by a thread, and puts the answer into the queue. */
function createEnqueue(
  queue: Queue,
  { inlineBytes = defaultInlineBytes }: CheckOptions,
  checkHere: CheckHere,
  openPool: OpenPool | undefined,
): (segment: Segment | Gap) => Promise<void> {
  let seenBytes = 0
  let broken = false
  return async (segment) => {
    if ('problem' in segment) return queue.add(segment)
    // After a broken payload, what stands around the next ones is a consequence of it.
    if (segment.fault !== undefined && broken) return
    if (openPool === undefined || !segment.lines || seenBytes < inlineBytes) {
      const checked = await checkHere(segment)
      broken ||= checked.findings.some(({ errors }) => errors[0]?.rule === syntaxRule)
      queue.add(checked)
      seenBytes += segment.bytes.length
      return
    }
    const pool = await openPool()
    // A line that was cut in two by the reading is not worth the way to a thread.
    if (segment.bytes.length > smallBytes && pool.hasRoom()) return queue.expect(pool.check(segment))
    // The threads have enough to do; this one works too, and then lets their answers in.
    queue.add(await checkHere(segment))
    await new Promise((resolve) => setImmediate(resolve))
  }
}

/** A segment up to this size is checked where it is. */
const smallBytes = 64 << 10

function* toEvents(source: string, base: number, checked: Checked, strict: boolean): Generator<Event> {
  let next = 0
  for (const { index, errors, warnings } of checked.findings) {
    if (index > next) yield { kind: 'valid', source, index: base + next, count: index - next }
    const valid = errors.length === 0 && !(strict && warnings.length > 0)
    yield { kind: 'result', result: { source, index: base + index, valid, errors, warnings } }
    next = index + 1
  }
  if (checked.count > next) yield { kind: 'valid', source, index: base + next, count: checked.count - next }
}
