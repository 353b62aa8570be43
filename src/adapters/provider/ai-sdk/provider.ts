import { experimental_generateVideo, generateImage } from 'ai'
import type { RequestLog } from '../../../log.js'
import type { ToLoop } from '../../../ports/loops.js'
import type { ModelSettings } from '../../../ports/models.js'
import type { CheckPicture } from '../../../ports/photos.js'
import {
  type Clip,
  type ClipRequest,
  type Picture,
  type PictureRequest,
  type Provider,
  ProviderError,
} from '../../../ports/provider.js'
import { type Attempt, createAttempts } from './attempt.js'
import { type Clocks, defaultClocks } from './clocks.js'
import { openLine } from './exchange.js'
import { type Setup, setUp } from './model.js'
import { estimateMicros as estimate, planClip, planPicture, priceClip } from './plan.js'
import { addLoop, findProblem, readFilm, readPicture } from './results.js'
import { vendors } from './vendors/index.js'

export interface AiSdkParts {
  readonly log: Pick<RequestLog, 'write'>
  /** Makes the looping WebP; without it, clips are MP4 alone. */
  readonly toLoop?: ToLoop
  /** Looks at each pixel of what is delivered; without it, its first bytes count. */
  readonly checkPicture?: CheckPicture
  /** Whether results may stand anywhere in the operator's own network. */
  readonly allowPrivate?: boolean
  readonly clocks?: Partial<Clocks>
}

/**
 * A model of a vendor, by the AI SDK: pictures or clips, as the model makes them. Each is bought once, whatever happens to
 * the process meanwhile (see `openWire`). Throws `invalid_request` if the model cannot be used as it is set up.
 */
export async function createAiSdkProvider(settings: ModelSettings, parts: AiSdkParts): Promise<Provider> {
  const setup = setUp(settings)
  const clocks: Clocks = { ...defaultClocks, ...parts.clocks }
  // The SDK would print them; they are in its results, too.
  globalThis.AI_SDK_LOG_WARNINGS = false
  const line = openLine()
  const { log, allowPrivate = false } = parts
  const attempts = createAttempts({ setup, line, clocks, log, allowPrivate })
  return {
    label: setup.label,
    imageModel: settings.model,
    videoModel: settings.model,
    slots: settings.slots,
    generatePicture: async (request, call) => attempts.run(call, preparePicture(setup, request, parts.checkPicture)),
    generateClip: async (request, call) => attempts.run(call, prepareClip(setup, request, parts.toLoop)),
    async close() {
      attempts.close()
      await line.close()
    },
  }
}

/** What a picture, or a clip of so many seconds, is expected to cost: millionths of a US dollar. */
export function estimateMicros(settings: ModelSettings, seconds: number): number {
  return estimate(settings, vendors[settings.provider], seconds)
}

function preparePicture(
  { settings, vendor, picture }: Setup,
  request: PictureRequest,
  checkPicture?: CheckPicture,
): Attempt<Picture> {
  if (picture === undefined) throw makesNone(settings, 'pictures')
  const { prompt, callOptions, providerOptions, purchase } = planPicture(settings, vendor, picture.habits, request)
  return {
    isClip: false,
    orders: picture.habits.orders,
    words: request.prompt,
    purchase,
    async make({ fetch, signal, tell, refuse, journal }) {
      const model = picture.open(fetch)
      const call = { n: 1, maxRetries: 0, abortSignal: signal }
      const { image, warnings } = await generateImage({ model, prompt, ...callOptions, providerOptions, ...call })
      for (const warning of warnings) tell(JSON.stringify(warning))
      const found = readPicture(image.uint8Array)
      if (found === undefined) throw refuse('what it delivered is no PNG, JPEG or WebP picture')
      const problem = await findProblem(found, checkPicture, journal.latest)
      if (problem !== undefined) throw refuse(`what it delivered ${problem}`)
      return { image: found, purchase: journal.purchase }
    },
  }
}

function prepareClip({ settings, vendor, clip }: Setup, request: ClipRequest, toLoop?: ToLoop): Attempt<Clip> {
  if (clip === undefined) throw makesNone(settings, 'clips')
  const plan = planClip(settings, vendor, clip.habits, request)
  return {
    isClip: true,
    orders: clip.habits.orders,
    words: request.prompt,
    purchase: plan.purchase,
    async make({ fetch, download, signal, tell, refuse, journal }) {
      const { prompt, frameImages, duration, providerOptions } = plan
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
      for (const warning of warnings) tell(JSON.stringify(warning))
      const film = readFilm(video.uint8Array)
      if (film === undefined) throw refuse('what it delivered is no MP4 film')
      const { latest, purchase, price } = journal
      const say = (error: unknown) => tell(`the loop could not be made: ${error}`)
      const files = await addLoop(film, toLoop, { signal, latest, tell: say })
      return { ...files, purchase: plan.isEstimate ? priceClip({ price }, film.seconds) : purchase }
    },
  }
}

function makesNone({ alias, provider, model }: ModelSettings, what: string): ProviderError {
  const message = `The model ${provider}:${model} of ${alias} makes no ${what}.`
  return new ProviderError('provider_error', message, { wire: 'not_sent', retryable: false })
}
