import type { ChildProcess } from 'node:child_process'
import { createLimiter, type LimitedCall, type LimiterOptions } from './limiter.js'
import { type ChildMessage, type JobAnswer, type JobMessage, killGroup } from './serve-jobs.js'

/** Limits without a value do not hold. */
export interface PoolLimits extends Omit<LimiterOptions, 'atOnce' | 'refuse'> {
  /** Maximum number of child processes. */
  readonly childrenAtMost: number
  /** Limit of processor time for one job; its process ends after it. */
  readonly cpuMsAtMost?: number | undefined
  /** Limit of time for one job; its process is killed after it. */
  readonly deadlineMs?: number | undefined
}

export interface PoolOptions extends PoolLimits {
  /** Completes messages: the process that … */
  readonly work: string
  /** Starts a process that calls `serveJobs`. */
  readonly start: () => Promise<ChildProcess>
  /** True to give each job a process of its own, which is killed after the response with all processes that it started. */
  readonly isFresh?: boolean
  /** The error of a job that finds too many others waiting, or has waited too long. */
  readonly busy?: () => Error
  /** The error of jobs after the pool was closed. */
  readonly closing: () => Error
}

/** Thrown if two processes of a job ended before it was done. */
export class LostJob extends Error {
  override readonly name = 'LostJob'
  /**
   * `killed` if one of them was killed from outside, as the system does when memory is short; `late` if one exceeded its
   * limit of time; `ended` if both ended on their own, as at their limits of memory and processor time.
   */
  readonly reason: 'killed' | 'late' | 'ended'

  constructor(reason: LostJob['reason'], message: string) {
    super(message)
    this.reason = reason
  }
}

/** True if `error` is a LostJob. Compares the name, because each bundle holds its own copy of the class. */
export function isLostJob(error: unknown): error is LostJob {
  return error instanceof Error && error.name === 'LostJob'
}

/** Limit of time for the start of a process. */
const startMs = 20_000

/** Creates a pool of child processes, which start on demand and are kept for the next job. Idle ones do not keep the program running. */
export function createChildPool<Request, Answer>({
  work,
  start,
  isFresh = false,
  busy = () => new Error(`Too many jobs wait for the process that ${work}.`),
  closing,
  ...limits
}: PoolOptions) {
  const living = new Set<ChildProcess>()
  const resting: ChildProcess[] = []
  const running = new Set<Promise<Answer>>()
  const limit = createLimiter({ ...limits, atOnce: limits.childrenAtMost, refuse: busy })
  let closed = false

  /** Starts a process. Returns a `LostJob` if it was killed from outside, or late, as on a machine that was paused. */
  async function startChild(signal: AbortSignal | undefined): Promise<ChildProcess | LostJob> {
    const child = await start()
    // A broken channel emits an error here; the exit event reports the rest.
    child.on('error', () => {})
    if (child.pid === undefined) throw new Error(`The process that ${work} could not be started.`)
    const { pid } = child
    living.add(child)
    child.once('exit', () => {
      // Processes that it has started would live on.
      killGroup(pid)
      living.delete(child)
      const at = resting.indexOf(child)
      if (at >= 0) resting.splice(at, 1)
    })
    if (closed) await kill(child)
    const message = await nextMessage<'ready'>(child, work, startMs, signal)
    if (message === 'ready') return child
    if (closed) throw closing()
    if (message.reason !== 'ended') return message
    throw new Error(`The process that ${work} did not start.`, { cause: message })
  }

  async function tryTwice(request: Request, options: LimitedCall): Promise<Answer> {
    const first = await tryOnce(request, options, resting.pop())
    if (!isLostJob(first)) return first.answer
    const second = await tryOnce(request, options)
    if (!isLostJob(second)) return second.answer
    const lost = [first, second]
    throw lost.find(({ reason }) => reason === 'killed') ?? lost.find(({ reason }) => reason === 'late') ?? second
  }

  async function tryOnce(
    request: Request,
    options: LimitedCall,
    rested?: ChildProcess,
  ): Promise<JobAnswer<Answer> | LostJob> {
    if (closed) throw closing()
    options.signal?.throwIfAborted()
    const child = rested ?? (await startChild(options.signal))
    if (isLostJob(child)) return child
    hold(child, true)
    // If the message cannot be sent, the process exits.
    child.send({ request, cpuMsAtMost: limits.cpuMsAtMost } satisfies JobMessage<Request>, () => {})
    const message = await nextMessage<JobAnswer<Answer>>(child, work, limits.deadlineMs, options.signal)
    if (closed) throw closing()
    if (isLostJob(message)) return message
    if (isFresh) await kill(child)
    else {
      hold(child, false)
      resting.push(child)
    }
    return message
  }

  return {
    /**
     * Has a child process do a job, one at a time each; waiting jobs are served in order of arrival. If
     * the process ends or exceeds its limit of time, the job is done once more, in a new process: the system kills
     * processes when memory is short, and slows them when it is busy.
     * The abort of `signal` ends the job, and kills its process. Throws `LostJob` if the second process fails too, the reason
     * of `signal`, and the errors of the options.
     */
    async run(request: Request, options: LimitedCall = {}): Promise<Answer> {
      if (closed) throw closing()
      const job = limit(() => tryTwice(request, options), options)
      running.add(job)
      try {
        return await job
      } finally {
        running.delete(job)
      }
    },
    /** Kills the processes and waits for their end. */
    async close(): Promise<void> {
      closed = true
      const jobs = [...running]
      await Promise.all([...living].map(kill))
      await Promise.allSettled(jobs)
    },
  }
}

/** Only processes that have a job keep the program running. */
function hold(child: ChildProcess, isBusy: boolean): void {
  const method = isBusy ? 'ref' : 'unref'
  child[method]()
  child.channel?.[method]()
}

/**
 * Resolves with the child's next message, or the way that it ended: it is killed after `timeMs`.
 * Rejects with the reason of `signal` as soon as that is aborted, and kills the child.
 */
async function nextMessage<Message extends ChildMessage<unknown>>(
  child: ChildProcess,
  work: string,
  timeMs: number | undefined,
  signal: AbortSignal | undefined,
): Promise<Message | LostJob> {
  let timer: NodeJS.Timeout | undefined
  let stop = () => {}
  try {
    return await new Promise((resolve, reject) => {
      const onExit = () => {
        const { exitCode, signalCode } = child
        const reason = signalCode === 'SIGKILL' ? 'killed' : 'ended'
        resolve(new LostJob(reason, `The process that ${work} exited (${signalCode ?? `code ${exitCode}`}).`))
      }
      const onAbort = () => {
        void kill(child)
        reject(signal?.reason)
      }
      stop = () => {
        child.off('message', resolve).off('exit', onExit)
        signal?.removeEventListener('abort', onAbort)
      }
      child.once('message', resolve).once('exit', onExit)
      signal?.addEventListener('abort', onAbort)
      if (hasEnded(child)) onExit()
      if (signal?.aborted) onAbort()
      if (timeMs === undefined) return
      timer = setTimeout(() => {
        void kill(child)
        resolve(new LostJob('late', `The process that ${work} took too long.`))
      }, timeMs)
    })
  } finally {
    clearTimeout(timer)
    stop()
  }
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null
}

/** Kills a child, with its group if it leads one, and resolves after its end. */
async function kill(child: ChildProcess): Promise<void> {
  const { pid } = child
  if (pid === undefined || hasEnded(child)) return
  child.ref()
  await new Promise<void>((resolve) => {
    child.once('exit', () => resolve())
    killGroup(pid)
    child.kill('SIGKILL')
  })
}
