import type { Double, Received, Reply, World } from './upstream.js'

/** Predictions of Replicate, which are answered before they are done unless they are quick. */
export const replicate: Double = {
  basePath: '/v1',
  isAllowed: ({ headers }, key) => headers.authorization === `Bearer ${key}`,
  stepOf({ method, path }) {
    if (method === 'POST') return /^\/v1\/(models\/[\w.-]+\/[\w.-]+\/)?predictions$/.test(path) ? 'buy' : undefined
    if (/^\/v1\/predictions\/\w+$/.test(path)) return 'look'
    return path.startsWith('/delivery/') ? 'copy' : undefined
  },
  serve(step, received, world) {
    if (step === 'copy') return { bytes: received.path.endsWith('.mp4') ? world.clip : world.picture }
    return step === 'look' ? servePrediction(received, world) : order(received, world)
  },
  error: (status, _code, message) => ({ status, json: { title: 'Problem', detail: message, status } }),
}

function order({ json, path, headers }: Received, { looks, url }: World): Reply {
  const { prompt, ...others } = json?.input ?? {}
  // Each model has a name of its own for its pictures.
  const pictures = Object.values(others)
    .flat()
    .filter((value) => String(value).startsWith('data:image/'))
  if (!prompt || pictures.length === 0) return replicate.error(422, '', 'input: prompt is required')
  if (!/^wait(=\d+)?$/.test(headers.prefer ?? '')) return replicate.error(400, '', 'Prefer')
  const id = `${/video|kling/.test(path) ? 'clip' : 'picture'}${looks.size + 1}`
  looks.set(id, 0)
  return { status: 201, json: describe(id, url, 'starting') }
}

function servePrediction({ path }: Received, { looks, looksNeeded, url }: World): Reply {
  const id = path.split('/').at(-1) ?? ''
  const seen = looks.get(id)
  if (seen === undefined) return replicate.error(404, '', 'The requested resource could not be found.')
  looks.set(id, seen + 1)
  if (seen < looksNeeded) return { json: describe(id, url, 'processing') }
  const output = `${url}/delivery/${id}${id.startsWith('clip') ? '.mp4' : '.png'}`
  return { json: { ...describe(id, url, 'succeeded'), output, metrics: { predict_time: 4.2 } } }
}

function describe(id: string, url: string, status: string) {
  const get = `${url}/v1/predictions/${id}`
  return { id, status, input: {}, output: null, error: null, logs: '', urls: { get, cancel: `${get}/cancel` } }
}
