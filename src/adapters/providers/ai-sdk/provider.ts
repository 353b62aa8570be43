import { experimental_generateVideo, generateImage } from 'ai'
import { isUnavailable } from '../../../errors.js'
import type { RequestLog } from '../../../log/request-log.js'
import type { ModelSettings } from '../../../models/settings.js'
import { type ClipChange, isBrokenClip, type StillShape, type ToLoop } from '../../../ports/clip-loops.js'
import type { CheckPicture, ToFrame } from '../../../ports/photos.js'
import {
  type Clip,
  type ClipRequest,
  type Picture,
  type PictureRequest,
  type Provider,
  type ProviderCall,
  ProviderError,
  type ProviderImage,
  type Purchase,
} from '../../../ports/provider.js'
import type { Tracing } from '../../../ports/tracing.js'
import { type AttemptParts, type Generation, runAttempt } from './generation.js'
import { openHttpClient } from './http-client.js'
import { type Setup, setUp } from './model.js'
import { countReferences, estimateMicros as estimate, planClip, planPicture, priceClip } from './plan.js'
import { addLoop, findProblem, readMp4Seconds, readPicture } from './results.js'
import { defaultTimeouts, type Timeouts } from './timeouts.js'
import { vendors } from './vendors/index.js'

export interface AiSdkParts {
  readonly log: Pick<RequestLog, 'write'>
  /** Stamps the lines of the log, epoch milliseconds; by default the clock of this machine. */
  readonly now?: () => number
  readonly tracing?: Tracing | undefined
  /** Makes the looping WebP; without it, clips are MP4 only. */
  readonly toLoop?: ToLoop
  /** Decodes a picture to check it; without it, only the signature is checked. */
  readonly checkPicture?: CheckPicture
  /** Scales the frames of a clip and large references; without it, they are sent as they are, and clips are not cropped. */
  readonly toFrame?: ToFrame
  /** True if results may be anywhere in the operator's own network. */
  readonly allowPrivate?: boolean
  readonly timeouts?: Partial<Timeouts>
}

/**
 * Creates the provider for a vendor's model, through the AI SDK. Each picture or clip is bought once, even if the
 * process ends meanwhile (see `openTransport`).
 * Throws `invalid_request` if the model cannot be used with these settings.
 */
export async function createAiSdkProvider(settings: ModelSettings, parts: AiSdkParts): Promise<Provider> {
  const setup = setUp(settings)
  const timeouts: Timeouts = { ...defaultTimeouts, ...parts.timeouts }
  // The SDK would print warnings; its results contain them, too.
  globalThis.AI_SDK_LOG_WARNINGS = false
  const client = openHttpClient()
  const { log, now = Date.now, tracing, allowPrivate = false } = parts
  const tellOnce = createTellOnce()
  const attempt: AttemptParts = { setup, client, timeouts, log, now, tracing, allowPrivate }
  let closed = false
  async function run<T>(call: ProviderCall, generation: Generation<T>): Promise<T> {
    call.signal.throwIfAborted()
    if (!closed) return runAttempt(attempt, call, generation)
    const message = 'The model was closed before the call. Try again.'
    throw new ProviderError('provider_error', message, { wire: 'not_sent', retryable: true })
  }
  return {
    label: setup.label,
    imageModel: settings.model,
    videoModel: settings.model,
    slots: settings.slots,
    takesCompanion: takesCompanion(setup),
    generatePicture: async (request, call) => run(call, preparePicture(setup, request, parts)),
    generateClip: async (request, call) => run(call, prepareClip(setup, request, { ...parts, tellOnce })),
    async close() {
      closed = true
      await client.close()
    },
  }
}

/** Returns the expected cost of a picture, or of a clip of this length, in millionths of a US dollar. */
export function estimateMicros(settings: ModelSettings, seconds: number): number {
  return estimate(settings, vendors[settings.provider], seconds)
}

/** The operator's choice, or true if a request has room for two pictures. */
function takesCompanion({ settings, picture }: Setup): boolean {
  return picture !== undefined && countReferences(settings, picture.support) > 1 && (settings.poseReference ?? true)
}

function preparePicture(
  { settings, vendor, picture }: Setup,
  request: PictureRequest,
  { checkPicture, toFrame }: Pick<AiSdkParts, 'checkPicture' | 'toFrame'>,
): Generation<Picture> {
  if (picture === undefined) throw cannotMake(settings, 'pictures')
  const { purchase } = planPicture(settings, vendor, picture.support, request)
  return {
    isClip: false,
    orders: picture.support.orders,
    prompt: request.prompt,
    purchase,
    async generate({ fetch, restore, signal, warn, refuse, record }) {
      // An order is only polled: its references were sent before.
      const sent = record.order === undefined ? await scaleReferences(request, toFrame) : request
      const { prompt, callOptions, providerOptions } = planPicture(settings, vendor, picture.support, sent)
      const model = picture.open(fetch)
      const call = { n: 1, maxRetries: 0, abortSignal: signal }
      const { image, warnings } = await generateImage({ model, prompt, ...callOptions, providerOptions, ...call })
      for (const warning of warnings) warn(JSON.stringify(warning))
      const result = readPicture(restore(image.uint8Array))
      if (result === undefined) throw refuse('its result is not a PNG, JPEG or WebP picture')
      const problem = await findProblem(result, checkPicture, record.latest)
      if (problem !== undefined) throw refuse(`its result ${problem}`)
      return { image: result, purchase: record.purchase }
    },
  }
}

