import { availableParallelism } from 'node:os'
import { setTimeout as wait } from 'node:timers/promises'
import type { Worker } from 'node:worker_threads'
import { startWorker } from '../../../entry.js'
import type { ClipRequest, PictureRequest, Provider, ProviderCall } from '../../../ports/provider.js'
import { clipSeconds, type Drawing, type DrawingFiles } from './order.js'
import { createPool, refuse } from './pool.js'

export interface StubSettings {
  /** How long each picture or clip takes beyond its drawing. */
  readonly delayMs: number
  /** Poses that fail; `all` fails everything. */
  readonly fail: readonly string[]
  /** Starts a thread that draws. */
  readonly startThread?: () => Worker
}

const nothingBought = { quantity: 1, costMicros: 0 }

/**
 * The provider that needs no network and costs nothing: it draws the pet of the photo, always alike for the same photo,
 * in threads of its own. The first reference is the photo; a clip takes 2 s, whatever was asked for.
 */
export function createStubProvider({ delayMs, fail, startThread = startDrawingThread }: StubSettings): Provider {
  // Two even on one core: while one thread waits for libvips, the other has work for it.
  const slots = Math.max(2, availableParallelism())
  const pool = createPool(slots, startThread)

  async function draw(
    kind: Drawing['kind'],
    { subject, references }: PictureRequest | ClipRequest,
    { signal, onProgress }: ProviderCall,
  ): Promise<DrawingFiles> {
    signal.throwIfAborted()
    // An aborted wait throws an error of its own; the caller gets the reason that it gave.
    if (delayMs > 0) await wait(delayMs, undefined, { signal }).catch(() => signal.throwIfAborted())
    if (fail.includes('all') || fail.includes(subject.pose)) {
      throw refuse('The stub provider was told to fail this pose (SVC_STUB_FAIL).')
    }
    const photo = references[0]?.bytes
    if (photo === undefined) throw refuse('The stub provider needs the photo of the pet as the first reference.')
    // As sharp asks: loaded by threads alone, its libraries would leave memory with the first of them that ends.
    await import('sharp')
    return pool.draw({ kind, species: subject.species, pose: subject.pose, photo }, signal, onProgress)
  }

  return {
    label: 'stub',
    imageModel: 'stub-avatar-1',
    videoModel: 'stub-animation-1',
    slots,
    async generatePicture(request, call) {
      const { png } = await draw('picture', request, call)
      if (png === undefined) throw new Error('the thread drew no picture')
      return { image: { bytes: png, contentType: 'image/png' }, purchase: nothingBought }
    },
    async generateClip(request, call) {
      const { mp4 = null, webp = null } = await draw('clip', request, call)
      return { mp4, webp, durationSeconds: clipSeconds, purchase: nothingBought }
    },
    close: () => pool.close(),
  }
}

function startDrawingThread(): Worker {
  return startWorker('adapters/provider/stub/thread')
}
