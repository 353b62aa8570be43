import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { SvcError } from '../../src/errors.js'
import type { AnimationInput, AvatarInput, DiaryInput } from '../../src/media/task-inputs.js'
import type { ObjectStore } from '../../src/ports/objects.js'
import {
  type Clip,
  type ClipRequest,
  type Picture,
  type PictureRequest,
  type PictureScene,
  type Provider,
  type ProviderCall,
  ProviderError,
  type WireOutcome,
} from '../../src/ports/provider.js'
import type { NewTask } from '../../src/ports/tasks.js'
import { createCallId, createId } from '../../src/runtime/ids.js'
import { createAnimationRunner, createAvatarRunner, createDiaryRunner } from '../../src/worker/runners.js'

export const poses = ['lying', 'sitting', 'walking', 'running'] as const
export const sourceKey = 'ai-gateway/sources/photo.jpg'

/** A task for the scripted provider. */
export function newAvatar(change: Partial<NewTask> = {}): NewTask {
  const createdAt = change.createdAt ?? new Date()
  const input: AvatarInput = { species: 'dog', locale: 'en-US', sourceKey }
  return {
    id: createId('avatar_'),
    kind: 'avatar',
    requestId: 'req_1',
    callId: createCallId(),
    keyId: 'key_1',
    owner: { userId: 'user-1', petId: 'pet-1', missing: [] },
    provider: 'scripted',
    model: 'scripted-image',
    parentId: null,
    input,
    units: poses,
    deadlineAt: new Date(createdAt.getTime() + 60_000),
    ...change,
    createdAt,
  }
}

export function newAnimation(parentId: string, change: Partial<NewTask> = {}): NewTask {
  const frames = Object.fromEntries(poses.map((pose) => [pose, sourceKey]))
  const input: AnimationInput = { species: 'dog', seconds: 2, sourceKey, frames, locale: 'en-US' }
  return newAvatar({ id: createId('anim_'), kind: 'animation', model: 'scripted-video', parentId, input, ...change })
}

export const scene: PictureScene = {
  id: 'beach_run',
  backdrop: { place: 'beach', season: 'summer', weather: 'sun', time_of_day: 'day', ground: 'sand', props: [] },
}

export function newDiary(change: Partial<NewTask> = {}): NewTask {
  const input: DiaryInput = {
    ...{ species: 'dog', sceneId: scene.id, pose: 'running', promptVersion: 'V4.3', diaryId: null },
    ...{ identityAssetId: null, referenceKeys: [sourceKey], locale: 'en-US' },
  }
  const picture = { species: 'dog', sceneId: scene.id, recipe: 'recipe' }
  return newAvatar({ id: createId('diary_'), kind: 'diary', input, units: [scene.id], picture, ...change })
}

/** A minimal object store in a folder. Holds the source photo. */
export function openFolderObjects(folder: string): ObjectStore {
  const toPath = (key: string) => join(folder, key)
  const objects: ObjectStore = {
    async put(key, bytes) {
      const draft = `${toPath(key)}.${process.pid}`
      try {
        mkdirSync(dirname(toPath(key)), { recursive: true })
        writeFileSync(draft, bytes)
        renameSync(draft, toPath(key))
      } catch (cause) {
        throw new SvcError('unavailable', 'The file cannot be stored right now.', { cause })
      }
    },
    list: () => {
      throw new Error('not used')
    },
    async get(key) {
      if (!existsSync(toPath(key))) throw new SvcError('not_found', 'There is no such object.')
      return readFileSync(toPath(key))
    },
    async findHead(key) {
      return existsSync(toPath(key))
        ? { sizeBytes: readFileSync(toPath(key)).length, contentType: 'image/jpeg' }
        : undefined
    },
    async delete(key) {
      rmSync(toPath(key), { force: true })
    },
    open: async () => undefined,
    signUrl: (key, base) => `${base}/${key}`,
  }
  if (!existsSync(toPath(sourceKey))) void objects.put(sourceKey, Buffer.from('photo'))
  return objects
}

