import { randomUUID } from 'node:crypto'
import { readSamplePhoto } from '../adapters/photos/sample.js'
import { findPackage } from '../adapters/providers/ai-sdk/model.js'
import { estimateMicros } from '../adapters/providers/ai-sdk/plan.js'
import { vendors } from '../adapters/providers/ai-sdk/vendors/index.js'
import { readPrompts } from '../catalog/catalog.js'
import { type ConfiguredModel, isKeyMissing } from '../config/models.js'
import type { StorageConfig } from '../config/storage.js'
import type { Config } from '../config.js'
import { isSvcError } from '../errors.js'
import { clipSeconds } from '../media/animation.js'
import { renderAnimationPrompt, renderAvatarPrompt } from '../media/prompts.js'
import { installCommand, type ProviderName, providers } from '../models/providers.js'
import type { ModelSettings } from '../models/settings.js'
import { type BegunPurchase, isProviderError, type ProviderCall, type Purchase } from '../ports/provider.js'
import { limitTime } from '../runtime/abort.js'
import { openPictureCheck } from './models.js'

/** One requirement of a model, whether it is met, and a description or a fix. */
export interface ModelCheck {
  readonly check: 'package' | 'key' | 'options' | 'shutdown' | 'reachable' | 'model' | 'live'
  readonly ok: boolean
  /** True for a warning that does not fail the check. */
  readonly warns?: true
  readonly detail: string
}

/** Checks the local requirements of a model: its package and its key. */
export function checkSetup(model: ConfiguredModel): ModelCheck[] {
  const { provider, alias } = model.settings
  const isMissing = isKeyMissing(model)
  const key = model.variable === undefined ? 'needs none' : `${model.variable} ${isMissing ? 'is not set' : 'is set'}`
  return [checkPackage(provider, alias), { check: 'key', ok: !isMissing, detail: key }]
}

/** Checks that the package of a provider is installed. */
export function checkPackage(provider: ProviderName, alias = provider as string): ModelCheck {
  const { packageName } = providers[provider]
  try {
    findPackage(providers[provider], alias)
    return { check: 'package', ok: true, detail: `${packageName} is installed` }
  } catch (error) {
    if (!isSvcError(error)) throw error
    return { check: 'package', ok: false, detail: installCommand(providers[provider]) }
  }
}

/** Names the calls of a live check in the ledger. */
const maker = 'provider-check'
const callMs = 600_000

/** Returns the expected cost of a live check in millionths of a US dollar. */
export function estimateLive(settings: ModelSettings): number {
  return estimateMicros(settings, vendors[settings.provider], clipSeconds)
}

/** The result of a live check, and the purchase that was or may have been made. */
interface Live {
  readonly check: ModelCheck
  readonly purchase?: Purchase | undefined
  readonly isCertain: boolean
}

/**
 * Generates one picture or clip of the bundled dog. The call is paid and booked in the ledger of the database, which is
 * created if necessary, under `provider-check`; also a call that was sent before `stop` was aborted, whose
 * reason is thrown then.
 */
export async function checkLive(
  settings: ModelSettings,
  config: StorageConfig & Pick<Config, 'allowPrivateUrls'>,
  stop: AbortSignal,
): Promise<ModelCheck & { readonly costMicros: number }> {
  const { withStore } = await import('./storage/open-store.js')
  // Opened before the purchase, so that a call that cannot be booked is not made.
  return withStore(config, { mayCreate: true }, async (store) => {
    const { check, purchase, isCertain } = await makeOne(settings, config.allowPrivateUrls, stop)
    if (purchase !== undefined) {
      const unit = settings.kind === 'image' ? 'image' : 'clip'
      const usage = { ...purchase, model: settings.model, unit, certain: isCertain, maybeDuplicate: false } as const
      const at = new Date(store.now())
      await store.bookCall({ id: `check_${randomUUID()}`, maker, usage, isDelivered: check.ok, at })
    }
    stop.throwIfAborted()
    return { ...check, costMicros: purchase?.costMicros ?? 0 }
  })
}

async function makeOne(settings: ModelSettings, allowPrivate: boolean, stop: AbortSignal): Promise<Live> {
  // The SDK is large.
  const { createAiSdkProvider } = await import('../adapters/providers/ai-sdk/provider.js')
  const pictures = openPictureCheck()
  const provider = await createAiSdkProvider(settings, { log: { write: () => {} }, allowPrivate, ...pictures })
  const photo = { bytes: await readSamplePhoto('dog'), contentType: 'image/jpeg' } as const
  const request = { subject: { species: 'dog', pose: 'sitting' }, references: [photo] } as const
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

const stopped: ModelCheck = { check: 'live', ok: false, detail: 'stopped' }

/** Creates a call for a unit that is not in the database; keeps the purchase that has or may have been made. */
function openCall(stop: AbortSignal) {
  const { signal, close } = limitTime(callMs, stop, 'the check took too long')
  let begun: BegunPurchase | undefined
  const call: ProviderCall = {
    signal,
    unitId: maker,
    taskId: maker,
    leftMs: callMs,
    memo: null,
    async saveMemo(_memo, next) {
      begun = next
    },
  }
  return { call, close, findBegun: () => begun }
}
