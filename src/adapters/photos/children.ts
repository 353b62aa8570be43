import type { ChildProcess } from 'node:child_process'
import { SvcError } from '../../errors.js'
import { type ReadAnswer, type ReadRequest, ready } from './protocol.js'

export interface ChildrenLimits {
  /** Children at a time. */
  readonly childrenAtMost: number
  /** How long a child may take for one photo before it is killed. */
  readonly deadlineMs: number
  /** How long a child may take to start. */
  readonly startMs: number
  readonly waitingAtMost: number
  readonly waitingBytesAtMost: number
  /** How long a photo may wait for its turn. */
  readonly waitMs: number
}

export interface Children {
  /**
   * Has a photo read; those that must wait are served in the order they came. Throws `unavailable` when too many wait, for
   * one that waited too long, and on closing. A photo that a child takes too long for or dies of is refused, and the next one gets a fresh child.
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
  const turns = createTurns(limits)
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
    if (answer === 'late') return { refusal: 'took too long to read. Save it again as an ordinary JPEG or PNG.' }
    if (answer === 'ended') return { refusal: 'cannot be read. Save it again as an ordinary JPEG or PNG.' }
    resting.push(child)
    return answer as ReadAnswer
  }

  return {
    async read(request) {
      if (closed) throw closing()
      await turns.take(request.bytes.byteLength)
      try {
        if (closed) throw closing()
        return await ask(request)
      } finally {
        turns.give()
      }
    },
    async close() {
      closed = true
      await Promise.all([...living].map(endChild))
    },
  }
}

function closing(): SvcError {
  return new SvcError('unavailable', 'The service is stopping. Try again in a moment.')
}

function tooMany(): SvcError {
  return new SvcError('unavailable', 'Too many photos are being read. Try again in a few seconds.')
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

/** Lets so many work at a time; the others wait in order, within bounds, as each holds a photo in memory. */
function createTurns({ childrenAtMost, waitingAtMost, waitingBytesAtMost, waitMs }: ChildrenLimits) {
  const waiting: { readonly sizeBytes: number; readonly go: () => void }[] = []
  let free = childrenAtMost
  let waitingBytes = 0
  return {
    async take(sizeBytes: number): Promise<void> {
      if (free > 0) {
        free -= 1
        return
      }
      const isFull = waiting.length >= waitingAtMost || waitingBytes + sizeBytes > waitingBytesAtMost
      if (isFull) throw tooMany()
      waitingBytes += sizeBytes
      await new Promise<void>((resolve, reject) => {
        const turn = { sizeBytes, go }
        const timer = setTimeout(() => {
          waiting.splice(waiting.indexOf(turn), 1)
          waitingBytes -= sizeBytes
          reject(tooMany())
        }, waitMs)
        function go(): void {
          clearTimeout(timer)
          resolve()
        }
        waiting.push(turn)
      })
    },
    /** Hands the turn on to whoever waits longest. */
    give(): void {
      const next = waiting.shift()
      if (next === undefined) {
        free += 1
        return
      }
      waitingBytes -= next.sizeBytes
      next.go()
    },
  }
}
