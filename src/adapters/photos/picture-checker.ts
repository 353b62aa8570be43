import type { Photo } from '../../ports/photos.js'
import { createChildren } from './children.js'
import { sniffKind } from './kind.js'
import { startReader } from './photo-reader.js'

export interface PictureChecker {
  /**
   * Returns the defect of a model's picture as the rest of a sentence; undefined without a defect, or if two processes
   * failed, because the picture is paid. Throws `unavailable` if one of the two was killed from outside, if it would have
   * to wait for long, and on closing.
   */
  check(bytes: Uint8Array): Promise<string | undefined>
  /** Returns the picture as a JPEG for a frame of a clip; undefined if it cannot be read. Throws `unavailable` as `check` does. */
  toFrame(bytes: Uint8Array): Promise<Photo | undefined>
  close(): Promise<void>
}

export interface PictureCheckerOptions {
  readonly start?: typeof startReader
  /** Limit for one picture. */
  readonly deadlineMs?: number
}

/** Decodes every pixel of pictures in child processes, as for photos. */
export function createPictureChecker({
  start = startReader,
  deadlineMs = 10_000,
}: PictureCheckerOptions = {}): PictureChecker {
  const children = createChildren(start, {
    childrenAtMost: 2,
    cpuMsAtMost: 5000,
    deadlineMs,
    startMs: 20_000,
    waitingAtMost: 100,
    waitingBytesAtMost: 512 << 20,
    waitMs: 10_000,
  })
  return {
    async check(bytes) {
      const sniffed = sniffKind(bytes)
      if ('refusal' in sniffed) return shorten(sniffed.refusal)
      const answer = await children.read({ bytes, kind: sniffed.kind, minSide: 1, source: 'model' })
      return 'refusal' in answer && answer.lost === undefined ? shorten(answer.refusal) : undefined
    },
    async toFrame(bytes) {
      const sniffed = sniffKind(bytes)
      if ('refusal' in sniffed) return undefined
      const request = { bytes, kind: sniffed.kind, minSide: 1, source: 'model', keptSide: frameSide } as const
      const answer = await children.read(request)
      return 'refusal' in answer ? undefined : answer
    },
    close: () => children.close(),
  }
}

/** The longer side of a frame: clips have 720 or 1080 lines, and a larger picture only makes the request larger. */
const frameSide = 1280

/** Removes the advice to the sender of a photo. */
const shorten = (refusal: string) => refusal.replace(/\. .*$/s, '')
