import { judgeFailedOrder } from '../failure.js'
import { toRecord, toTexts } from '../json.js'
import { bearer, type OrderProtocol, pollImmediately, readOne, type Vendor, type VendorAccess } from '../vendor.js'

const create = (load: () => unknown, { apiKey, baseUrl, fetch }: VendorAccess) =>
  (load() as typeof import('@ai-sdk/replicate')).createReplicate({ apiToken: apiKey, baseURL: baseUrl, fetch })

const findUrl = (id: string, baseUrl: string) => `${baseUrl}/predictions/${id}`

/** Predictions. One that is canceled while it runs is charged; one that never ran or failed is not. */
const predictions: OrderProtocol = {
  keep(answer) {
    const id = toTexts(toRecord(answer).id)[0] ?? ''
    return /^[\w-]{1,200}$/.test(id) ? { id } : undefined
  },
  replay: ({ id = '' }, baseUrl) => ({ id, status: 'processing', urls: { get: findUrl(id, baseUrl) } }),
  findUrl: ({ id = '' }, baseUrl) => findUrl(id, baseUrl),
  read({ status: httpStatus, json }) {
    const { status, error } = toRecord(json)
    if (httpStatus !== 200 || typeof status !== 'string') return undefined
    if (status === 'succeeded') return { state: 'done' }
    if (status === 'canceled') {
      const detail = 'the prediction was canceled'
      return { state: 'failed', failure: { code: 'provider_error', wire: 'ambiguous', retryable: false, detail } }
    }
    if (status === 'failed' || status === 'aborted') {
      const reason = { codes: [status], message: toTexts(error)[0] ?? '' }
      return { state: 'failed', failure: judgeFailedOrder(reason, true) }
    }
    return { state: 'running' }
  },
}

/** Does not wait for the result: a response that is lost on the way would lose the prediction. */
const answerAtOnce = { maxWaitTimeInSeconds: 1 }

export const replicate: Vendor = {
  optionsKey: 'replicate',
  lookUp({ model, apiKey, baseUrl }) {
    const [name = '', version] = model.split(':')
    const url = `${baseUrl}/models/${name}${version === undefined ? '' : `/versions/${version}`}`
    return { url, headers: bearer(apiKey), read: readOne }
  },
  picture: {
    open: (load, access) => create(load, access).image(access.model),
    orders: predictions,
    options: answerAtOnce,
    countReferences: (model) => (model.startsWith('black-forest-labs/flux-2-') ? 8 : 1),
  },
  clip: {
    open: (load, access) => create(load, access).video(access.model),
    orders: predictions,
    options: { ...pollImmediately, ...answerAtOnce },
    secondsOption: 'duration',
    seconds: 5,
    sendsSeconds: false,
    takesLastFrame: false,
  },
}
