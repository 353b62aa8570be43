import type { StillShape } from '../../../ports/clip-loops.js'
import type { ToFrame } from '../../../ports/photos.js'
import type { ClipRequest, PictureRequest, ProviderImage } from '../../../ports/provider.js'

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
  const scaled = { ...request, firstFrame: toImage(first.jpeg), lastFrame: toImage(last.jpeg) }
  return { scaled, still: { aspect: first.width / first.height } }
}

/** Vendors accept about 10 MB a picture, and a picture of 2048 pixels may be larger as PNG. */
const largeBytes = 2_000_000

/** Returns the request with large references scaled; a reference that cannot be scaled stays. Never rejects. */
export async function scaleReferences(request: PictureRequest, toFrame: ToFrame | undefined): Promise<PictureRequest> {
  const scale = async (image: ProviderImage) => {
    if (image.bytes.length <= largeBytes) return image
    const frame = await toFrame?.(image.bytes).catch(() => undefined)
    return frame === undefined ? image : toImage(frame.jpeg)
  }
  return { ...request, references: await Promise.all(request.references.map(scale)) }
}

const toImage = (jpeg: Uint8Array): ProviderImage => ({ bytes: jpeg, contentType: 'image/jpeg' })
