import { judgeFailedOrder } from '../failure.js'
import { toList, toRecord, toTexts } from '../json.js'
import { readReason } from '../reason.js'
import { bearer, type OrderProtocol, pollImmediately, type Vendor, type VendorAccess } from '../vendor.js'

const create = (load: () => unknown, { apiKey, baseUrl, fetch }: VendorAccess) =>
  (load() as typeof import('@ai-sdk/bytedance')).createByteDance({ apiKey, baseURL: baseUrl, fetch })

/** Tasks of Seedance. One that failed, was canceled in the queue or expired is not charged. */
const tasks: OrderProtocol = {
  keep(answer) {
    const id = toTexts(toRecord(answer).id)[0] ?? ''
    return /^[\w-]{1,200}$/.test(id) ? { id } : undefined
  },
  replay: ({ id }) => ({ id }),
  read({ status: httpStatus, json }) {
    const task = toRecord(json)
    const status = task.status
    if (httpStatus !== 200 || typeof status !== 'string') return undefined
    if (status === 'succeeded') return { state: 'done' }
    if (status === 'failed') return { state: 'failed', failure: judgeFailedOrder(readReason(task), true) }
    if (status === 'cancelled') {
      return { state: 'failed', failure: judgeFailedOrder({ codes: [status], message: '' }, true) }
    }
    if (status === 'expired') {
      const detail = 'the task expired'
      return { state: 'failed', failure: { code: 'timed_out', wire: 'refused', retryable: true, detail } }
    }
    return { state: 'running' }
  },
}

export const bytedance: Vendor = {
  optionsKey: 'bytedance',
  // The list lacks models that work and the endpoints (`ep-…`) of an account; it still has shut-down models.
  lookUp: ({ model, apiKey, baseUrl }) => ({
    url: `${baseUrl}/models`,
    headers: bearer(apiKey),
    read(_status, json) {
      const found = toList(toRecord(json).data)
        .map(toRecord)
        .find(({ id }) => id === model)
      return found && found.status !== 'Shutdown'
    },
  }),
  picture: {
    open: (load, access) => create(load, access).image(access.model),
    countReferences: () => 10,
  },
  clip: {
    open: (load, access) => create(load, access).video(access.model),
    orders: tasks,
    options: pollImmediately,
    secondsOption: 'duration',
    seconds: 5,
    sendsSeconds: true,
    takesLastFrame: true,
  },
}
