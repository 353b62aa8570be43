import sharp, { type Metadata, type OutputInfo } from 'sharp'
import type { ReadAnswer, ReadRequest } from './protocol.js'
import { countScans, isAnimatedPng, readWebpSize } from './structure.js'

// @NOTE contract: only a configured minimum size is shown; photos that are useless for an avatar or risky to decode
// are refused.
const scansAtMost = 64
const pixelsAtMost = 40_000_000
const aspectAtMost = 4
/** Longer side of the stored photo, in pixels. */
const storedSide = 2048
const jpegQuality = 88

sharp.cache(false)
sharp.concurrency(1)
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({
  operation: ['VipsForeignLoadJpegBuffer', 'VipsForeignLoadPngBuffer', 'VipsForeignLoadWebpBuffer'],
})

/**
 * Decodes a photo and makes the copy to store. Every pixel is decoded, because only that reveals damage; the copy is
 * encoded from bare pixels, so that nothing else of the file survives.
 */
export async function decodePhoto(request: ReadRequest): Promise<ReadAnswer> {
  const refusal = refuseStructure(request) ?? (await refuseHeader(request))
  if (refusal !== undefined) return { refusal }
  // A decoder's messages are about its internals: any failure means that the file is damaged.
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

/** A model's picture is paid, so it is refused only if it is useless. */
const rules = {
  caller: { failOn: 'warning', background: 'white', noise: 8 },
  model: { failOn: 'error', background: '#808080', noise: 2 },
} as const

const damaged = 'is damaged or cut off. Send it once more, or save it again as JPEG or PNG.'

function refuseStructure({ bytes, kind }: ReadRequest): string | undefined {
  if (kind === 'png' && isAnimatedPng(bytes)) return animated('PNG')
  // The WebP loader allocates memory for all pixels before it reports their number.
  const size = kind === 'webp' ? readWebpSize(bytes) : undefined
  if (size !== undefined) return refusePixels(...size)
  const scans = kind === 'jpeg' ? countScans(bytes) : 0
  if (scans <= scansAtMost) return undefined
  return `is a JPEG in ${scans} scans; at most ${scansAtMost} are accepted. Save it again as an ordinary JPEG.`
}

async function refuseHeader({ bytes, kind, minSide, source }: ReadRequest): Promise<string | undefined> {
  // Without the limit a picture that is too large reports its size; nothing is decoded yet.
  const metadata = await sharp(bytes, { limitInputPixels: false })
    .metadata()
    .catch(() => undefined)
  if (metadata === undefined || metadata.format !== kind) return damaged
  if ((metadata.pages ?? 1) > 1) return animated('WebP')
  return refuseSize(metadata, minSide, source === 'model' ? Number.POSITIVE_INFINITY : aspectAtMost)
}

function refuseSize({ autoOrient: { width, height } }: Metadata, minSide: number, aspect: number): string | undefined {
  const refusal = refusePixels(width, height)
  if (refusal !== undefined) return refusal
  const size = `is ${width} × ${height} pixels`
  const shorter = Math.min(width, height)
  if (shorter < minSide) return `${size}; its shorter side must have at least ${minSide}. Send a larger picture.`
  if (Math.max(width, height) > aspect * shorter) {
    return `${size}; its longer side may be at most ${aspect} times the shorter. Crop it.`
  }
  return undefined
}

function refusePixels(width: number, height: number): string | undefined {
  if (width * height <= pixelsAtMost) return undefined
  const millions = Math.ceil((width * height) / 100_000) / 10
  return `is ${width} × ${height} pixels, ${millions} million in total; at most ${pixelsAtMost / 1e6} million are accepted. Scale it down.`
}

function animated(kind: string): string {
  return `is an animated ${kind}; only a single picture is accepted. Save one frame as JPEG or PNG.`
}

/** Decodes the picture upright, in sRGB without transparency, within the stored size: three bytes per pixel. */
function decodePixels({
  bytes,
  source,
  keptSide = storedSide,
}: ReadRequest): Promise<{ data: Buffer; info: OutputInfo }> {
  const { failOn, background } = rules[source]
  return sharp(bytes, { limitInputPixels: pixelsAtMost, failOn, pages: 1, autoOrient: true })
    .resize(keptSide, keptSide, { fit: 'inside', withoutEnlargement: true })
    .flatten({ background })
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true })
}

/** True if fewer than one pixel in a thousand differs from the first by more than noise. */
function isBlank(data: Buffer, { width, height }: OutputInfo, noise: number): boolean {
  const enough = (width * height) / 1000
  let different = 0
  for (let at = 0; at < data.length && different < enough; at += 3) {
    if (differs(data, at, noise) || differs(data, at + 1, noise) || differs(data, at + 2, noise)) different += 1
  }
  return different < enough
}

/** True if a channel of a pixel differs from that of the first one. */
function differs(data: Buffer, at: number, noise: number): boolean {
  return Math.abs((data[at] ?? 0) - (data[at % 3] ?? 0)) > noise
}
