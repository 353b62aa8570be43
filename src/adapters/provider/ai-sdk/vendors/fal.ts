import { judgeJob } from '../failure.js'
import { toList, toRecord, toTexts } from '../json.js'
import { readReason } from '../reason.js'
import { type Access, lookAtOnce, type Orders, type Vendor } from '../vendor.js'

const create = (load: () => unknown, { apiKey, baseUrl, fetch }: Access) =>
  (load() as typeof import('@ai-sdk/fal')).createFal({ apiKey, baseURL: baseUrl, fetch })

/** Where the SDK sends orders, whatever base it is given. */
const queueUrl = 'https://queue.fal.run'

/** The queue. A request is known by the path of its result; the SDK trusts URLs of the queue only, so that it gets one. */
const queue: Orders = {
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
    // The model's own failure comes with details or a type; without, it is the queue that is out of order.
    const isOfModel = toList(root.detail).length > 0 || 'error_type' in root || 'x-fal-error-type' in headers
    if (!isOfModel || [401, 403, 404, 429].includes(status)) return undefined
    return { state: 'failed', failure: judgeJob(readReason(root), status >= 500) }
  },
}

export const fal: Vendor = {
  optionsKey: 'fal',
  locate(url, model, baseUrl) {
    if (!url.startsWith(`${queueUrl}/`)) return url
    // The SDK takes every model for one of `fal-ai`, also those that name another owner.
    const isOfOther = model.includes('/') && url === `${queueUrl}/fal-ai/${model}`
    const path = isOfOther ? `/${model}` : url.slice(queueUrl.length)
    return `${baseUrl?.replace(/\/+$/, '') ?? queueUrl}${path}`
  },
  picture: {
    open: (load, access) => create(load, access).image(access.model),
    callOptions: [],
    options: {},
    countReferences: (_model, { useMultipleImages }) => (useMultipleImages === true ? 10 : 1),
  },
  clip: {
    open: (load, access) => create(load, access).video(access.model),
    orders: queue,
    options: lookAtOnce,
    secondsOption: 'duration',
    seconds: 5,
    tellsSeconds: false,
    takesLastFrame: false,
  },
}
