import { type ModelKind, type ProviderName, providerNames } from './providers.js'

/** The limits of a picture that a model receives. */
export interface InputLimits {
  /** In pixels. */
  readonly shortSideAtLeast: number
  readonly bytesAtMost: number
  /** The width divided by the height. */
  readonly aspect: readonly [number, number]
}

/** A model as its vendor described it on the day of the check. Everything that names a model reads this list. */
export interface KnownModel {
  readonly provider: ProviderName
  readonly model: string
  readonly kind: ModelKind
  /** The options that `svc init` writes for it. */
  readonly options?: Readonly<Record<string, unknown>>
  /** For pictures: the number of reference pictures that it accepts. */
  readonly references?: number
  /** For pictures: true if it has an option for the likeness to its references, which is then set to high. */
  readonly inputFidelity?: true
  /** For clips: the frames that it accepts. */
  readonly frames?: 'first' | 'first and last'
  /** For clips: the shortest and the longest length. */
  readonly seconds?: readonly [number, number]
  readonly input?: InputLimits
  /** The vendor's price with the options above. Absent if it is unknown, or per token. */
  readonly price?: string
  /** The day of the check, as `2026-11-24`. */
  readonly checkedOn: string
  /** The source of the data: the model list of a package, or a URL. */
  readonly source: string
  /**
   * The day on which the vendor shuts it down, past or future, and the model that the vendor recommends instead. If
   * `isEarliest`, the vendor promises only that the model works until then.
   */
  readonly shutdown?: { readonly on: string; readonly successor: string; readonly isEarliest?: true }
}

const openai = '@ai-sdk/openai 3.0.141, model list'
const bytedance = '@ai-sdk/bytedance 1.0.29, model list'
const replicate = '@ai-sdk/replicate 2.0.57, model list'
const openaiEnds = 'https://developers.openai.com/api/docs/deprecations'
const googleEnds = 'https://ai.google.dev/gemini-api/docs/deprecations'
const falTypes = 'https://github.com/fal-ai/fal-js/blob/381105e/libs/client/src/types/endpoints.ts'

