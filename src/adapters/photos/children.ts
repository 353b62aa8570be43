import type { ChildProcess } from 'node:child_process'
import { SvcError } from '../../errors.js'
import { createLimiter } from '../limiter.js'
import { type LimitedRequest, type ReadAnswer, type ReadRequest, ready } from './protocol.js'

export interface ChildrenLimits {
  /** Maximum number of children. */
  readonly childrenAtMost: number
  /** Limit of processor time for one photo; the child ends after it. 40 million pixels take up to 2 s. */
  readonly cpuMsAtMost: number
  /** Limit of time for one photo; the child is killed after it. */
  readonly deadlineMs: number
  /** Limit for the start of a child. */
  readonly startMs: number
  readonly waitingAtMost: number
  readonly waitingBytesAtMost: number
  /** Limit for waiting until a child is free. */
  readonly waitMs: number
}

export interface Children {
  /**
   * Reads a photo in a child; waiting photos are served in order of arrival. If the child ends or exceeds its limit of
   * time, the photo is read once more, in a new child. If that one fails too, the answer is `lost`. Throws `unavailable` if
   * one of the two was killed from outside, too many photos wait, one has waited too long, or on closing.
   */
  read(request: ReadRequest): Promise<ReadAnswer>
  /** Kills the children and waits for their end. */
  close(): Promise<void>
}

/**
 * Manages child processes that read photos: they start on demand and are kept for the next photo. Idle children do
 * not keep the program running; for busy ones, the timer of the deadline does.
 */
export function createChildren(start: () => Promise<ChildProcess>, limits: ChildrenLimits): Children {
  const living = new Set<ChildProcess>()
  const resting: ChildProcess[] = []
  const turns = createLimiter({
    ...limits,
    atOnce: limits.childrenAtMost,
    refuse: () => new SvcError('unavailable', 'Too many photos are being read. Try again in a few seconds.'),
  })
  let closed = false

  /** Starts a child. Returns `killed` if it was killed from outside before it was ready. */
  async function startChild(): Promise<ChildProcess | 'killed'> {
    const child = await start()
    living.add(child)
    child.unref()
    child.channel?.unref()
    // A broken channel emits an error here; the exit event reports the rest.
    child.on('error', () => {})
    child.once('exit', () => {
      living.delete(child)
      const at = resting.indexOf(child)
      if (at >= 0) resting.splice(at, 1)
    })
    const message = await nextMessage(child, limits.startMs)
    if (message === ready) return child
    if (closed) throw closing()
    if (message === 'killed') return message
    throw new Error('The process that reads photos did not start.')
  }

  async function ask(request: ReadRequest): Promise<ReadAnswer> {
    const first = await askOnce(request, resting.pop())
    if (typeof first === 'object') return first
    // The photo may not be the cause: the system kills processes when memory is short, and slows them when it is busy.
    const second = await askOnce(request)
    if (typeof second === 'object') return second
    if (first === 'killed' || second === 'killed') throw new SvcError('unavailable', killed)
    const refusal = 'cannot be read. Save it again as an ordinary JPEG or PNG.'
    return { refusal, lost: first === 'late' || second === 'late' ? 'late' : 'ended' }
  }

  async function askOnce(request: ReadRequest, rested?: ChildProcess): Promise<ReadAnswer | Ending> {
    const child = rested ?? (await startChild())
    if (child === 'killed') return child
    child.send({ ...request, cpuMsAtMost: limits.cpuMsAtMost } satisfies LimitedRequest, () => {})
    const answer = await nextMessage(child, limits.deadlineMs)
    if (closed) throw closing()
    if (answer === 'late' || answer === 'killed' || answer === 'ended') return answer
    resting.push(child)
    return answer as ReadAnswer
  }

  return {
    async read(request) {
      if (closed) throw closing()
      return turns.run(request.bytes.byteLength, async () => {
        if (closed) throw closing()
        return ask(request)
      })
    },
    async close() {
      closed = true
      await Promise.all([...living].map(endChild))
    },
  }
}

const killed =
  'The system killed the process that reads photos, usually because memory is short. Send the photo again in a few seconds.'

function closing(): SvcError {
  return new SvcError('unavailable', 'The service is stopping. Try again in a moment.')
}

/**
 * The end of a child: `late` if it was killed here, `killed` by SIGKILL from outside, as the system does when memory is
 * short, or `ended` on its own, as it does at its limits of memory and processor time.
 */
type Ending = 'late' | 'killed' | 'ended'

/** Resolves with the child's next message, or its `Ending`: it is `late` after `timeMs`. */
function nextMessage(child: ChildProcess, timeMs: number): Promise<unknown> {
  return new Promise((resolve) => {
    const settle = (outcome: unknown) => {
      clearTimeout(timer)
      child.off('message', settle).off('exit', onExit)
      resolve(outcome)
    }
    const onExit = () => settle((child.signalCode === 'SIGKILL' ? 'killed' : 'ended') satisfies Ending)
    const timer = setTimeout(() => {
      child.kill('SIGKILL')
      settle('late' satisfies Ending)
    }, timeMs)
    child.once('message', settle).once('exit', onExit)
    if (hasEnded(child)) onExit()
  })
}

function hasEnded(child: ChildProcess): boolean {
  return child.pid === undefined || child.exitCode !== null || child.signalCode !== null
}

async function endChild(child: ChildProcess): Promise<void> {
  if (hasEnded(child)) return
  child.ref()
  await new Promise<void>((resolve) => {
    child.once('exit', () => resolve())
    child.kill('SIGKILL')
  })
}