/** The runners of a worker whose pictures and clips `provider` makes. */
export const createRunners = (objects: ObjectStore, provider: Provider) => ({
  avatar: createAvatarRunner({
    objects,
    provider,
    prompt: (_input, _pose, { hasCompanion }) => (hasCompanion ? 'a dog and its companion' : 'a dog'),
  }),
  animation: createAnimationRunner({ objects, provider, prompt: () => 'a dog that moves' }),
  diary: createDiaryRunner({ objects, provider, describe: async () => ({ prompt: 'a dog by the sea', scene }) }),
})

export type Step =
  /** Delivers the requested result, after `before`. */
  | { readonly deliver: 'all' | 'mp4' | 'nothing'; readonly before?: (call: ProviderCall) => Promise<void> }
  /** Fails after saving its order, as a provider that charges does, unless the service is `unasked`. */
  | {
      readonly wire: WireOutcome
      readonly retryable?: boolean
      readonly retryAfterMs?: number
      readonly code?: string
      readonly unasked?: true
    }
  | { readonly fault: unknown }
  /** Waits for the signal, then fails with this outcome. */
  | { readonly hang: WireOutcome | 'deaf' }

export interface ScriptedProvider extends Provider {
  /** The calls so far, by pose or scene. */
  readonly calls: Map<string, number>
  /** The last request. */
  asked?: PictureRequest
}

export const priceMicros = 40_000
export const purchase = { quantity: 1, costMicros: priceMicros }
const bytes = Buffer.from('image')

/** Creates a provider that follows the script of each pose, call by call, and delivers after its end. */
export function createScriptedProvider(script: Readonly<Record<string, readonly Step[]>> = {}): ScriptedProvider {
  const calls = new Map<string, number>()
  async function play(pose: string, call: ProviderCall): Promise<'all' | 'mp4' | 'nothing'> {
    const count = calls.get(pose) ?? 0
    calls.set(pose, count + 1)
    const step = script[pose]?.[count] ?? { deliver: 'all' }
    if ('deliver' in step) {
      await step.before?.(call)
      return step.deliver
    }
    if ('fault' in step) throw step.fault
    if ('hang' in step) {
      await new Promise((resolve) => {
        if (step.hang !== 'deaf') call.signal.addEventListener('abort', resolve)
      })
      throw toError(step.hang === 'deaf' ? 'ambiguous' : step.hang, true)
    }
    if (!step.unasked) {
      await call.saveMemo({ sent: true }, { purchase, isOrdered: step.wire === 'ordered' })
      if (step.wire !== 'ambiguous' && step.wire !== 'ordered') await call.saveMemo(null)
    }
    throw toError(step.wire, step.retryable ?? true, step.retryAfterMs ?? 1, step.code)
  }
  const provider: ScriptedProvider = {
    calls,
    label: 'scripted',
    imageModel: 'scripted-image',
    videoModel: 'scripted-video',
    slots: 4,
    async generatePicture(request: PictureRequest, call): Promise<Picture> {
      provider.asked = request
      await play(request.subject.scene?.id ?? request.subject.pose, call)
      return { image: { bytes, contentType: 'image/png' }, purchase }
    },
    async generateClip({ subject }: ClipRequest, call): Promise<Clip> {
      const what = await play(subject.pose, call)
      return {
        mp4: what === 'nothing' ? null : bytes,
        webp: what === 'all' ? bytes : null,
        durationSeconds: 2,
        purchase,
      }
    },
    close: async () => {},
  }
  return provider
}

function toError(wire: WireOutcome, retryable: boolean, retryAfterMs?: number, code = 'provider_error'): ProviderError {
  const message = `The model service failed: ${wire}.`
  return new ProviderError(code, message, {
    wire,
    retryable,
    purchase,
    ...(retryAfterMs !== undefined && { retryAfterMs }),
    cause: new Error('upstream message'),
  })
}
