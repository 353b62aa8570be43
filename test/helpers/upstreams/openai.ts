import type { Double, ReceivedRequest, Reply } from './upstream.js'

/** Images of OpenAI and compatible endpoints: edits as a form, generations as JSON, pictures in base64. */
export const openai: Double = {
  basePath: '/v1',
  isAllowed: ({ headers }, key) => headers.authorization === `Bearer ${key}`,
  stepOf({ method, path }) {
    if (method === 'GET' && /^\/v1\/models(\/[\w.-]+)?$/.test(path)) return 'find'
    if (method === 'POST' && /^\/v1\/images\/(edits|generations)$/.test(path)) return 'buy'
    return path === '/made.png' ? 'download' : undefined
  },
  async serve(step, received, { picture }) {
    if (step === 'find') return findModel(received)
    if (step === 'download') return { bytes: picture }
    const strange = await findUnknown(received)
    if (strange !== undefined) return error(400, 'unknown_parameter', `Unknown parameter: '${strange}'.`)
    const problem = received.path.endsWith('/edits') ? await checkEdit(received) : checkGeneration(received)
    if (problem !== undefined) return error(400, 'invalid_value', problem)
    return {
      json: { created: 1760947200, data: [{ b64_json: picture.toString('base64') }], usage: { total_tokens: 5 } },
    }
  },
  error,
}

/** Answers for one model, or with the list. */
function findModel({ path }: ReceivedRequest): Reply {
  const [, id] = /^\/v1\/models\/(.+)$/.exec(path) ?? []
  if (id !== undefined) return { json: { id, object: 'model', created: 1760947200, owned_by: 'system' } }
  return { json: { object: 'list', data: [{ id: 'gpt-image-2.6-flare', object: 'model' }] } }
}

const fields =
  /^(model|prompt|n|size|quality|background|moderation|output_(format|compression)|user|stream|partial_images)$/
const editFields = /^(image(\[\])?|mask|input_fidelity)$/

/**
 * Finds a field that gpt-image rejects; `response_format` is only for older models. Other endpoints accept any field.
 */
async function findUnknown(received: ReceivedRequest): Promise<string | undefined> {
  const isEdit = received.path.endsWith('/edits')
  const form = isEdit ? await readForm(received) : undefined
  const names = form === undefined ? Object.keys(received.json ?? {}) : [...form.keys()]
  if (!/^(openai\/)?gpt-image-/.test(String(form?.get('model') ?? received.json?.model))) return undefined
  return names.find((name) => !fields.test(name) && !(isEdit && editFields.test(name)))
}

const readForm = ({ body, headers }: ReceivedRequest) =>
  new Response(body, { headers: { 'content-type': headers['content-type'] ?? '' } }).formData()

async function checkEdit(received: ReceivedRequest): Promise<string | undefined> {
  const form = await readForm(received)
  const images = [...form.getAll('image'), ...form.getAll('image[]')]
  if (images.length === 0 || images.some((image) => typeof image === 'string'))
    return "Missing required parameter: 'image'."
  const types = images.map((image) => (image as File).type)
  if (types.some((type) => !/^image\/(png|jpeg|webp)$/.test(type))) return `Invalid file 'image': ${types}.`
  if (typeof form.get('prompt') !== 'string' || form.get('model') === null)
    return "Missing required parameter: 'prompt'."
  return undefined
}

function checkGeneration({ json }: ReceivedRequest): string | undefined {
  return typeof json?.prompt === 'string' && typeof json.model === 'string' && (json.n ?? 1) === 1
    ? undefined
    : "Missing required parameter: 'prompt'."
}

function error(status: number, code: string, message: string): Reply {
  return { status, json: { error: { message, type: 'image_generation_user_error', param: null, code } } }
}
