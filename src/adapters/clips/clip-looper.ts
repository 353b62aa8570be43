import type { ChildProcess } from 'node:child_process'
import { SvcError } from '../../errors.js'
import { BrokenClip, type ToLoop, UnloopedClip } from '../../ports/clip-loops.js'
import { type ChildLimits, startChild } from '../../runtime/entry.js'
import { createLimiter } from '../limiter.js'
import { killGroup } from './kill-group.js'
import type { LoopAnswer, LoopFailure, LoopRequest, LostLoop } from './protocol.js'

export interface ClipLooperOptions {
  /** The absolute path of ffmpeg. Without it, clips are only checked. */
  readonly ffmpeg: string | undefined
  /** Limit for one clip; its process is killed after it. */
  readonly deadlineMs?: number
  /** Starts a process that makes a loop. */
  readonly start?: () => Promise<ChildProcess>
}

export interface ClipLooper {
  readonly toLoop: ToLoop
  /** Kills the processes and waits for their end. */
  close(): Promise<void>
}

/**
 * Makes loops in child processes, at most two at a time: a decoder is large, reads untrusted files and cannot be
 * interrupted. If the process of a clip ends, or its decoder is killed, the clip gets another process. Throws `unavailable`
 * if both fail so and one was killed from outside.
 */
export function createClipLooper({
  ffmpeg,
  deadlineMs = 30_000,
  start = startLoopProcess,
}: ClipLooperOptions): ClipLooper {
  const jobs = new Map<AbortController, Promise<unknown>>()
  let closed = false
  const turns = createLimiter({
    atOnce: 2,
    waitingAtMost: 1000,
    waitingBytesAtMost: 512 << 20,
    waitMs: 5 * 60_000,
    // Not `unavailable`: a clip that has waited this long is delivered without its loop.
    refuse: () => new Error('Too many clips are being converted.'),
  })

  async function run(request: LoopRequest, signal: AbortSignal): Promise<LoopAnswer> {
    const first = await runOnce(request, signal)
    if (!isLost(first)) return first
    // The clip may not be the cause: the system kills processes when memory is short.
    const second = await runOnce(request, signal)
    return isLost(second) && first.reason === 'killed' ? first : second
  }

  async function runOnce(request: LoopRequest, signal: AbortSignal): Promise<LoopAnswer> {
    signal.throwIfAborted()
    const child = await start()
    try {
      return await ask(child, request, deadlineMs, signal)
    } finally {
      kill(child)
    }
  }

  return {
    async toLoop(mp4, signal, still) {
      const job = new AbortController()
      const onAbort = () => job.abort(signal.reason)
      if (signal.aborted || closed) job.abort(signal.aborted ? signal.reason : closing())
      signal.addEventListener('abort', onAbort)
      const turn = turns.run(mp4.byteLength, () => run({ mp4, ffmpeg, aspect: still?.aspect }, job.signal), job.signal)
      jobs.set(job, turn)
      try {
        const answer = await turn
        if (!('failure' in answer)) return answer
        if ('mp4' in answer && answer.mp4) throw new UnloopedClip(answer.failure, answer.mp4)
        throw errors[answer.reason](answer.failure)
      } finally {
        jobs.delete(job)
        signal.removeEventListener('abort', onAbort)
      }
    },
    async close() {
      closed = true
      const running = [...jobs.values()]
      for (const job of jobs.keys()) job.abort(closing())
      await Promise.allSettled(running)
    },
  }
}

function closing(): SvcError {
  return new SvcError('unavailable', 'The service is stopping.')
}

const errors: Readonly<Record<LoopFailure, (failure: string) => Error>> = {
  broken: (failure) => new BrokenClip(failure),
  unsupported: (failure) => new Error(failure),
  killed: (failure) => new SvcError('unavailable', failure),
  ended: (failure) => new Error(failure),
}

function isLost(answer: LoopAnswer): answer is LostLoop {
  return 'reason' in answer && (answer.reason === 'killed' || answer.reason === 'ended')
}

/**
 * Resolves with the answer of the process, or the failure that it exited first. Throws if it cannot be started or takes too
 * long, and the reason of `signal`.
 */
async function ask(
  child: ChildProcess,
  request: LoopRequest,
  deadlineMs: number,
  signal: AbortSignal,
): Promise<LoopAnswer> {
  let timer: NodeJS.Timeout | undefined
  let onAbort = () => {}
  try {
    return await new Promise<LoopAnswer>((resolve, reject) => {
      onAbort = () => reject(signal.reason)
      if (signal.aborted) onAbort()
      signal.addEventListener('abort', onAbort, { once: true })
      timer = setTimeout(() => reject(new Error('Decoding the clip takes too long.')), deadlineMs)
      // A broken channel emits an error, too; the exit event reports the rest.
      child.on('error', (error) => child.pid === undefined && reject(error))
      child.once('exit', (code, killedBy) => {
        const failure = `The process that decodes the clip exited (${killedBy ?? `code ${code}`}).`
        resolve({ failure, reason: killedBy === 'SIGKILL' ? 'killed' : 'ended' })
      })
      // The first message reports that it is ready.
      child.once('message', () => {
        child.once('message', (answer: LoopAnswer) => resolve(answer))
        // If the message cannot be sent, the process exits.
        child.send(request, () => {})
      })
    })
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', onAbort)
  }
}

function kill({ pid }: ChildProcess): void {
  if (pid !== undefined) killGroup(pid)
}

/** The limits hold for the process and for its ffmpeg, each. */
export function startLoopProcess(limits: ChildLimits = { memoryMiB: 1536, cpuSeconds: 30 }): Promise<ChildProcess> {
  const environment = { MALLOC_ARENA_MAX: '2' }
  // Decoders print messages for every broken frame.
  return startChild('adapters/clips/child', environment, { ...limits, leadsGroup: true, isQuiet: true })
}
