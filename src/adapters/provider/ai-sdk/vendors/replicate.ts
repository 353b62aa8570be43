import { judgeJob } from '../failure.js'
import { toRecord, toTexts } from '../json.js'
import { type Access, lookAtOnce, type Orders, type Vendor } from '../vendor.js'

const create = (load: () => unknown, { apiKey, baseUrl, fetch }: Access) =>
  (load() as typeof import('@ai-sdk/replicate')).createReplicate({ apiToken: apiKey, baseURL: baseUrl, fetch })

const findUrl = (id: string, baseUrl: string) => `${baseUrl}/predictions/${id}`

/** Predictions. One that is cancelled while it runs is charged for, one that never ran or failed is not. */
const predictions: Orders = {
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
      return { state: 'failed', failure: judgeJob(reason, true) }
    }
    return { state: 'running' }
  },
}

/** The answer is not waited for: one that is lost on its way would lose the prediction. */
const answerAtOnce = { maxWaitTimeInSeconds: 1 }

export const replicate: Vendor = {
  optionsKey: 'replicate',
  picture: {
    open: (load, access) => create(load, access).image(access.model),
    orders: predictions,
    callOptions: [],
    options: answerAtOnce,
    countReferences: (model) => (model.startsWith('black-forest-labs/flux-2-') ? 8 : 1),
  },
  clip: {
    open: (load, access) => create(load, access).video(access.model),
    orders: predictions,
    options: { ...lookAtOnce, ...answerAtOnce },
    secondsOption: 'duration',
    seconds: 5,
    tellsSeconds: false,
    takesLastFrame: false,
  },
}
