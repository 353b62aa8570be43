import type { Double, ReceivedRequest, Reply, World } from './upstream.js'

/** Pictures of fal in the response, and clips through its queue; both have the same address here. */
export const fal: Double = {
  basePath: '',
  isAllowed: ({ headers }, key) => headers.authorization === `Key ${key}`,
  stepOf({ method, path }) {
    if (method === 'POST') return /^\/(fal-ai|bytedance|google)\/./.test(path) ? 'buy' : undefined
    if (/^\/(fal-ai|bytedance|google)\/[\w.-]+\/requests\/[\w-]+$/.test(path)) return 'poll'
    return path.startsWith('/files/') ? 'download' : undefined
  },
  serve(step, received, world) {
    if (step === 'download') return { bytes: received.path.endsWith('.mp4') ? world.clip : world.picture }
    if (step === 'poll') return serveResult(received, world)
    return received.path.includes('video') ? order(received, world) : servePicture(received, world)
  },
  error: (status, code, message) =>
    status === 422
      ? { status, json: { detail: [{ loc: ['body', 'prompt'], msg: message, type: code }] } }
      : { status, json: { detail: message } },
}

function servePicture({ json }: ReceivedRequest, { url }: World): Reply {
  // Some models take one picture, some a list.
  const [image_url] = json?.image_urls ?? [json?.image_url]
  if (!json?.prompt || !image_url?.startsWith('data:image/')) return fal.error(422, 'missing', 'Field required')
  const image = { url: `${url}/files/a.png`, content_type: 'image/png', width: 768, height: 768 }
  return {
    json: { images: [image], seed: 7, has_nsfw_concepts: [false], prompt: json.prompt, timings: { inference: 1.2 } },
  }
}

function order({ json, path }: ReceivedRequest, { polls, url }: World): Reply {
  if (!json?.prompt || !json.image_url?.startsWith('data:image/')) return fal.error(422, 'missing', 'Field required')
  const id = `764cabcf-${polls.size + 1}`
  polls.set(id, 0)
  const request = `${url}${path.split('/').slice(0, 3).join('/')}/requests/${id}`
  return {
    json: {
      status: 'IN_QUEUE',
      request_id: id,
      response_url: request,
      status_url: `${request}/status`,
      cancel_url: `${request}/cancel`,
      queue_position: 0,
    },
  }
}

function serveResult({ path }: ReceivedRequest, { polls, pollsNeeded, url }: World): Reply {
  const id = path.split('/').at(-1) ?? ''
  const seen = polls.get(id)
  if (seen === undefined) return fal.error(404, 'not_found', 'Request not found')
  polls.set(id, seen + 1)
  if (seen < pollsNeeded) return fal.error(400, '', 'Request is still in progress')
  return { json: { video: { url: `${url}/files/${id}.mp4`, content_type: 'video/mp4', file_size: 900 } } }
}
