import type { experimental_generateVideo, generateImage } from 'ai'
import type { Failure } from './failure.js'
import type { VendorResponse } from './http-client.js'
import { toRecord, toTexts } from './json.js'
import type { OrderReference } from './purchase-record.js'

export type ImageModel = Parameters<typeof generateImage>[0]['model']
export type VideoModel = Parameters<typeof experimental_generateVideo>[0]['model']

/** The access to a model. */
export interface VendorAccess {
  readonly model: string
  readonly apiKey: string
  readonly baseUrl: string
  readonly fetch: typeof fetch
}

/** The state of an order; undefined if the response does not contain it. */
export type OrderState =
  | { readonly state: 'running' | 'done' }
  | { readonly state: 'failed'; readonly failure: Failure }
  | undefined

/** A vendor's protocol for orders, which complete after they are answered. */
export interface OrderProtocol {
  /** Returns the reference by which the order can be polled; undefined if the response has none of its fields. */
  keep(answer: unknown): OrderReference | undefined
  /** Rebuilds the response to the order, as far as the SDK needs it for polling. */
  replay(reference: OrderReference, baseUrl: string): unknown
  /** The URL to poll, for models whose SDK client does not poll. */
  findUrl?(reference: OrderReference, baseUrl: string): string
  read(answer: VendorResponse): OrderState
}

export interface PictureSupport {
  /** `load` returns the vendor's package. */
  open(load: () => unknown, access: VendorAccess): ImageModel
  /** Set if pictures are ordered, too; otherwise the response contains the picture. */
  readonly orders?: OrderProtocol
  /** Options that are parameters of the SDK, not of the vendor. */
  readonly callOptions?: readonly ('size' | 'aspectRatio')[]
  readonly options?: Readonly<Record<string, unknown>>
  /** The option for the likeness to the references, for models that have it. */
  readonly fidelityOption?: string
  /** The number of reference pictures for a model that is not in the list of known models. */
  countReferences(model: string, options: Readonly<Record<string, unknown>>): number
}

export interface ClipSupport {
  open(load: () => unknown, access: VendorAccess): VideoModel
  readonly orders: OrderProtocol
  readonly options: Readonly<Record<string, unknown>>
  /** The option that sets the length of a clip. */
  readonly secondsOption: string
  /** A length that all models of the vendor support, and whether the call must send it. */
  readonly seconds: number
  readonly sendsSeconds: boolean
  /** True if the SDK passes on the last frame; otherwise only an option can. */
  readonly takesLastFrame: boolean
}

/** A request that asks a vendor whether it has a model, without buying anything. */
export interface LookUp {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** Returns true if the vendor has the model; undefined if the response does not say. */
  read(status: number, json: unknown): boolean | undefined
  /** Returns the day on which the vendor shuts the model down, if the response has one. */
  findShutdown?(json: unknown): string | undefined
}

/** A vendor of models that the AI SDK supports. */
export interface Vendor {
  /** The key of the vendor's options in the SDK. */
  readonly optionsKey: string
  /** Maps a URL of the SDK to the one to call; `baseUrl` is the operator's, if set. */
  locate?(url: string, model: string, baseUrl: string | undefined): string
  /** Undefined if the vendor has no URL for lookups. */
  lookUp(access: Pick<VendorAccess, 'model' | 'apiKey' | 'baseUrl'>): LookUp | undefined
  readonly picture?: PictureSupport
  readonly clip?: ClipSupport
}

/** Reads the response of a URL that identifies one model. */
export const readOne: LookUp['read'] = (status) => (status === 404 ? false : status === 200 ? true : undefined)

/** Reads the shutdown day of a model as OpenAI describes it. */
export const readShutdownDate = (model: unknown) =>
  toTexts(toRecord(model).shutdown_date).find((text) => /^\d{4}-\d\d-\d\d$/.test(text))

/** The authorization header of a key, if there is one. */
export const bearer = (apiKey: string): Record<string, string> =>
  apiKey === '' ? {} : { authorization: `Bearer ${apiKey}` }

/** Makes the SDK poll without pauses: our `fetch` waits instead. */
export const pollImmediately = { pollIntervalMs: 1, pollTimeoutMs: 2 ** 31 - 1 }
