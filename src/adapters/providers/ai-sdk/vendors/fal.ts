import { providers } from '../../../../models/providers.js'
import { judgeFailedOrder } from '../failure.js'
import { toList, toRecord, toTexts } from '../json.js'
import { readReason } from '../reason.js'
import { type OrderProtocol, pollImmediately, readOne, type Vendor, type VendorAccess } from '../vendor.js'

const create = (load: () => unknown, { apiKey, baseUrl, fetch }: VendorAccess) =>
  (load() as typeof import('@ai-sdk/fal')).createFal({ apiKey, baseURL: baseUrl, fetch })

/** The SDK sends orders here, regardless of its base URL. */
const queueUrl = 'https://queue.fal.run'

/** The app answers this, through the queue, if it does not have the model any more: the request itself is known. */
const pathGone = /^(path|application) \S+ not found/i

/**
 * The queue. A request is identified by the path of its result; the SDK accepts only URLs of the queue, so the URL is
 * rebuilt.
 */
const queue: OrderProtocol = {
  keep(answer) {
    const { request_id, response_url } = toRecord(answer)
    const [id = '', url = ''] = toTexts(request_id, response_url)
    const path = URL.canParse(url) ? new URL(url).pathname : ''
    return /^[\w-]{1,200}$/.test(id) && /^\/[\w./-]{1,300}$/.test(path) ? { id, path } : undefined
  },
  replay: ({ id, path = '' }) => ({ request_id: id, response_url: `${queueUrl}${path}` }),
  read({ status, headers, json }) {
    const root = toRecord(json)
    if (status === 200 && json !== undefined) return { state: 'done' }
    if (status === 202 || root.detail === 'Request is still in progress') return { state: 'running' }
    const [gone] = status === 404 ? toTexts(root.detail).filter((detail) => pathGone.test(detail)) : []
    if (gone !== undefined) {
      return { state: 'failed', failure: judgeFailedOrder({ codes: ['model_not_found'], message: gone }, false) }
    }
    // A failure of the model has details or a type; a failure of the queue has neither.
    const isOfModel = toList(root.detail).length > 0 || 'error_type' in root || 'x-fal-error-type' in headers
    if (!isOfModel || [401, 403, 404, 429].includes(status)) return undefined
    return { state: 'failed', failure: judgeFailedOrder(readReason(root), status >= 500) }
  },
}

export const fal: Vendor = {
  optionsKey: 'fal',
  // Lookups use another host than calls: there is no lookup for an operator's own base URL.
  lookUp: ({ model, apiKey, baseUrl }) =>
    baseUrl === providers.fal.baseUrl
      ? {
          url: `https://api.fal.ai/v1/models?endpoint_id=${encodeURIComponent(model)}`,
          headers: { authorization: `Key ${apiKey}` },
          read: (status, json) => (status === 200 ? toList(toRecord(json).models).length > 0 : readOne(status, json)),
        }
      : undefined,
  locate(url, model, baseUrl) {
    if (!url.startsWith(`${queueUrl}/`)) return url
    // The SDK prefixes every model with `fal-ai`, even one that names another owner.
    const isOfOther = model.includes('/') && url === `${queueUrl}/fal-ai/${model}`
    const path = isOfOther ? `/${model}` : url.slice(queueUrl.length)
    return `${baseUrl?.replace(/\/+$/, '') ?? queueUrl}${path}`
  },
  picture: {
    open: (load, access) => create(load, access).image(access.model),
    countReferences: (_model, { useMultipleImages }) => (useMultipleImages === true ? 10 : 1),
  },
  clip: {
    open: (load, access) => create(load, access).video(access.model),
    orders: queue,
    options: pollImmediately,
    secondsOption: 'duration',
    seconds: 5,
    sendsSeconds: false,
    takesLastFrame: false,
  },
}
