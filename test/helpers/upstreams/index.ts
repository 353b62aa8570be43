import type { ModelSettings } from '../../../src/models/settings.js'
import { bytedance } from './bytedance.js'
import { fal } from './fal.js'
import { google } from './google.js'
import { openai } from './openai.js'
import { replicate } from './replicate.js'
import { type Double, startUpstream, type Upstream } from './upstream.js'

/** A model at a loopback double of its vendor. */
export interface ModelCase {
  readonly name: string
  readonly double: Double
  readonly settings: Pick<ModelSettings, 'kind' | 'provider' | 'model'>
  /** True if the response contains the result. */
  readonly isDirect: boolean
}

const model = (
  double: Double,
  kind: ModelSettings['kind'],
  provider: ModelSettings['provider'],
  name: string,
  isDirect: boolean,
): ModelCase => ({ name: `${provider} ${kind}`, double, settings: { kind, provider, model: name }, isDirect })

export const pictureCases: readonly ModelCase[] = [
  model(openai, 'image', 'openai', 'gpt-image-2.6-sunburst', true),
  model(openai, 'image', 'openai-compatible', 'openai/gpt-image-2.6-sunburst', true),
  model(google, 'image', 'google', 'gemini-nano-banana-2.1', true),
  model(bytedance, 'image', 'bytedance', 'dola-seedream-5-0-pro-260628', true),
  model(fal, 'image', 'fal', 'google/nano-banana-2.1/edit', true),
  model(replicate, 'image', 'replicate', 'black-forest-labs/flux-2-pro', false),
]

export const clipCases: readonly ModelCase[] = [
  // Google has shut down all of its models with this API; gateways may still have one.
  model(google, 'video', 'google', 'veo-3.1-generate-preview', false),
  model(bytedance, 'video', 'bytedance', 'dreamina-seedance-2-0-260128', false),
  model(fal, 'video', 'fal', 'fal-ai/kling-video/o3/standard/image-to-video', false),
  model(replicate, 'video', 'replicate', 'kwaivgi/kling-v3-video', false),
]

/** Returns the case of a name, such as `fal video`. */
export function findCase(name: string): ModelCase {
  const found = [...pictureCases, ...clipCases].find((one) => one.name === name)
  if (found === undefined) throw new Error(`there is no case ${name}`)
  return found
}

/** Builds settings as from an operator's file, for a model at `upstream`. */
export function buildSettings(
  { settings }: ModelCase,
  upstream: Pick<Upstream, 'baseUrl' | 'key'>,
  changes: Partial<ModelSettings> = {},
): ModelSettings {
  const isClip = settings.kind === 'video'
  return {
    alias: isClip ? 'svc-animation' : 'svc-avatar',
    ...settings,
    apiKey: upstream.key,
    baseUrl: upstream.baseUrl,
    options: {},
    slots: 2,
    price: { micros: 40_000, per: isClip ? 'clip' : 'image' },
    ...changes,
  }
}

export { startUpstream, type Upstream }
