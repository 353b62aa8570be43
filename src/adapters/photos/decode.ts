import sharp, { type Metadata, type OutputInfo } from 'sharp'
import type { ReadAnswer, ReadRequest } from './protocol.js'
import { countScans, isAnimatedPng } from './structure.js'

// @NOTE contract: not shown beyond a configured least size; what no avatar is made from, or a decoder chokes on, is refused.
const scansAtMost = 64
const pixelsAtMost = 40_000_000
const aspectAtMost = 4
/** Longer side of what is kept, pixels. */
const keptSide = 2048
const jpegQuality = 88

sharp.cache(false)
sharp.concurrency(1)
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({
  operation: ['VipsForeignLoadJpegBuffer', 'VipsForeignLoadPngBuffer', 'VipsForeignLoadWebpBuffer'],
})

/**
 * Decodes a photo and makes the copy that is kept. Every pixel is decoded, as damage shows only then; what comes out is
 * drawn anew from bare pixels, so that nothing else of the file survives.
 */
export async function decodePhoto(request: ReadRequest): Promise<ReadAnswer> {
  const refusal = refuseStructure(request) ?? (await refuseHeader(request))
  if (refusal !== undefined) return { refusal }
  // What the decoder says of a file is about its own insides: whatever it is, the file is at fault.
  const pixels = await decodePixels(request).catch(() => undefined)
  if (pixels === undefined) return { refusal: damaged }
  const { data, info } = pixels
  if (isBlank(data, info, rules[request.source].noise)) {
    return { refusal: 'shows nothing: it is of one colour or transparent throughout. Send a photo of the pet.' }
  }
  const { width, height } = info
  const jpeg = await sharp(data, { raw: { width, height, channels: 3 } })
    .jpeg({ quality: jpegQuality })
    .toBuffer()
  return { jpeg, width, height }
}

/** A model's picture is paid: it is refused only where nobody could use it. */
const rules = {
  caller: { failOn: 'warning', background: 'white', noise: 8 },
  model: { failOn: 'error', background: '#808080', noise: 2 },
} as const

const damaged = 'is damaged or cut off. Send it once more, or save it again as JPEG or PNG.'

function refuseStructure({ bytes, kind }: ReadRequest): string | undefined {
  if (kind === 'png' && isAnimatedPng(bytes)) return animated('PNG')
  const scans = kind === 'jpeg' ? countScans(bytes) : 0
  if (scans <= scansAtMost) return undefined
  return `is a JPEG in ${scans} scans; at most ${scansAtMost} are accepted. Save it again as an ordinary JPEG.`
}

async function refuseHeader({ bytes, kind, minSide, source }: ReadRequest): Promise<string | undefined> {
  // Without the limit a picture that is too large says its size; nothing is decoded yet.
  const metadata = await sharp(bytes, { limitInputPixels: false })
    .metadata()
    .catch(() => undefined)
  if (metadata === undefined || metadata.format !== kind) return damaged
  if ((metadata.pages ?? 1) > 1) return animated('WebP')
  return refuseSize(metadata, minSide, source === 'model' ? Number.POSITIVE_INFINITY : aspectAtMost)
}

function refuseSize({ autoOrient: { width, height } }: Metadata, minSide: number, aspect: number): string | undefined {
  const size = `is ${width} × ${height} pixels`
  const shorter = Math.min(width, height)
  if (width * height > pixelsAtMost) {
    const millions = Math.ceil((width * height) / 100_000) / 10
    return `${size}, ${millions} million in all; at most ${pixelsAtMost / 1e6} million are accepted. Scale it down.`
  }
  if (shorter < minSide) return `${size}; its shorter side must have at least ${minSide}. Send a larger picture.`
  if (Math.max(width, height) > aspect * shorter) {
    return `${size}; its longer side may be at most ${aspect} times the shorter. Crop it.`
  }
  return undefined
}

function animated(kind: string): string {
  return `is an animated ${kind}; only a single picture is accepted. Save one frame as JPEG or PNG.`
}

/** The picture upright, in sRGB without transparency, within the size that is kept: three bytes a pixel. */
function decodePixels({ bytes, source }: ReadRequest): Promise<{ data: Buffer; info: OutputInfo }> {
  const { failOn, background } = rules[source]
  return sharp(bytes, { limitInputPixels: pixelsAtMost, failOn, pages: 1, autoOrient: true })
    .resize(keptSide, keptSide, { fit: 'inside', withoutEnlargement: true })
    .flatten({ background })
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true })
}

/** Whether fewer than one pixel in a thousand differ from the first by more than a trace of noise. */
function isBlank(data: Buffer, { width, height }: OutputInfo, noise: number): boolean {
  const enough = (width * height) / 1000
  let different = 0
  for (let at = 0; at < data.length && different < enough; at += 3) {
    if (differs(data, at, noise) || differs(data, at + 1, noise) || differs(data, at + 2, noise)) different += 1
  }
  return different < enough
}

/** Whether a channel of a pixel is not as in the first one. */
function differs(data: Buffer, at: number, noise: number): boolean {
  return Math.abs((data[at] ?? 0) - (data[at % 3] ?? 0)) > noise
}
