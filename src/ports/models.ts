/** A model as the operator's file names it, with its secret from the environment. */
export interface ModelSettings {
  /** `svc-avatar` or `svc-animation`. */
  readonly alias: string
  readonly kind: 'image' | 'video'
  readonly provider: 'openai' | 'google' | 'bytedance' | 'fal' | 'replicate' | 'openai-compatible'
  readonly model: string
  readonly apiKey: string | undefined
  readonly baseUrl: string | undefined
  /** Handed to the model as they are. */
  readonly options: Readonly<Record<string, unknown>>
  readonly slots: number
  /** Millionths of a US dollar, for a picture, a clip, or a second of a clip. */
  readonly price: { readonly micros: number; readonly per: 'image' | 'clip' | 'second' }
}