/** `proposeModel` returns the first model of a provider and kind that has no shutdown date. */
export const knownModels: readonly KnownModel[] = [
  {
    ...{ provider: 'openai', model: 'gpt-image-2.6-sunburst', kind: 'image', references: 16, checkedOn: '2026-11-25' },
    source: `${openai}; https://docs.argil.ai/v2/models/gpt-image-2-6-sunburst.md; ${openaiEnds}`,
  },
  {
    ...{ provider: 'openai', model: 'gpt-image-2.6-flare', kind: 'image', references: 16, checkedOn: '2026-11-25' },
    source: `${openai}; https://docs.apiyi.com/en/live/2026-11/gpt-image-2-6-launch.md; ${openaiEnds}`,
  },
  ...['gpt-image-2.5-sunburst', 'gpt-image-2.5-flare'].flatMap((name) =>
    [name, `${name}-2026-09-08`].map((model): KnownModel => {
      const source = `${openai}; https://docs.apiyi.com/en/news/gpt-image-2-5-launch.md; ${openaiEnds}`
      return { provider: 'openai', model, kind: 'image', references: 16, checkedOn: '2026-11-25', source }
    }),
  ),
  {
    ...{ provider: 'openai', model: 'gpt-image-2', kind: 'image', references: 16, checkedOn: '2026-11-25' },
    source: `${openai}; https://github.com/openai/openai-node/blob/7b7d6ca/src/resources/images.ts; ${openaiEnds}`,
  },
  ...retire(
    { provider: 'openai', kind: 'image', source: openaiEnds, checkedOn: '2026-11-25' },
    'gpt-image-2.6-sunburst',
    {
      'dall-e-2': '2026-05-12',
      'dall-e-3': '2026-05-12',
      'gpt-image-1-mini': '2026-12-01',
      'chatgpt-image-latest': '2026-12-01',
    },
  ),
  // @NOTE the vendor names this parameter for these models alone; it says to leave it out for gpt-image-2.
  ...retire(
    { provider: 'openai', kind: 'image', source: openaiEnds, checkedOn: '2026-11-25', inputFidelity: true },
    'gpt-image-2.6-sunburst',
    { 'gpt-image-1': '2026-10-23', 'gpt-image-1.5': '2026-12-01', 'gpt-image-1.5-2025-12-16': '2026-12-01' },
  ),
  {
    ...{ provider: 'google', model: 'gemini-nano-banana-2.1', kind: 'image', references: 14, checkedOn: '2026-11-25' },
    options: { aspectRatio: '1:1' },
    price: '0.034usd/image',
    source: '@ai-sdk/google 3.0.141, model list; https://github.com/BerriAI/litellm/discussions/44983',
  },
  {
    ...{
      provider: 'google',
      model: 'gemini-2.5-flash-image',
      kind: 'image',
      checkedOn: '2026-11-25',
      source: googleEnds,
    },
    shutdown: { on: '2026-10-02', successor: 'gemini-nano-banana-2.1', isEarliest: true },
  },
  ...retire(
    { provider: 'google', kind: 'image', source: googleEnds, checkedOn: '2026-11-25' },
    'gemini-nano-banana-2.1',
    {
      'gemini-3-pro-image-preview': '2026-06-25',
      'gemini-3.1-flash-image-preview': '2026-06-25',
      'imagen-4.0-generate-001': '2026-08-17',
      'imagen-4.0-ultra-generate-001': '2026-08-17',
      'imagen-4.0-fast-generate-001': '2026-08-17',
    },
  ),
  ...retire(
    {
      ...{ provider: 'google', kind: 'image', checkedOn: '2026-11-25' },
      source: 'https://github.com/BerriAI/litellm/discussions/44983',
    },
    'gemini-nano-banana-2.1',
    { 'gemini-3.1-flash-image': '2026-10-29' },
  ),
  // @NOTE The SDK offers the Interactions API, which Gemini Omni uses, to language models only: without the last frame,
  // in 16:9 or 9:16 only, and with its own polling, which cannot continue an order after a restart.
  ...retire(
    {
      ...{ provider: 'google', kind: 'video', checkedOn: '2026-11-25' },
      source: 'https://docs.apiyi.com/en/live/2026-10/veo-3-1-preview-retired.md',
    },
    'gemini-omni-1.1-flash',
    {
      'veo-3.1-generate-preview': '2026-10-22',
      'veo-3.1-fast-generate-preview': '2026-10-22',
      'veo-3.1-lite-generate-preview': '2026-10-22',
    },
  ),
  ...retire(
    { provider: 'google', kind: 'video', source: googleEnds, checkedOn: '2026-11-24' },
    'gemini-omni-1.1-flash',
    {
      'veo-3.0-generate-001': '2026-06-30',
      'veo-3.0-fast-generate-001': '2026-06-30',
      'veo-2.0-generate-001': '2026-06-30',
    },
  ),
  {
    ...{ provider: 'bytedance', model: 'dola-seedream-5-0-pro-260628', kind: 'image', references: 10 },
    options: { size: '2K', watermark: false },
    checkedOn: '2026-11-25',
    source: `${bytedance}; https://developers.cloudflare.com/ai/models/bytedance/seedream-5-pro/index.md`,
  },
  {
    ...{ provider: 'bytedance', model: 'dola-seedream-5-5-261028', kind: 'image', references: 10 },
    options: { size: '2K', watermark: false },
    checkedOn: '2026-11-25',
    source: 'https://docs.laozhang.ai/en/announcements/seedream-5-5-2026-11.md',
  },
  // Two names of one model.
  ...['seedream-5-0-lite-260128', 'seedream-5-0-260128'].map((model): KnownModel => {
    const source = `${bytedance}; https://docs.comfy.org/zh/built-in-nodes/ByteDanceSeedreamNodeV3`
    const options = { size: '2K', watermark: false }
    return { provider: 'bytedance', model, kind: 'image', references: 14, options, checkedOn: '2026-11-25', source }
  }),
  ...['seedream-4-5-251128', 'seedream-4-0-250828'].map((model): KnownModel => {
    const source = `${bytedance}; https://docs.comfy.org/zh/built-in-nodes/ByteDanceSeedreamNodeV3`
    const options = { size: '2K', watermark: false }
    return { provider: 'bytedance', model, kind: 'image', references: 10, options, checkedOn: '2026-11-25', source }
  }),
  {
    ...{ provider: 'bytedance', model: 'dreamina-seedance-2-0-260128', kind: 'video', frames: 'first and last' },
    seconds: [4, 15],
    options: { generateAudio: false, watermark: false },
    checkedOn: '2026-11-25',
    source: `${bytedance}; https://docs.byteplus.com/docs/ModelArk/2291680`,
  },
  {
    ...{ provider: 'bytedance', model: 'dreamina-seedance-2-0-fast-260128', kind: 'video', frames: 'first and last' },
    seconds: [4, 15],
    options: { generateAudio: false, watermark: false },
    checkedOn: '2026-11-25',
    source: `${bytedance}; https://docs.byteplus.com/docs/ModelArk/2291680`,
  },
  {
    ...{ provider: 'bytedance', model: 'dreamina-seedance-2-5-260628', kind: 'video', frames: 'first and last' },
    seconds: [4, 30],
    // With frames, the vendor rejects every other ratio.
    options: { ratio: 'adaptive', generateAudio: false, watermark: false },
    checkedOn: '2026-11-25',
    source:
      'https://docs.comfy.org/zh/development/comfy-router/models/byteplus/dreamina-seedance-2-5-260628/code; https://docs.apiyi.com/en/live/2026-08/seedance-2-5-launch',
  },
  ...retire(
    {
      ...{ provider: 'bytedance', kind: 'video', checkedOn: '2026-11-25' },
      source: 'https://github.com/orgs/cometapi-dev/discussions/140',
    },
    'dreamina-seedance-2-0-260128',
    { 'seedance-1-5-pro-251215': '2026-11-11' },
  ),
  {
    ...{
      provider: 'fal',
      model: 'google/nano-banana-2.1/edit',
      kind: 'image',
      references: 14,
      checkedOn: '2026-11-24',
    },
    options: { useMultipleImages: true },
    price: '0.04usd/image',
    source: 'https://fal.ai/learn/tools/nano-banana-api',
  },
  {
    ...{ provider: 'fal', model: 'fal-ai/flux-pro/kontext', kind: 'image', references: 1, checkedOn: '2026-11-25' },
    source: falTypes,
  },
  {
    ...{ provider: 'fal', model: 'fal-ai/flux-pro/kontext/max', kind: 'image', references: 1, checkedOn: '2026-11-25' },
    source: falTypes,
  },
  {
    ...{ provider: 'fal', model: 'fal-ai/kling-video/o3/standard/image-to-video', kind: 'video' },
    frames: 'first and last',
    seconds: [3, 15],
    options: { duration: '5', end_image_url: '$lastFrame' },
    price: '0.084usd/second',
    checkedOn: '2026-11-25',
    source: `https://fal.ai/models/fal-ai/kling-video/o3/standard/image-to-video; ${falTypes}`,
  },
  {
    ...{ provider: 'fal', model: 'fal-ai/kling-video/v4/image-to-video', kind: 'video' },
    frames: 'first and last',
    seconds: [3, 30],
    input: { shortSideAtLeast: 300, bytesAtMost: 30_000_000, aspect: [0.4, 2.5] },
    options: { duration: '5', start_image_url: '$firstFrame', end_image_url: '$lastFrame' },
    price: '0.157usd/second',
    checkedOn: '2026-11-25',
    source: 'https://fal.ai/models/fal-ai/kling-video/v4/image-to-video/llms.txt',
  },
  {
    ...{ provider: 'replicate', model: 'black-forest-labs/flux-2-pro', kind: 'image', references: 8 },
    // @NOTE the SDK sets `input_image`, which this model does not have.
    options: { input_images: '$references' },
    checkedOn: '2026-11-25',
    source: `${replicate}; https://replicate.com/black-forest-labs/flux-2-pro`,
  },
  {
    ...{ provider: 'replicate', model: 'kwaivgi/kling-v3-video', kind: 'video', frames: 'first and last' },
    seconds: [3, 15],
    input: { shortSideAtLeast: 300, bytesAtMost: 10_000_000, aspect: [0.4, 2.5] },
    options: { mode: 'standard', duration: 5, start_image: '$firstFrame', end_image: '$lastFrame' },
    checkedOn: '2026-11-25',
    source: 'https://replicate.com/kwaivgi/kling-v3-video',
  },
]