function prepareClip(
  { settings, vendor, clip }: Setup,
  request: ClipRequest,
  { toLoop, toFrame, tellOnce }: Pick<AiSdkParts, 'toLoop' | 'toFrame'> & { readonly tellOnce: TellOnce },
): Generation<Clip> {
  if (clip === undefined) throw cannotMake(settings, 'clips')
  const plan = planClip(settings, vendor, clip.support, request)
  return {
    isClip: true,
    orders: clip.support.orders,
    prompt: request.prompt,
    purchase: plan.purchase,
    async generate({ fetch, download, restore, signal, warn, refuse, record }) {
      const scaling = scaleFrames(request, toFrame)
      // An order is only polled: its frames were sent before.
      const sent = record.order === undefined ? (await scaling).scaled : request
      const { prompt, frameImages, duration, providerOptions } = planClip(settings, vendor, clip.support, sent)
      const { video, warnings } = await experimental_generateVideo({
        model: clip.open(fetch),
        prompt,
        frameImages,
        duration,
        providerOptions,
        maxRetries: 0,
        abortSignal: signal,
        download: async ({ url }) => ({ data: await download(url), mediaType: 'video/mp4' }),
      })
      for (const warning of warnings) warn(JSON.stringify(warning))
      const mp4 = restore(video.uint8Array)
      const seconds = readMp4Seconds(mp4)
      if (seconds === undefined) throw refuse('its result is not an MP4 file')
      const { latest, purchase, price } = record
      const onFailure = (error: unknown) => {
        if (isUnavailable(error) && record.canContinue()) throw postpone(error, purchase)
        warn(`the loop could not be made: ${error}`)
      }
      const onChange = (change: ClipChange) => tellOnce(change, warn)
      const { still } = await scaling
      const limits = { signal, latest, onFailure, onChange, still }
      const files = await addLoop(mp4, seconds, toLoop, limits).catch((error: unknown) => {
        throw isBrokenClip(error) ? refuse(`its result cannot be played: ${error.message}`) : error
      })
      return { ...files, purchase: plan.isEstimate ? priceClip({ price }, seconds) : purchase }
    },
  }
}

/** Another attempt fetches the clip again and makes its loop. */
function postpone(cause: unknown, purchase: Purchase): ProviderError {
  const message = 'The loop of the clip could not be made yet.'
  return new ProviderError('provider_error', message, { wire: 'ordered', retryable: true, purchase, cause })
}

function cannotMake({ alias, provider, model }: ModelSettings, product: string): ProviderError {
  const message = `The model ${provider}:${model} of ${alias} does not make ${product}.`
  return new ProviderError('provider_error', message, { wire: 'not_sent', retryable: false })
}

type TellOnce = (change: ClipChange, warn: (detail: string) => void) => void

const sentences: Readonly<Record<ClipChange, string>> = {
  cropped:
    'Its clips have another shape than their picture, and are cropped to it. If it has an option for the aspect, set it.',
  muted: 'Its clips have sound, which is removed. If it has an option for sound, switch it off: sound may cost more.',
}

/** Returns a function that tells the operator of each kind of change once, as long as the model is open. */
function createTellOnce(): TellOnce {
  const told = new Set<ClipChange>()
  return (change, warn) => {
    if (told.has(change)) return
    told.add(change)
    warn(sentences[change])
  }
}

/**
 * Returns the request with frames that a model takes, and the shape of the first; the request as it is if they cannot be
 * scaled. Never rejects.
 */
async function scaleFrames(
  request: ClipRequest,
  toFrame: ToFrame | undefined,
): Promise<{ readonly scaled: ClipRequest; readonly still: StillShape | undefined }> {
  const { firstFrame, lastFrame } = request
  const read = async (bytes: Uint8Array) => toFrame?.(bytes).catch(() => undefined)
  const first = await read(firstFrame.bytes)
  const last = firstFrame === lastFrame ? first : await read(lastFrame.bytes)
  if (first === undefined || last === undefined) return { scaled: request, still: undefined }
  const scaled = { ...request, firstFrame: toImage(first.jpeg), lastFrame: toImage(last.jpeg) }
  return { scaled, still: { aspect: first.width / first.height } }
}

/** Vendors accept about 10 MB a picture, and a picture of 2048 pixels may be larger as PNG. */
const largeBytes = 2_000_000

/** Returns the request with large references scaled; a reference that cannot be scaled stays. Never rejects. */
async function scaleReferences(request: PictureRequest, toFrame: ToFrame | undefined): Promise<PictureRequest> {
  const scale = async (image: ProviderImage) => {
    if (image.bytes.length <= largeBytes) return image
    const frame = await toFrame?.(image.bytes).catch(() => undefined)
    return frame === undefined ? image : toImage(frame.jpeg)
  }
  return { ...request, references: await Promise.all(request.references.map(scale)) }
}

const toImage = (jpeg: Uint8Array): ProviderImage => ({ bytes: jpeg, contentType: 'image/jpeg' })
