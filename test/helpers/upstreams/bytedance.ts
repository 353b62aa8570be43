import type { Double, ReceivedRequest, Reply, World } from './upstream.js'

/** Seedream pictures, and Seedance clips as tasks. */
export const bytedance: Double = {
  basePath: '/api/v3',
  isAllowed: ({ headers }, key) => headers.authorization === `Bearer ${key}`,
  stepOf({ method, path }) {
    if (method === 'GET' && path === '/api/v3/models') return 'find'
    if (method === 'POST')
      return /^\/api\/v3\/(images\/generations|contents\/generations\/tasks)$/.test(path) ? 'buy' : undefined
    if (/^\/api\/v3\/contents\/generations\/tasks\/[\w-]+$/.test(path)) return 'poll'
    return path.startsWith('/tos/') ? 'download' : undefined
  },
  serve(step, received, world) {
    if (step === 'find') return { json: { object: 'list', data: models } }
    if (step === 'download') return { bytes: world.clip }
    if (step === 'poll') return serveTask(received, world)
    return received.path.endsWith('/tasks') ? order(received, world) : servePicture(received, world)
  },
  error,
}

/** Those that are switched off stay on the list, which is not complete. */
const models = [{ id: 'dreamina-seedance-2-0-260128' }, { id: 'seedance-1-5-pro-251215', status: 'Shutdown' }]

function servePicture({ json }: ReceivedRequest, { picture }: World): Reply {
  const images: readonly string[] = [json?.image ?? []].flat()
  if (!json?.model || !json.prompt || images.some((image) => !image.startsWith('data:image/'))) {
    return error(400, 'InvalidParameter', 'One or more parameters specified in the request are not valid.')
  }
  return {
    json: { model: json.model, created: 1760947200, data: [{ b64_json: picture.toString('base64'), size: '768x768' }] },
  }
}

const taskFields =
  /^(model|content|duration|frames|ratio|resolution|seed|watermark|camera_fixed|generate_audio|return_last_frame|callback_url|service_tier|execution_expires_after|draft)$/

function order({ json }: ReceivedRequest, { polls }: World): Reply {
  const content: readonly { type: string; role?: string; image_url?: { url: string } }[] = json?.content ?? []
  const strange = Object.keys(json ?? {}).find((name) => !taskFields.test(name))
  if (strange !== undefined) return error(400, 'InvalidParameter', `The parameter ${strange} is not valid.`)
  const images = content.filter(({ type }) => type === 'image_url')
  if (images.some(({ image_url }) => !image_url?.url.startsWith('data:image/')))
    return error(400, 'InvalidParameter', 'The parameter content.image_url is not valid.')
  if (!Number.isInteger(json?.duration) || json.duration < 4 || json.duration > 12)
    return error(400, 'InvalidParameter', 'The parameter duration is not valid.')
  const roles = content.map(({ type, role }) => role ?? type)
  if (!json?.model || !['text', 'first_frame', 'last_frame'].every((role) => roles.includes(role))) {
    return error(400, 'MissingParameter', 'The request is missing a parameter.')
  }
  const id = `cgt-${polls.size + 1}`
  polls.set(id, 0)
  return { json: { id } }
}

function serveTask({ path }: ReceivedRequest, { polls, pollsNeeded, url }: World): Reply {
  const id = path.split('/').at(-1) ?? ''
  const seen = polls.get(id)
  if (seen === undefined) return error(404, 'ResourceNotFound', 'The task is not found.')
  polls.set(id, seen + 1)
  const task = { id, model: 'dreamina-seedance-2-0-260128', created_at: 1760947200, updated_at: 1760947260 }
  if (seen < pollsNeeded) return { json: { ...task, status: seen === 0 ? 'queued' : 'running' } }
  const content = { video_url: `${url}/tos/${id}.mp4?X-Tos-Signature=0123456789abcdef` }
  return { json: { ...task, status: 'succeeded', content, usage: { completion_tokens: 108900 } } }
}

function error(status: number, code: string, message: string): Reply {
  return { status, json: { error: { code, message: `${message} Request id: 021`, param: '', type: 'BadRequest' } } }
}
