import { judgeFailedOrder, judgeUnusable } from '../failure.js'
import { toList, toRecord, toTexts } from '../json.js'
import { readReason } from '../reason.js'
import { type OrderProtocol, pollImmediately, readOne, type Vendor, type VendorAccess } from '../vendor.js'

const create = (load: () => unknown, { apiKey, baseUrl, fetch }: VendorAccess) =>
  (load() as typeof import('@ai-sdk/google')).createGoogleGenerativeAI({ apiKey, baseURL: baseUrl, fetch })

/** Long-running operations of Veo, identified by their name. */
const operations: OrderProtocol = {
  keep(answer) {
    const name = toTexts(toRecord(answer).name)[0] ?? ''
    return /^[\w./-]{1,300}$/.test(name) ? { name } : undefined
  },
  replay: ({ name }) => ({ name }),
  read({ status, json }) {
    const operation = toRecord(json)
    if (status !== 200 || json === undefined) return undefined
    if (operation.done !== true) return { state: 'running' }
    if ('error' in operation) return { state: 'failed', failure: judgeFailedOrder(readReason(operation), true) }
    const response = toRecord(toRecord(operation.response).generateVideoResponse)
    if (toList(response.generatedSamples).length > 0) return { state: 'done' }
    const reasons = toTexts(...toList(response.raiMediaFilteredReasons))
    if (reasons.length === 0) return { state: 'failed', failure: judgeUnusable('an operation without a video') }
    const reason = { codes: ['raiMediaFilteredReasons', 'SAFETY'], message: reasons.join(' ') }
    return { state: 'failed', failure: judgeFailedOrder(reason, false) }
  },
}

export const google: Vendor = {
  optionsKey: 'google',
  lookUp: ({ model, apiKey, baseUrl }) => ({
    url: `${baseUrl}/models/${encodeURIComponent(model)}`,
    headers: { 'x-goog-api-key': apiKey },
    read: readOne,
  }),
  picture: {
    open: (load, access) => create(load, access).image(access.model),
    callOptions: ['aspectRatio'],
    // Imagen accepts only a prompt.
    countReferences: (model) => (model.startsWith('gemini-') ? 3 : 0),
  },
  clip: {
    open: (load, access) => create(load, access).video(access.model),
    orders: operations,
    options: pollImmediately,
    secondsOption: 'durationSeconds',
    seconds: 8,
    sendsSeconds: true,
    takesLastFrame: true,
  },
}
