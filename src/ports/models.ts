/** A model as the operator's file names it, with its secret from the environment. */
export interface ModelSettings {
  /** `svc-avatar` or `svc-animation`. */
  readonly alias: string
  readonly kind: 'image' | 'video'
  readonly provider: ProviderName
  readonly model: string
  readonly apiKey: string | undefined
  readonly baseUrl: string | undefined
  /** Handed to the model as they are. */
  readonly options: Readonly<Record<string, unknown>>
  readonly slots: number
  /** Millionths of a US dollar, for a picture, a clip, or a second of a clip. */
  readonly price: { readonly micros: number; readonly per: 'image' | 'clip' | 'second' }
}

export type ProviderName = 'openai' | 'google' | 'bytedance' | 'fal' | 'replicate' | 'openai-compatible'

/** What is known of a provider before any of its code is loaded. */
export interface ProviderEntry {
  /** The npm package that speaks to it: an optional peer. */
  readonly packageName: string
  /** Its release that goes with the SDK inside; a newer one does not. */
  readonly major: number
  readonly makes: readonly ModelSettings['kind'][]
  /** The variable its key is looked for in, unless the file names another; undefined where it may need none. */
  readonly variable: string | undefined
  /** Where it is reached, unless the file says so; undefined where the file must. */
  readonly baseUrl: string | undefined
  /** A model of each kind to begin with, and the options that it needs. */
  readonly examples: Partial<Record<ModelSettings['kind'], Example>>
}

interface Example {
  readonly model: string
  readonly options?: Readonly<Record<string, unknown>>
}

export const providers: Readonly<Record<ProviderName, ProviderEntry>> = {
  openai: {
    packageName: '@ai-sdk/openai',
    major: 3,
    makes: ['image'],
    variable: 'OPENAI_API_KEY',
    baseUrl: 'https://api.openai.com/v1',
    examples: { image: { model: 'gpt-image-1.5' } },
  },
  google: {
    packageName: '@ai-sdk/google',
    major: 3,
    makes: ['image', 'video'],
    variable: 'GOOGLE_GENERATIVE_AI_API_KEY',
    baseUrl: 'https://generativelanguage.googleapis.com/v1beta',
    examples: {
      image: { model: 'gemini-2.5-flash-image', options: { aspectRatio: '1:1' } },
      video: { model: 'veo-3.1-fast-generate-preview', options: { resolution: '720p' } },
    },
  },
  bytedance: {
    packageName: '@ai-sdk/bytedance',
    major: 1,
    makes: ['image', 'video'],
    variable: 'ARK_API_KEY',
    baseUrl: 'https://ark.ap-southeast.bytepluses.com/api/v3',
    examples: {
      image: { model: 'seedream-4-5-251128', options: { size: '2K', watermark: false } },
      video: { model: 'seedance-1-5-pro-251215', options: { generateAudio: false, watermark: false } },
    },
  },
  fal: {
    packageName: '@ai-sdk/fal',
    major: 2,
    makes: ['image', 'video'],
    variable: 'FAL_API_KEY',
    baseUrl: 'https://fal.run',
    examples: {
      image: { model: 'fal-ai/nano-banana/edit', options: { useMultipleImages: true } },
      video: {
        model: 'fal-ai/kling-video/v2.5-turbo/pro/image-to-video',
        options: { duration: '5', tail_image_url: '$lastFrame' },
      },
    },
  },
  replicate: {
    packageName: '@ai-sdk/replicate',
    major: 2,
    makes: ['image', 'video'],
    variable: 'REPLICATE_API_TOKEN',
    baseUrl: 'https://api.replicate.com/v1',
    examples: {
      image: { model: 'google/nano-banana', options: { image_input: '$references' } },
      video: {
        model: 'kwaivgi/kling-v2.1',
        options: { mode: 'pro', duration: 5, start_image: '$firstFrame', end_image: '$lastFrame' },
      },
    },
  },
  'openai-compatible': {
    packageName: '@ai-sdk/openai-compatible',
    major: 2,
    makes: ['image'],
    variable: undefined,
    baseUrl: undefined,
    examples: { image: { model: 'gpt-image-1' } },
  },
}

/** What an operator types to have the package of a provider. */
export const installCommand = ({ packageName, major }: Pick<ProviderEntry, 'packageName' | 'major'>) =>
  `npm install ${packageName}@${major}`

export const providerNames = Object.keys(providers) as ProviderName[]

/** What a model alias makes. Source: gateway contract, 2.2. */
export const configuredAliases = { 'svc-avatar': 'image', 'svc-animation': 'video' } as const satisfies Readonly<
  Record<string, ModelSettings['kind']>
>
export type ConfiguredAlias = keyof typeof configuredAliases
