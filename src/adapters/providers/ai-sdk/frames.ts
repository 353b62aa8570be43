import type { StillShape } from '../../../ports/clip-loops.js'
import type { ToFrame } from '../../../ports/photos.js'
import type { ClipRequest, ProviderImage } from '../../../ports/provider.js'

/**
 * Returns the request with frames that a model takes, and the shape of the first; the request as it is if they cannot be
 * scaled. Never rejects.
 */
export async function scaleFrames(
  request: ClipRequest,
  toFrame: ToFrame | undefined,
): Promise<{ readonly scaled: ClipRequest; readonly still: StillShape | undefined }> {
  const { firstFrame, lastFrame } = request
  const read = async (bytes: Uint8Array) => toFrame?.(bytes).catch(() => undefined)
  const first = await read(firstFrame.bytes)
  const last = firstFrame === lastFrame ? first : await read(lastFrame.bytes)
  if (first === undefined || last === undefined) return { scaled: request, still: undefined }
  const toImage = (jpeg: Uint8Array): ProviderImage => ({ bytes: jpeg, contentType: 'image/jpeg' })
  const scaled = { ...request, firstFrame: toImage(first.jpeg), lastFrame: toImage(last.jpeg) }
  return { scaled, still: { aspect: first.width / first.height } }
}
