import type { Double, ReceivedRequest, Reply, World } from './upstream.js'

/** Gemini pictures, and Veo clips as long-running operations whose file is downloaded with the key. */
export const google: Double = {
  basePath: '/v1beta',
  isAllowed: ({ headers, query }, key) => headers['x-goog-api-key'] === key || query.get('key') === key,
  stepOf({ method, path }) {
    if (method === 'GET' && /^\/v1beta\/models\/[\w.-]+$/.test(path)) return 'find'
    if (method === 'POST' && /^\/v1beta\/models\/[\w.-]+:(generateContent|predictLongRunning|predict)$/.test(path))
      return 'buy'
    if (/^\/v1beta\/models\/[\w.-]+\/operations\/\w+$/.test(path)) return 'poll'
    return /^\/v1beta\/files\/\w+:download$/.test(path) ? 'download' : undefined
  },
  serve(step, received, world) {
    if (step === 'find') return { json: { name: received.path.slice('/v1beta/'.length), version: '001' } }
    if (step === 'download') return serveFile(received, world)
    if (step === 'poll') return serveOperation(received, world)
    if (received.path.endsWith(':generateContent')) return servePicture(received, world)
    return received.path.endsWith(':predict') ? servePrediction(received, world) : order(received, world)
  },
  error,
}

/** Google's own files need the key; a file elsewhere has a signed URL and must not receive the key. */
function serveFile({ query, headers }: ReceivedRequest, { clip }: World): Reply {
  const hasKey = query.has('key') || 'x-goog-api-key' in headers
  return hasKey === query.has('signature') ? error(403, 'PERMISSION_DENIED', 'Not with this key.') : { bytes: clip }
}

function servePicture({ json }: ReceivedRequest, { picture }: World): Reply {
  const parts: readonly { text?: string; inlineData?: { mimeType: string; data: string } }[] =
    json?.contents?.[0]?.parts ?? []
  const isComplete = parts.some(({ text }) => text) && json.generationConfig?.responseModalities?.includes('IMAGE')
  if (!isComplete) return error(400, 'INVALID_ARGUMENT', 'contents.parts must not be empty.')
  const data = picture.toString('base64')
  return {
    json: {
      candidates: [
        {
          content: { role: 'model', parts: [{ inlineData: { mimeType: 'image/png', data } }] },
          finishReason: 'STOP',
          index: 0,
        },
      ],
      usageMetadata: { promptTokenCount: 8, candidatesTokenCount: 1290, totalTokenCount: 1298 },
      modelVersion: 'gemini-nano-banana-2.1',
    },
  }
}

function servePrediction({ json }: ReceivedRequest, { picture }: World): Reply {
  if (!json?.instances?.[0]?.prompt) return error(400, 'INVALID_ARGUMENT', 'A prompt is needed.')
  return { json: { predictions: [{ mimeType: 'image/png', bytesBase64Encoded: picture.toString('base64') }] } }
}

function order({ json, path }: ReceivedRequest, { polls }: World): Reply {
  const { prompt, image, lastFrame } = json?.instances?.[0] ?? {}
  const hasFrames = [image, lastFrame].every((frame) => frame?.bytesBase64Encoded && /^image\//.test(frame.mimeType))
  if (!prompt || !hasFrames) return error(400, 'INVALID_ARGUMENT', 'Both frames are needed.')
  if (![4, 6, 8].includes(json.parameters?.durationSeconds))
    return error(400, 'INVALID_ARGUMENT', 'durationSeconds is 4, 6 or 8.')
  const id = `op${polls.size + 1}`
  polls.set(id, 0)
  return { json: { name: `${path.slice('/v1beta/'.length).split(':')[0]}/operations/${id}` } }
}

function serveOperation({ path }: ReceivedRequest, { polls, pollsNeeded, url, filesUrl }: World): Reply {
  const name = path.slice('/v1beta/'.length)
  const id = name.split('/').at(-1) ?? ''
  const seen = polls.get(id)
  if (seen === undefined) return error(404, 'NOT_FOUND', 'Operation not found.')
  polls.set(id, seen + 1)
  if (seen < pollsNeeded) return { json: { name } }
  const file = `/v1beta/files/${id}:download?alt=media`
  const video = { uri: filesUrl === url ? `${url}${file}` : `${filesUrl}${file}&signature=0123` }
  return { json: { name, done: true, response: { generateVideoResponse: { generatedSamples: [{ video }] } } } }
}

function error(status: number, code: string, message: string): Reply {
  return { status, json: { error: { code: status, message, status: code } } }
}
