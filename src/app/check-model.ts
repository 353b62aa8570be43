import { randomUUID } from 'node:crypto'
import { limitTime } from '../abort.js'
import { readSamplePhoto } from '../adapters/photos/sample.js'
import { findPackage } from '../adapters/provider/ai-sdk/packages.js'
import { estimateMicros } from '../adapters/provider/ai-sdk/plan.js'
import { vendors } from '../adapters/provider/ai-sdk/vendors/index.js'
import { readPrompts } from '../catalog.js'
import { type ConfiguredModel, isKeyMissing } from '../config/models.js'
import type { Config } from '../config.js'
import { createDataDir } from '../data-dir.js'
import { isSvcError } from '../errors.js'
import { clipSeconds } from '../media/animation.js'
import { renderAnimationPrompt, renderAvatarPrompt } from '../media/prompts.js'
import { installCommand, type ModelSettings, type ProviderName, providers } from '../ports/models.js'
import { type Begun, isProviderError, type ProviderCall, type Purchase } from '../ports/provider.js'
import { openPictureCheck } from './picture-check.js'

/** One thing that a model needs, whether it is there, and in words what is there or what to do. */
export interface Check {
  readonly check: 'package' | 'key' | 'reachable' | 'live'
  readonly ok: boolean
  readonly detail: string
}

const reachMs = 5000
const liveMs = 600_000

/** What a model needs that can be seen from here: its package and its key. */
export function checkSetup(model: ConfiguredModel): Check[] {
  const { provider, alias } = model.settings
  const isMissing = isKeyMissing(model)
  const key = model.variable === undefined ? 'needs none' : `${model.variable} ${isMissing ? 'is not set' : 'is set'}`
  return [checkPackage(provider, alias), { check: 'key', ok: !isMissing, detail: key }]
}

/** Whether the package of a provider is installed. */
export function checkPackage(provider: ProviderName, alias = provider as string): Check {
  const { packageName } = providers[provider]
  try {
    findPackage(providers[provider], alias)
    return { check: 'package', ok: true, detail: `${packageName} is installed` }
  } catch (error) {
    if (!isSvcError(error)) throw error
    return { check: 'package', ok: false, detail: installCommand(providers[provider]) }
  }
}

/** Whether anything answers where the model is to be reached; what it answers does not matter. Sends no key. */
export async function checkReachable({ provider, baseUrl }: ModelSettings): Promise<Check> {
  const url = baseUrl ?? providers[provider].baseUrl ?? ''
  const limit = limitTime(reachMs)
  try {
    const { status } = await fetch(url, { method: 'HEAD', redirect: 'manual', signal: limit.signal })
    return { check: 'reachable', ok: true, detail: `${url} answers (${status})` }
  } catch (error) {
    const { cause } = error as { cause?: { code?: string } }
    return { check: 'reachable', ok: false, detail: `${url} does not answer (${cause?.code ?? 'no answer in 5 s'})` }
  } finally {
    limit.close()
  }
}

/** What a live check is expected to cost: millionths of a US dollar. */
export function estimateLive(settings: ModelSettings): number {
  return estimateMicros(settings, vendors[settings.provider], clipSeconds)
}

/** What a live check comes to, and what was or may have been bought. */
interface Live {
  readonly check: Check
  readonly purchase?: Purchase | undefined
  readonly isCertain: boolean
}

/**
 * Has the model make one picture or clip of the dog that travels with the program. It is paid, and in the ledger of the
 * data directory, which is made if need be, under `provider-check`; also what was sent before `stop`, whose reason is thrown then.
 */
export async function checkLive(
  settings: ModelSettings,
  { dataDir, allowPrivateUrls }: Pick<Config, 'dataDir' | 'allowPrivateUrls'>,
  stop: AbortSignal,
): Promise<Check & { readonly costMicros: number }> {
  const { openStore } = await import('./store.js')
  // Before anything is bought: what cannot be booked is not.
  const store = await openStore(createDataDir(dataDir))
  try {
    const { check, purchase, isCertain } = await makeOne(settings, allowPrivateUrls, stop)
    if (purchase !== undefined) {
      const unit = settings.kind === 'image' ? 'image' : 'clip'
      const usage = { ...purchase, model: settings.model, unit, certain: isCertain, maybeDuplicate: false } as const
      const id = `check_${randomUUID()}`
      await store.bookCall({ id, maker: 'provider-check', usage, isDelivered: check.ok, at: new Date() })
    }
    stop.throwIfAborted()
    return { ...check, costMicros: purchase?.costMicros ?? 0 }
  } finally {
    await store.close()
  }
}

async function makeOne(settings: ModelSettings, allowPrivate: boolean, stop: AbortSignal): Promise<Live> {
  // The SDK behind it is large.
  const { createAiSdkProvider } = await import('../adapters/provider/ai-sdk/provider.js')
  const pictures = openPictureCheck()
  const provider = await createAiSdkProvider(settings, { log: { write: () => {} }, allowPrivate, ...pictures })
  const photo = { bytes: await readSamplePhoto('dog'), contentType: 'image/jpeg' } as const
  const request = { subject: { species: 'dog', pose: 'sitting' }, references: [photo], options: {} } as const
  const input = { species: 'dog', locale: 'en-US', sourceKey: '', seconds: clipSeconds, frames: {} } as const
  const startedAt = performance.now()
  const { call, close, findBegun } = openCall(stop)
  try {
    const { purchase } =
      settings.kind === 'image'
        ? await provider.generatePicture(
            { ...request, prompt: renderAvatarPrompt(readPrompts(), input, 'sitting') },
            call,
          )
        : await provider.generateClip(
            {
              ...{ ...request, firstFrame: photo, lastFrame: photo, seconds: clipSeconds },
              prompt: renderAnimationPrompt(readPrompts(), input, 'sitting'),
            },
            call,
          )
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
    return { check: { check: 'live', ok: true, detail: `made in ${seconds} s` }, purchase, isCertain: true }
  } catch (error) {
    if (stop.aborted)
      return { check: stopped, purchase: findBegun()?.purchase, isCertain: findBegun()?.isOrdered ?? false }
    if (!isProviderError(error)) throw error
    const check = { check: 'live', ok: false, detail: `${error.code}: ${error.message}` } as const
    return { check, purchase: error.purchase, isCertain: error.wire === 'ordered' }
  } finally {
    close()
    await Promise.all([provider.close(), pictures.close()])
  }
}

const stopped: Check = { check: 'live', ok: false, detail: 'stopped' }

/** A call of a unit that is in no database; of what that would keep, what has or may have been bought. */
function openCall(stop: AbortSignal) {
  const { signal, close } = limitTime(liveMs, stop, 'the check took too long')
  let begun: Begun | undefined
  const call: ProviderCall = {
    signal,
    unitId: 'provider-check',
    taskId: 'provider-check',
    deadlineAt: new Date(Date.now() + liveMs),
    memo: null,
    async saveMemo(_memo, next) {
      begun = next
    },
    onProgress: () => {},
  }
  return { call, close, findBegun: () => begun }
}
