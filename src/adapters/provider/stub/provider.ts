import { availableParallelism } from 'node:os'
import { setTimeout as wait } from 'node:timers/promises'
import type { Worker } from 'node:worker_threads'
import { untilAborted } from '../../../abort.js'
import { startWorker } from '../../../entry.js'
import type { ClipRequest, PictureRequest, Provider, ProviderCall } from '../../../ports/provider.js'
import type { Look } from './look.js'
import { createLooks } from './looks.js'
import { clipSeconds } from './order.js'
import { createPool, refuse } from './pool.js'

export interface StubSettings {
  /** How long each picture or clip takes beyond its drawing. */
  readonly delayMs: number
  /** Poses and scene IDs that fail; `all` fails everything. */
  readonly fail: readonly string[]
  /** Starts a thread that draws. */
  readonly startThread?: () => Worker
}

const nothingBought = { quantity: 1, costMicros: 0 }

/**
 * The provider that needs no network and costs nothing: it draws the pet of the photo, always alike for the same photo,
 * in threads of its own. The last reference is the photo; a clip takes 2 s, whatever was asked for.
 */
export function createStubProvider({ delayMs, fail, startThread = startDrawingThread }: StubSettings): Provider {
  const threads = Math.max(2, availableParallelism())
  const pool = createPool(threads, startThread)
  const looks = createLooks((photo, species) => pool.run({ kind: 'look', asked: { photo, species } }))

  async function prepare(request: PictureRequest | ClipRequest, { signal }: ProviderCall): Promise<Look> {
    const { subject, references } = request
    signal.throwIfAborted()
    // An aborted wait throws an error of its own; the caller gets the reason that it gave.
    if (delayMs > 0) await wait(delayMs, undefined, { signal }).catch(() => signal.throwIfAborted())
    const scene = 'scene' in subject ? subject.scene : undefined
    if (fail.some((name) => name === 'all' || name === subject.pose || name === scene?.id)) {
      throw refuse(`The stub provider was told to fail this ${scene ? 'scene' : 'pose'} (SVC_STUB_FAIL).`)
    }
    const photo = references.at(-1)?.bytes
    if (photo === undefined) throw refuse('The stub provider needs the photo of the pet as the last reference.')
    // As sharp asks: loaded by threads alone, its libraries would leave memory with the first of them that ends.
    await import('sharp')
    return untilAborted(looks.find(photo, subject.species), signal)
  }

  return {
    label: 'stub',
    imageModel: 'stub-avatar-1',
    videoModel: 'stub-animation-1',
    // While a photo is looked at before its poses are drawn, and others are stored, the threads have more to work on.
    slots: threads * 4,
    async generatePicture(request, call) {
      const { pose, scene } = request.subject
      const look = await prepare(request, call)
      call.onProgress(0.5)
      const bytes = await pool.run({ kind: 'picture', asked: { look, pose, backdrop: scene?.backdrop } }, call)
      return { image: { bytes, contentType: 'image/png' }, purchase: nothingBought }
    },
    async generateClip(request, call) {
      const look = await prepare(request, call)
      const files = await pool.run({ kind: 'clip', asked: { look, pose: request.subject.pose } }, call)
      return { ...files, durationSeconds: clipSeconds, purchase: nothingBought }
    },
    close: () => pool.close(),
  }
}

function startDrawingThread(): Worker {
  return startWorker('adapters/provider/stub/thread')
}
