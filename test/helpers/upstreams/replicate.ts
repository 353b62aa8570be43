import type { Double, ReceivedRequest, Reply, World } from './upstream.js'

/** Predictions of Replicate, answered before they are done unless they are quick. */
export const replicate: Double = {
  basePath: '/v1',
  isAllowed: ({ headers }, key) => headers.authorization === `Bearer ${key}`,
  stepOf({ method, path }) {
    if (method === 'GET' && /^\/v1\/models\/[\w.-]+\/[\w.-]+(\/versions\/\w+)?$/.test(path)) return 'find'
    if (method === 'POST') return /^\/v1\/(models\/[\w.-]+\/[\w.-]+\/)?predictions$/.test(path) ? 'buy' : undefined
    if (/^\/v1\/predictions\/\w+$/.test(path)) return 'poll'
    return path.startsWith('/delivery/') ? 'download' : undefined
  },
  serve(step, received, world) {
    if (step === 'find') return { json: { visibility: 'public', run_count: 1 } }
    if (step === 'download') return { bytes: received.path.endsWith('.mp4') ? world.clip : world.picture }
    return step === 'poll' ? servePrediction(received, world) : order(received, world)
  },
  error: (status, _code, message) => ({ status, json: { title: 'Problem', detail: message, status } }),
}

function order({ json, path, headers }: ReceivedRequest, { polls, url }: World): Reply {
  const { prompt, ...others } = json?.input ?? {}
  // Each model has its own name for the pictures.
  const pictures = Object.values(others)
    .flat()
    .filter((value) => String(value).startsWith('data:image/'))
  if (!prompt || pictures.length === 0) return replicate.error(422, '', 'input: prompt is required')
  if (!/^wait(=\d+)?$/.test(headers.prefer ?? '')) return replicate.error(400, '', 'Prefer')
  const id = `${/video|kling/.test(path) ? 'clip' : 'picture'}${polls.size + 1}`
  polls.set(id, 0)
  return { status: 201, json: describe(id, url, 'starting') }
}

function servePrediction({ path }: ReceivedRequest, { polls, pollsNeeded, url }: World): Reply {
  const id = path.split('/').at(-1) ?? ''
  const seen = polls.get(id)
  if (seen === undefined) return replicate.error(404, '', 'The requested resource could not be found.')
  polls.set(id, seen + 1)
  if (seen < pollsNeeded) return { json: describe(id, url, 'processing') }
  const output = `${url}/delivery/${id}${id.startsWith('clip') ? '.mp4' : '.png'}`
  return { json: { ...describe(id, url, 'succeeded'), output, metrics: { predict_time: 4.2 } } }
}

function describe(id: string, url: string, status: string) {
  const get = `${url}/v1/predictions/${id}`
  return { id, status, input: {}, output: null, error: null, logs: '', urls: { get, cancel: `${get}/cancel` } }
}