/** Returns the recommended model; undefined if the provider has no model of the kind without a shutdown date. */
export function proposeModel(provider: ProviderName, kind: ModelKind): KnownModel | undefined {
  const owner = ownerOf(provider)
  return knownModels.find((known) => known.provider === owner && known.kind === kind && known.shutdown === undefined)
}

/** Lists the providers that have a recommended model. */
export function listMakers(kind: ModelKind): ProviderName[] {
  return providerNames.filter((name) => proposeModel(name, kind) !== undefined)
}

/** Lists the recommended models as `provider:model`, in the order of the providers. */
export function listProposals(kind: ModelKind): string[] {
  return listMakers(kind).map((name) => `${name}:${proposeModel(name, kind)?.model}`)
}

/** Lists the models of a provider that have no shutdown date. */
export function listKnownModels(provider: ProviderName): KnownModel[] {
  const owner = ownerOf(provider)
  return knownModels.filter((known) => known.provider === owner && known.shutdown === undefined)
}

/** Finds a model by the name in the operator's file; an unlisted model may still exist. */
export function findKnownModel(provider: ProviderName, model: string): KnownModel | undefined {
  const owner = ownerOf(provider)
  // Gateways write `openai/gpt-image-2.6-sunburst`.
  const name = owner === provider ? model : model.split('/').at(-1)
  return knownModels.find((known) => known.provider === owner && known.model === name)
}

/** Returns true for a successor of ended models that the vendor's package cannot call. */
export function isOutOfReach(provider: ProviderName, model: string): boolean {
  const owner = ownerOf(provider)
  const isSuccessor = knownModels.some((known) => known.provider === owner && known.shutdown?.successor === model)
  return isSuccessor && findKnownModel(provider, model) === undefined
}

/** Returns the provider whose models it serves: an OpenAI-compatible endpoint serves those of OpenAI. */
function ownerOf(provider: ProviderName): ProviderName {
  return provider === 'openai-compatible' ? 'openai' : provider
}

function retire(
  known: Omit<KnownModel, 'model' | 'shutdown'>,
  successor: string,
  days: Readonly<Record<string, string>>,
): KnownModel[] {
  return Object.entries(days).map(([model, on]) => ({ ...known, model, shutdown: { on, successor } }))
}
