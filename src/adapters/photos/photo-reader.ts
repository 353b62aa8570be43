import type { ChildProcess } from 'node:child_process'
import { SvcError } from '../../errors.js'
import type { PhotoReader } from '../../ports/photos.js'
import { startChild } from '../../runtime/entry.js'
import { formatSize } from '../../text/size.js'
import { type ChildrenLimits, createChildren } from './children.js'
import { sniffKind } from './kind.js'

export interface PhotoReaderOptions extends Partial<ChildrenLimits> {
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
export function createPhotoReader({
  minSide,
  maxBytes,
  start = startReader,
  ...limits
}: PhotoReaderOptions): PhotoReader {
  const children = createChildren(start, {
    childrenAtMost: 2,
    cpuMsAtMost: 5000,
    deadlineMs: 10_000,
    startMs: 20_000,
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
      const answer = await children.read({ bytes, kind: sniffed.kind, minSide, source: 'caller' })
      if (!('refusal' in answer)) return answer
      throw answer.lost === 'late' ? new SvcError('unavailable', late) : refuse(answer.refusal)
    },
    close: () => children.close(),
  }
}

export function startReader(): Promise<ChildProcess> {
  // A child reads one photo at a time: more than one arena only keeps memory (210 MB instead of 133 MB for 12
  // megapixels). Pictures of 40 million pixels take up to 510 MiB: interlaced, 16 bits per channel.
  return startChild('adapters/photos/child', { MALLOC_ARENA_MAX: '1' }, { memoryMiB: 768, cpuSeconds: 600 })
}
