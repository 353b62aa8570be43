import type { ChildProcess } from 'node:child_process'
import { SvcError } from '../../errors.js'
import { BrokenClip, type ToLoop, UnloopedClip } from '../../ports/clip-loops.js'
import { createChildPool, isLostJob } from '../../runtime/child-pool.js'
import { type ChildLimits, startChild } from '../../runtime/entry.js'
import type { LoopAnswer, LoopRequest } from './make-loop.js'

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
 * interrupted. Throws `unavailable` if two processes of a clip fail and one of them, or its decoder, was killed from outside.
 */
export function createClipLooper({
  ffmpeg,
  deadlineMs = 30_000,
  start = startLoopProcess,
}: ClipLooperOptions): ClipLooper {
  const pool = createChildPool<LoopRequest, LoopAnswer>({
    work: 'decodes clips',
    start,
    isFresh: true,
    childrenAtMost: 2,
    deadlineMs,
    waitingAtMost: 1000,
    waitingBytesAtMost: 512 << 20,
    waitMs: 5 * 60_000,
    // Not `unavailable`: a clip that has waited this long is delivered without its loop.
    busy: () => new Error('Too many clips are being converted.'),
    closing: () => new SvcError('unavailable', 'The service is stopping.'),
  })
  return {
    async toLoop(mp4, signal, still) {
      const request = { mp4, ffmpeg, aspect: still?.aspect }
      const answer = await pool.run(request, { signal, sizeBytes: mp4.byteLength }).catch((error: unknown) => {
        const isKilled = isLostJob(error) && error.reason === 'killed'
        throw isKilled ? new SvcError('unavailable', error.message) : error
      })
      if (!('failure' in answer)) return answer
      if (answer.mp4) throw new UnloopedClip(answer.failure, answer.mp4)
      throw answer.reason === 'broken' ? new BrokenClip(answer.failure) : new Error(answer.failure)
    },
    close: () => pool.close(),
  }
}

/** The limits hold for the process and for its ffmpeg, each. */
export function startLoopProcess(limits: ChildLimits = { memoryMiB: 1536, cpuSeconds: 30 }): Promise<ChildProcess> {
  const environment = { MALLOC_ARENA_MAX: '2' }
  // Decoders print messages for every broken frame.
  return startChild('adapters/clips/child', environment, { ...limits, leadsGroup: true, isQuiet: true })
}
