import type { ChildProcess } from 'node:child_process'
import { webcrypto } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { setTimeout as wait } from 'node:timers/promises'
import type { Look, Species } from '../../../artist/look.js'
import {
  type ClipRequest,
  isProviderError,
  type PictureRequest,
  type Provider,
  type ProviderCall,
  ProviderError,
} from '../../../ports/provider.js'
import { untilAborted } from '../../../runtime/abort.js'
import { createChildPool } from '../../../runtime/child-pool.js'
import { startChild } from '../../../runtime/entry.js'
import type { DrawingAnswer, DrawingRequest, Drawings } from './child.js'

export interface StubSettings {
  /** Delay of each picture or clip in addition to its drawing. */
  readonly delayMs: number
  /** Poses and scene IDs that fail; `all` fails everything. */
  readonly fail: readonly string[]
  /** The pictures that show the photo in a corner: those and the clips of the poses, by default. */
  readonly badge?: 'poses' | 'all' | 'none'
  /** Starts a drawing process. */
  readonly start?: typeof startDrawer
}

const nothingBought = { quantity: 1, costMicros: 0 }

/**
 * Creates the provider that needs no network and costs nothing: it draws the pet of the photo in its own processes,
 * always the same for the same photo. The last reference is the photo; a clip takes 2 s regardless of the requested
 * length.
 */
export function createStubProvider({ delayMs, fail, badge = 'poses', start = startDrawer }: StubSettings): Provider {
  const processes = Math.max(2, availableParallelism())
  const pool = createDrawingPool(processes, start)
  const findLook = createLooks((photo, species) => pool.run({ kind: 'look', input: { photo, species } }))

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
    const look = await untilAborted(findLook(photo, subject.species), signal)
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
      const bytes = await pool.run({ kind: 'picture', input: { look, pose, backdrop: scene?.backdrop } }, call)
      return { image: { bytes, contentType: 'image/png' }, purchase: nothingBought }
    },
    async generateClip(request, call) {
      const look = await prepare(request, call)
      const clip = await pool.run({ kind: 'clip', input: { look, pose: request.subject.pose } }, call)
      return { ...clip, purchase: nothingBought }
    },
    close: () => pool.close(),
  }
}

/**
 * Creates a pool of `size` processes for pictures, and as many for clips: a caller may wait for a picture, which takes a tenth of
 * the time. Drawing does not block the server's other requests, and its memory is not the server's: glibc would keep up to a
 * gigabyte of it in the arenas of threads.
 */
export function createDrawingPool(size: number, start: typeof startDrawer) {
  const createPool = (niceness: number) =>
    createChildPool<DrawingRequest, DrawingAnswer>({
      work: 'draws for the stub provider',
      start: () => start(niceness),
      childrenAtMost: size,
      closing: () => lost('The stub provider was closed before it had drawn this. Try again.'),
    })
  // Calls, and the photos that they bring, come first, then pictures, then clips.
  const [pictures, clips] = [createPool(5), createPool(13)]
  return {
    /**
     * Resolves with the drawing. Throws the reason of the signal at once when it is aborted; ProviderError for a request
     * that cannot be drawn and, as retryable, if two processes ended or the pool was closed.
     */
    async run<Kind extends keyof Drawings>(
      request: Extract<DrawingRequest, { kind: Kind }>,
      call?: Pick<ProviderCall, 'signal'>,
    ): Promise<Drawings[Kind]['output']> {
      const pool = request.kind === 'clip' ? clips : pictures
      const answer = await pool.run(request, { signal: call?.signal }).catch((cause: unknown) => {
        if (call?.signal.aborted || isProviderError(cause)) throw cause
        throw lost('The processes that drew for the stub provider ended. Try again.', cause)
      })
      if ('refusal' in answer) throw refuse(answer.refusal, answer.cause)
      // The output has the kind of the request.
      return answer.output as Drawings[Kind]['output']
    },
    close: async () => void (await Promise.all([pictures.close(), clips.close()])),
  }
}

function lost(message: string, cause?: unknown): ProviderError {
  return new ProviderError('provider_error', message, { wire: 'not_sent', retryable: true, cause })
}

/** A request that can never be drawn. */
function refuse(message: string, cause?: unknown): ProviderError {
  return new ProviderError('provider_error', message, { wire: 'refused', retryable: false, cause })
}

/** One look takes about 10 kB. */
const looksKept = 16

type FindLook = (photo: Uint8Array, species: Species) => Promise<Look>

/**
 * Caches the looks of pets by photo and species. Reads every look once, even if it is requested again before it is ready: the poses
 * of a pet arrive together. The error of `read` is not cached.
 */
export function createLooks(read: FindLook): FindLook {
  const looks = new Map<string, Promise<Look>>()
  return async (photo, species) => {
    // Unlike `createHash`, this does not block the main thread.
    const digest = await webcrypto.subtle.digest('SHA-256', photo)
    const key = `${species} ${Buffer.from(digest).toString('base64')}`
    const known = looks.get(key)
    if (known !== undefined) return known
    const look = read(photo, species)
    const [oldest] = looks.keys()
    if (oldest !== undefined && looks.size >= looksKept) looks.delete(oldest)
    looks.set(key, look)
    look.catch(() => {
      if (looks.get(key) === look) looks.delete(key)
    })
    return look
  }
}

export function startDrawer(niceness: number): Promise<ChildProcess> {
  // A process draws one picture or clip at a time: more than one arena only keeps memory.
  return startChild('adapters/providers/stub/child', { MALLOC_ARENA_MAX: '1' }, { memoryMiB: 1024, niceness })
}
