import { judgeGarbage, judgeJob } from '../failure.js'
import { toList, toRecord, toTexts } from '../json.js'
import { readReason } from '../reason.js'
import { type Access, lookAtOnce, type Orders, type Vendor } from '../vendor.js'

const create = (load: () => unknown, { apiKey, baseUrl, fetch }: Access) =>
  (load() as typeof import('@ai-sdk/google')).createGoogleGenerativeAI({ apiKey, baseURL: baseUrl, fetch })

/** Long-running operations of Veo, known by their name. */
const operations: Orders = {
  keep(answer) {
    const name = toTexts(toRecord(answer).name)[0] ?? ''
    return /^[\w./-]{1,300}$/.test(name) ? { name } : undefined
  },
  replay: ({ name }) => ({ name }),
  read({ status, json }) {
    const operation = toRecord(json)
    if (status !== 200 || json === undefined) return undefined
    if (operation.done !== true) return { state: 'running' }
    if ('error' in operation) return { state: 'failed', failure: judgeJob(readReason(operation), true) }
    const response = toRecord(toRecord(operation.response).generateVideoResponse)
    if (toList(response.generatedSamples).length > 0) return { state: 'done' }
    const reasons = toTexts(...toList(response.raiMediaFilteredReasons))
    if (reasons.length === 0) return { state: 'failed', failure: judgeGarbage('an operation without a video') }
    const reason = { codes: ['raiMediaFilteredReasons', 'SAFETY'], message: reasons.join(' ') }
    return { state: 'failed', failure: judgeJob(reason, false) }
  },
}

export const google: Vendor = {
  optionsKey: 'google',
  picture: {
    open: (load, access) => create(load, access).image(access.model),
    callOptions: ['aspectRatio'],
    options: {},
    // Imagen draws from words alone.
    countReferences: (model) => (model.startsWith('gemini-') ? 3 : 0),
  },
  clip: {
    open: (load, access) => create(load, access).video(access.model),
    orders: operations,
    options: lookAtOnce,
    secondsOption: 'durationSeconds',
    seconds: 8,
    tellsSeconds: true,
    takesLastFrame: true,
  },
}
