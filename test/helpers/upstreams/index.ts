import type { ModelSettings } from '../../../src/ports/models.js'
import { bytedance } from './bytedance.js'
import { fal } from './fal.js'
import { google } from './google.js'
import { openai } from './openai.js'
import { replicate } from './replicate.js'
import { type Double, startUpstream, type Upstream } from './upstream.js'

/** A model at a vendor that is a double on loopback. */
export interface ModelCase {
  readonly name: string
  readonly double: Double
  readonly settings: Pick<ModelSettings, 'kind' | 'provider' | 'model'>
  /** Whether what is bought is delivered with the answer. */
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
  model(openai, 'image', 'openai', 'gpt-image-1.5', true),
  model(openai, 'image', 'openai-compatible', 'openai/gpt-image-1.5', true),
  model(google, 'image', 'google', 'gemini-2.5-flash-image', true),
  model(bytedance, 'image', 'bytedance', 'seedream-4-5-251128', true),
  model(fal, 'image', 'fal', 'fal-ai/nano-banana/edit', true),
  model(replicate, 'image', 'replicate', 'google/nano-banana', false),
]

export const clipCases: readonly ModelCase[] = [
  model(google, 'video', 'google', 'veo-3.1-generate-preview', false),
  model(bytedance, 'video', 'bytedance', 'seedance-1-5-pro-251215', false),
  model(fal, 'video', 'fal', 'fal-ai/kling-video/v2.5-turbo/pro/image-to-video', false),
  model(replicate, 'video', 'replicate', 'minimax/video-01', false),
]

/** Settings as they come from an operator's file, of a model at `upstream`. */
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
