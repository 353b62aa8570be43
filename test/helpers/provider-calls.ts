import type { ClipRequest, PictureRequest, ProviderCall, ProviderImage } from '../../src/ports/provider.js'

/** A photo of nothing: a lighter patch before a darker ground, of colors that follow from `seed`. */
export async function makePhoto(seed = 0): Promise<ProviderImage> {
  const ground = { r: 60 + ((seed * 37) % 60), g: 110, b: 70 }
  const patch = `<svg width="400" height="400"><circle cx="200" cy="200" r="190" fill="rgb(${190 - (seed % 50)},130,80)"/></svg>`
  const { default: sharp } = await import('sharp')
  const bytes = await sharp({ create: { width: 800, height: 600, channels: 3, background: ground } })
    .composite([{ input: Buffer.from(patch) }])
    .jpeg()
    .toBuffer()
  return { bytes, contentType: 'image/jpeg' }
}

/** Asks for a picture of the pet on `photo`. */
export function buildPictureRequest(photo: ProviderImage, subject: Partial<PictureRequest['subject']> = {}) {
  return {
    subject: { species: 'dog', pose: 'sitting', ...subject },
    references: [photo],
    prompt: 'A sitting dog in a park.',
  } satisfies PictureRequest
}

/** Asks for a clip of the pet on `photo`, which is also its first and last frame. */
export function buildClipRequest(photo: ProviderImage, subject: Partial<ClipRequest['subject']> = {}) {
  return { ...buildPictureRequest(photo, subject), firstFrame: photo, lastFrame: photo, seconds: 2 }
}

export function buildCall(changes: Partial<ProviderCall> = {}): ProviderCall {
  return {
    signal: new AbortController().signal,
    unitId: 'unit-1',
    taskId: 'task-1',
    leftMs: 600_000,
    memo: null,
    saveMemo: async () => undefined,
    ...changes,
  }
}
