import type { ModelKind, ProviderName } from './providers.js'

/** A model as configured in the operator's file, with its key from the environment. */
export interface ModelSettings {
  /** `svc-avatar` or `svc-animation`. */
  readonly alias: string
  readonly kind: ModelKind
  readonly provider: ProviderName
  readonly model: string
  readonly apiKey: string | undefined
  readonly baseUrl: string | undefined
  /** Passed to the model unchanged. */
  readonly options: Readonly<Record<string, unknown>>
  readonly slots: number
  /** False if each pose of an avatar is made from the photo alone. Absent for the default. */
  readonly poseReference?: boolean
  /** Millionths of a US dollar per picture, per clip or per second of a clip. */
  readonly price: { readonly micros: number; readonly per: 'image' | 'clip' | 'second' }
}

/** The aliases that the operator's file configures, with the kind of model. Source: gateway contract, 2.2. */
export const configuredAliases = { 'svc-avatar': 'image', 'svc-animation': 'video' } as const satisfies Readonly<
  Record<string, ModelKind>
>
export type ConfiguredAlias = keyof typeof configuredAliases
