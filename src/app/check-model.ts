import { readSamplePhoto } from '../adapters/photos/sample.js'
import { findPackage } from '../adapters/provider/ai-sdk/packages.js'
import { vendors } from '../adapters/provider/ai-sdk/vendors/index.js'
import { readPrompts } from '../catalog.js'
import { type ConfiguredModel, isKeyMissing } from '../config/models.js'
import { installCommand, type ProviderName, providers } from '../config/providers.js'
import { isSvcError } from '../errors.js'
import { clipSeconds } from '../media/animation.js'
import { renderAnimationPrompt, renderAvatarPrompt } from '../media/prompts.js'
import type { ModelSettings } from '../ports/models.js'
import { isProviderError, type ProviderCall } from '../ports/provider.js'

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
    findPackage(vendors[provider], alias)
    return { check: 'package', ok: true, detail: `${packageName} is installed` }
  } catch (error) {
    if (!isSvcError(error)) throw error
    return { check: 'package', ok: false, detail: installCommand(providers[provider]) }
  }
}

/** Whether anything answers where the model is to be reached; what it answers does not matter. Sends no key. */
export async function checkReachable({ provider, baseUrl }: ModelSettings): Promise<Check> {
  const url = baseUrl ?? providers[provider].baseUrl ?? ''
  try {
    const { status } = await fetch(url, { method: 'HEAD', redirect: 'manual', signal: AbortSignal.timeout(reachMs) })
    return { check: 'reachable', ok: true, detail: `${url} answers (${status})` }
  } catch (error) {
    const { cause } = error as { cause?: { code?: string } }
    return { check: 'reachable', ok: false, detail: `${url} does not answer (${cause?.code ?? 'no answer in 5 s'})` }
  }
}

/** Has the model make one picture or clip of the dog that travels with the program. It is paid, and in no ledger. */
export async function checkLive(settings: ModelSettings): Promise<Check & { readonly costMicros: number }> {
  // The SDK behind it is large.
  const { createAiSdkProvider } = await import('../adapters/provider/ai-sdk/provider.js')
  const provider = await createAiSdkProvider(settings, { log: { write: () => {} } })
  const photo = { bytes: await readSamplePhoto('dog'), contentType: 'image/jpeg' } as const
  const request = { subject: { species: 'dog', pose: 'sitting' }, references: [photo], options: {} } as const
  const input = { species: 'dog', locale: 'en-US', sourceKey: '', seconds: clipSeconds, frames: {} } as const
  const startedAt = performance.now()
  try {
    const { purchase } =
      settings.kind === 'image'
        ? await provider.generatePicture(
            { ...request, prompt: renderAvatarPrompt(readPrompts(), input, 'sitting') },
            buildCall(),
          )
        : await provider.generateClip(
            {
              ...{ ...request, firstFrame: photo, lastFrame: photo, seconds: clipSeconds },
              prompt: renderAnimationPrompt(readPrompts(), input, 'sitting'),
            },
            buildCall(),
          )
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
    return { check: 'live', ok: true, detail: `made in ${seconds} s`, costMicros: purchase.costMicros }
  } catch (error) {
    if (!isProviderError(error)) throw error
    return {
      check: 'live',
      ok: false,
      detail: `${error.code}: ${error.message}`,
      costMicros: error.purchase?.costMicros ?? 0,
    }
  } finally {
    await provider.close()
  }
}

function buildCall(): ProviderCall {
  return {
    signal: AbortSignal.timeout(liveMs),
    unitId: 'provider-check',
    taskId: 'provider-check',
    deadlineAt: new Date(Date.now() + liveMs),
    memo: null,
    saveMemo: async () => {},
    onProgress: () => {},
  }
}
