export type ModelKind = 'image' | 'video'

export type ProviderName = 'openai' | 'google' | 'bytedance' | 'fal' | 'replicate' | 'openai-compatible'

/** Properties of a provider that are known without loading its package. */
export interface ProviderEntry {
  /** The npm package of its client, an optional peer dependency. */
  readonly packageName: string
  /** The major version that is compatible with the bundled SDK; a newer one is not. */
  readonly major: number
  readonly makes: readonly ModelKind[]
  /** The default variable of its API key, named as the vendor names it; undefined if it may need no key. */
  readonly variable: string | undefined
  /** Other variables of the key, such as that of the SDK: used if the first is not set. */
  readonly otherVariables?: readonly string[]
  /** The default base URL; undefined if the operator's file must set it. */
  readonly baseUrl: string | undefined
}

export const providers: Readonly<Record<ProviderName, ProviderEntry>> = {
  openai: {
    packageName: '@ai-sdk/openai',
    major: 3,
    makes: ['image'],
    variable: 'OPENAI_API_KEY',
    baseUrl: 'https://api.openai.com/v1',
  },
  google: {
    packageName: '@ai-sdk/google',
    major: 3,
    makes: ['image', 'video'],
    variable: 'GEMINI_API_KEY',
    otherVariables: ['GOOGLE_GENERATIVE_AI_API_KEY'],
    baseUrl: 'https://generativelanguage.googleapis.com/v1beta',
  },
  bytedance: {
    packageName: '@ai-sdk/bytedance',
    major: 1,
    makes: ['image', 'video'],
    variable: 'ARK_API_KEY',
    baseUrl: 'https://ark.ap-southeast.bytepluses.com/api/v3',
  },
  fal: {
    packageName: '@ai-sdk/fal',
    major: 2,
    makes: ['image', 'video'],
    variable: 'FAL_KEY',
    otherVariables: ['FAL_API_KEY'],
    baseUrl: 'https://fal.run',
  },
  replicate: {
    packageName: '@ai-sdk/replicate',
    major: 2,
    makes: ['image', 'video'],
    variable: 'REPLICATE_API_TOKEN',
    baseUrl: 'https://api.replicate.com/v1',
  },
  'openai-compatible': {
    packageName: '@ai-sdk/openai-compatible',
    major: 2,
    makes: ['image'],
    variable: undefined,
    baseUrl: undefined,
  },
}

/** Returns the command that installs the package of a provider. */
export const installCommand = ({ packageName, major }: Pick<ProviderEntry, 'packageName' | 'major'>) =>
  `npm install ${packageName}@${major}`

export const providerNames = Object.keys(providers) as ProviderName[]
