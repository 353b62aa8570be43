import type { experimental_generateVideo, generateImage } from 'ai'
import type { Answer } from './exchange.js'
import type { Failure } from './failure.js'
import type { Job } from './journal.js'

export type ImageModel = Parameters<typeof generateImage>[0]['model']
export type VideoModel = Parameters<typeof experimental_generateVideo>[0]['model']

/** How a model is reached. */
export interface Access {
  readonly model: string
  readonly apiKey: string
  readonly baseUrl: string
  readonly fetch: typeof fetch
}

/** What became of an order; undefined if the answer does not say it. */
export type JobState =
  | { readonly state: 'running' | 'done' }
  | { readonly state: 'failed'; readonly failure: Failure }
  | undefined

/** How a vendor takes orders that it works on after it answered. */
export interface Orders {
  /** What must be known to ask for the order again; undefined if the answer does not say it. */
  keep(answer: unknown): Job | undefined
  /** The answer again, as far as it is needed to look what became of the order. */
  replay(job: Job, baseUrl: string): unknown
  /** Where to look, for models of the SDK that do not look themselves. */
  findUrl?(job: Job, baseUrl: string): string
  read(answer: Answer): JobState
}

export interface PictureHabits {
  /** `load` gives the vendor's package. */
  open(load: () => unknown, access: Access): ImageModel
  /** Where pictures are ordered, too; else the answer holds the picture. */
  readonly orders?: Orders
  /** Options that the SDK takes beside those of the vendor. */
  readonly callOptions: readonly ('size' | 'aspectRatio')[]
  readonly options: Readonly<Record<string, unknown>>
  /** How many pictures of the pet the model can be shown. */
  countReferences(model: string, options: Readonly<Record<string, unknown>>): number
}

export interface ClipHabits {
  open(load: () => unknown, access: Access): VideoModel
  readonly orders: Orders
  readonly options: Readonly<Record<string, unknown>>
  /** The option that says how long a clip is to be. */
  readonly secondsOption: string
  /** A length that every model of the vendor makes, and whether it must be told. */
  readonly seconds: number
  readonly tellsSeconds: boolean
  /** Whether the SDK hands on the last frame, too; else only an option can. */
  readonly takesLastFrame: boolean
}

/** A vendor of models, as the AI SDK knows it. */
export interface Vendor {
  /** What the SDK calls the vendor's options. */
  readonly optionsKey: string
  /** Where a URL of the SDK is to be sought; `baseUrl` is what the operator names, if anything. */
  locate?(url: string, model: string, baseUrl: string | undefined): string
  readonly picture?: PictureHabits
  readonly clip?: ClipHabits
}

/** The SDK looks as soon as it may, and as often: our `fetch` does the waiting. */
export const lookAtOnce = { pollIntervalMs: 1, pollTimeoutMs: 2 ** 31 - 1 }
