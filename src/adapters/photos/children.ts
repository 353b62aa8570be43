import type { ChildProcess } from 'node:child_process'
import { SvcError } from '../../errors.js'
import { createTurns } from '../turns.js'
import { type ReadAnswer, type ReadRequest, type Refusal, ready } from './protocol.js'

export interface ChildrenLimits {
  /** Children at a time. */
  readonly childrenAtMost: number
  /** How long a child may take for one photo before it is killed. */
  readonly deadlineMs: number
  /** How long a child may take to start. */
  readonly startMs: number
  readonly waitingAtMost: number
  readonly waitingBytesAtMost: number
  /** How long a photo may wait until a child has time for it. */
  readonly waitMs: number
}

export interface Children {
  /**
   * Has a photo read; those that must wait are served in the order they came. Throws `unavailable` when too many wait,
   * one has waited too long, or on closing. A photo that a child takes too long for or dies of is refused, and the next one gets a fresh child.
   */
  read(request: ReadRequest): Promise<ReadAnswer>
  /** Kills the children and waits for their end. */
  close(): Promise<void>
}

/**
 * Keeps children that read photos: started when first needed, kept for the next photo. They do not hold the program
 * open while they rest; at work, the deadline's timer does.
 */
export function createChildren(start: () => Promise<ChildProcess>, limits: ChildrenLimits): Children {
  const living = new Set<ChildProcess>()
  const resting: ChildProcess[] = []
  const turns = createTurns({
    ...limits,
    atOnce: limits.childrenAtMost,
    refusal: 'Too many photos are being read. Try again in a few seconds.',
  })
  let closed = false

  async function startChild(): Promise<ChildProcess> {
    const child = await start()
    living.add(child)
    child.unref()
    child.channel?.unref()
    // A channel that breaks while it is written to: the exit says the rest.
    child.on('error', () => {})
    child.once('exit', () => {
      living.delete(child)
      const at = resting.indexOf(child)
      if (at >= 0) resting.splice(at, 1)
    })
    if ((await nextMessage(child, limits.startMs)) === ready) return child
    if (closed) throw closing()
    throw new Error('The process that reads photos does not start.')
  }

  async function ask(request: ReadRequest): Promise<ReadAnswer> {
    const child = resting.pop() ?? (await startChild())
    child.send(request, () => {})
    const answer = await nextMessage(child, limits.deadlineMs)
    if (closed) throw closing()
    if (answer === 'late') return lose('took too long to read')
    if (answer === 'ended') return lose('cannot be read')
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

function lose(what: string): Refusal {
  return { refusal: `${what}. Save it again as an ordinary JPEG or PNG.`, isLost: true }
}

function closing(): SvcError {
  return new SvcError('unavailable', 'The service is stopping. Try again in a moment.')
}

/** What a child says next; `ended` when it ends first, `late` when it had to be killed for saying nothing in time. */
function nextMessage(child: ChildProcess, timeMs: number): Promise<unknown> {
  return new Promise((resolve) => {
    const settle = (outcome: unknown) => {
      clearTimeout(timer)
      child.off('message', settle).off('exit', onExit)
      resolve(outcome)
    }
    const onExit = () => settle('ended')
    const timer = setTimeout(() => {
      child.kill('SIGKILL')
      settle('late')
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
