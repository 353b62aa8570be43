import type { ChildProcess } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { setTimeout as wait } from 'node:timers/promises'
import type { Look } from '../../../artist/look.js'
import { clipSeconds } from '../../../artist/protocol.js'
import type { ClipRequest, PictureRequest, Provider, ProviderCall } from '../../../ports/provider.js'
import { untilAborted } from '../../../runtime/abort.js'
import { startChild } from '../../../runtime/entry.js'
import { createLooks } from './looks.js'
import { createPool, refuse } from './pool.js'

export interface StubSettings {
  /** Delay of each picture or clip in addition to its drawing. */
  readonly delayMs: number
  /** Poses and scene IDs that fail; `all` fails everything. */
  readonly fail: readonly string[]
  /** The pictures that show the photo in a corner: those and the clips of the poses, by default. */
  readonly badge?: 'poses' | 'all' | 'none'
  /** Starts a drawing process. */
  readonly start?: () => Promise<ChildProcess>
}

const nothingBought = { quantity: 1, costMicros: 0 }

/**
 * Creates the provider that needs no network and costs nothing: it draws the pet of the photo in its own processes,
 * always the same for the same photo. The last reference is the photo; a clip takes 2 s regardless of the requested
 * length.
 */
export function createStubProvider({ delayMs, fail, badge = 'poses', start = startDrawer }: StubSettings): Provider {
  const processes = Math.max(2, availableParallelism())
  const pool = createPool(processes, start)
  const looks = createLooks((photo, species) => pool.run({ kind: 'look', input: { photo, species } }))

  async function prepare(request: PictureRequest | ClipRequest, { signal }: ProviderCall): Promise<Look> {
    const { subject, references } = request
    signal.throwIfAborted()
    // An aborted wait throws its own error; the caller gets the reason of its signal.
    if (delayMs > 0) await wait(delayMs, undefined, { signal }).catch(() => signal.throwIfAborted())
    const scene = 'scene' in subject ? subject.scene : undefined
    if (fail.some((name) => name === 'all' || name === subject.pose || name === scene?.id)) {
      throw refuse(`The stub provider is configured to fail this ${scene ? 'scene' : 'pose'} (SVC_STUB_FAIL).`)
    }
    const photo = references.at(-1)?.bytes
    if (photo === undefined) throw refuse('The stub provider needs the photo of the pet as the last reference.')
    const look = await untilAborted(looks.find(photo, subject.species), signal)
    return badge === 'all' || (badge === 'poses' && !scene) ? look : { ...look, medallion: '' }
  }

  return {
    label: 'stub',
    imageModel: 'stub-avatar-1',
    videoModel: 'stub-animation-1',
    // More slots than processes, because some units read a photo or store a result meanwhile.
    slots: processes * 4,
    isLocal: true,
    async generatePicture(request, call) {
      const { pose, scene } = request.subject
      const look = await prepare(request, call)
      call.onProgress(0.5)
      const bytes = await pool.run({ kind: 'picture', input: { look, pose, backdrop: scene?.backdrop } }, call)
      return { image: { bytes, contentType: 'image/png' }, purchase: nothingBought }
    },
    async generateClip(request, call) {
      const look = await prepare(request, call)
      const files = await pool.run({ kind: 'clip', input: { look, pose: request.subject.pose } }, call)
      return { ...files, durationSeconds: clipSeconds, purchase: nothingBought }
    },
    close: () => pool.close(),
  }
}

export function startDrawer(): Promise<ChildProcess> {
  // A process draws one picture or clip at a time: more than one arena only keeps memory.
  return startChild('adapters/providers/stub/child', { MALLOC_ARENA_MAX: '1' }, { memoryMiB: 1024 })
}
