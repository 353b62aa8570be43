import type { ChildProcess } from 'node:child_process'
import { SvcError } from '../../errors.js'
import type { Photo, PhotoReader } from '../../ports/photos.js'
import { createChildPool, isLostJob, type PoolLimits } from '../../runtime/child-pool.js'
import { startChild } from '../../runtime/entry.js'
import { formatSize } from '../../text/words.js'
import type { ReadAnswer, ReadRequest } from './child.js'
import { sniffKind } from './kind.js'

export interface PhotoReaderOptions extends Partial<PoolLimits> {
  /** Minimum length of the shorter side, in pixels. */
  readonly minSide: number
  readonly maxBytes: number
  /** Starts a process that reads photos. */
  readonly start?: () => Promise<ChildProcess>
}

const late = 'The machine is too busy to read the photo. Send it again in a few seconds.'
/** A dozen of the largest photos by default. */
const waitingBytesAtLeast = 128 * 1024 * 1024

/**
 * Reads photos in at most two child processes: decoders are large, read untrusted files and cannot be interrupted.
 * Throws `invalid_request` for an unacceptable photo, `unavailable` if too many photos wait, one waits too long, or the
 * processes that read it are killed or too late.
 * Source: gateway contract, 4.3.
 */
export function createPhotoReader({ minSide, maxBytes, start, ...limits }: PhotoReaderOptions): PhotoReader {
  const processes = createProcesses(start, {
    waitingAtMost: 5000,
    waitingBytesAtMost: Math.max(waitingBytesAtLeast, 2 * maxBytes),
    waitMs: 30_000,
    ...limits,
  })
  return {
    async readPhoto(bytes, field) {
      const refuse = (rest: string) => new SvcError('invalid_request', `\`${field}\` ${rest}`)
      if (bytes.byteLength > maxBytes) {
        const sizes = `has ${formatSize(bytes.byteLength)}; at most ${formatSize(maxBytes)} are accepted`
        throw refuse(`${sizes}. Send a smaller picture.`)
      }
      const sniffed = sniffKind(bytes)
      if ('refusal' in sniffed) throw refuse(sniffed.refusal)
      const answer = await processes.read({ bytes, kind: sniffed.kind, minSide, source: 'caller' })
      // Usually, but not certainly, both processes ended because of the file.
      if (answer === 'ended') throw refuse('cannot be read. Save it again as an ordinary JPEG or PNG.')
      if (answer === 'late') throw new SvcError('unavailable', late)
      if ('refusal' in answer) throw refuse(answer.refusal)
      return answer
    },
    close: () => processes.close(),
  }
}

/** Decodes every pixel of pictures in child processes, as for photos. */
export function createPictureChecker({ start, ...limits }: Pick<PhotoReaderOptions, 'start' | 'deadlineMs'> = {}) {
  const processes = createProcesses(start, {
    waitingAtMost: 100,
    waitingBytesAtMost: 512 << 20,
    waitMs: 10_000,
    ...limits,
  })
  return {
    /**
     * Returns the defect of a model's picture as the rest of a sentence; undefined without a defect, or if two processes
     * failed, because the picture is paid. Throws `unavailable` if one of the two was killed from outside, if it would have
     * to wait for long, and on closing.
     */
    async check(bytes: Uint8Array): Promise<string | undefined> {
      const sniffed = sniffKind(bytes)
      if ('refusal' in sniffed) return shorten(sniffed.refusal)
      const answer = await processes.read({ bytes, kind: sniffed.kind, minSide: 1, source: 'model' })
      return typeof answer === 'object' && 'refusal' in answer ? shorten(answer.refusal) : undefined
    },
    /** Returns the picture as a JPEG for a frame of a clip; undefined if it cannot be read. Throws `unavailable` as `check` does. */
    async toFrame(bytes: Uint8Array): Promise<Photo | undefined> {
      const sniffed = sniffKind(bytes)
      if ('refusal' in sniffed) return undefined
      const request = { bytes, kind: sniffed.kind, minSide: 1, source: 'model', keptSide: frameSide } as const
      const answer = await processes.read(request)
      return typeof answer === 'object' && 'jpeg' in answer ? answer : undefined
    },
    close: () => processes.close(),
  }
}

/** The longer side of a frame: clips have 720 or 1080 lines, and a larger picture only makes the request larger. */
const frameSide = 1280

/** Removes the advice to the sender of a photo. */
const shorten = (refusal: string) => refusal.replace(/\. .*$/s, '')

const killed =
  'The system killed the process that reads photos, usually because memory is short. Send the photo again in a few seconds.'

function createProcesses(start = startReader, limits: Partial<PoolLimits>) {
  const pool = createChildPool<ReadRequest, ReadAnswer>({
    work: 'reads photos',
    start,
    childrenAtMost: 2,
    // 40 million pixels take up to 2 s.
    cpuMsAtMost: 5000,
    deadlineMs: 10_000,
    busy: () => new SvcError('unavailable', 'Too many photos are being read. Try again in a few seconds.'),
    closing: () => new SvcError('unavailable', 'The service is stopping. Try again in a moment.'),
    ...limits,
  })
  return {
    /** Returns the response, or the way in which two processes failed. Throws `unavailable` if one was killed from outside. */
    async read(request: ReadRequest): Promise<ReadAnswer | 'late' | 'ended'> {
      try {
        return await pool.run(request, { sizeBytes: request.bytes.byteLength })
      } catch (error) {
        if (!isLostJob(error)) throw error
        if (error.reason === 'killed') throw new SvcError('unavailable', killed)
        return error.reason
      }
    },
    close: () => pool.close(),
  }
}

export function startReader(): Promise<ChildProcess> {
  // A child reads one photo at a time: more than one arena only keeps memory (210 MB instead of 133 MB for 12
  // megapixels). Pictures of 40 million pixels take up to 510 MiB: interlaced, 16 bits per channel.
  return startChild('adapters/photos/child', { MALLOC_ARENA_MAX: '1' }, { memoryMiB: 768, cpuSeconds: 600 })
}
