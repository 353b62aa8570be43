/**
 * Child process: decodes untrusted photos, and nothing else. It has no environment, no files and no connections, and
 * can be killed and restarted at any time.
 */
import sharp, { type Metadata, type OutputInfo } from 'sharp'
import type { Photo } from '../../ports/photos.js'
import { serveJobs } from '../../runtime/serve-jobs.js'
import type { PhotoKind } from './kind.js'

export interface ReadRequest {
  readonly bytes: Uint8Array
  readonly kind: PhotoKind
  /** Minimum length of the shorter side, in pixels. */
  readonly minSide: number
  /** The origin: a model's picture may have any shape, be transparent, and have damage that is not visible. */
  readonly source: 'caller' | 'model'
  /** The longer side of the copy, in pixels; that of a stored photo if absent. */
  readonly keptSide?: number
}

/** The photo, or a refusal: the rest of a sentence that begins with the field, with the defect and its fix. */
export type ReadAnswer = Photo | { readonly refusal: string }

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

serveJobs(decodePhoto)

/**
 * Decodes a photo and makes the copy to store. Every pixel is decoded, because only that reveals damage; the copy is
 * encoded from bare pixels, so that nothing else of the file survives.
 */
async function decodePhoto(request: ReadRequest): Promise<ReadAnswer> {
  const refusal = refuseStructure(request) ?? (await refuseHeader(request))
  if (refusal !== undefined) return { refusal }
  // A decoder's messages are about its internals: any failure means that the file is damaged.
  const pixels = await decodePixels(request).catch(() => undefined)
  if (pixels === undefined) return { refusal: damaged }
  const { data, info } = pixels
  if (isBlank(data, info, rules[request.source].noise)) {
    return { refusal: 'shows nothing: it is of one color or transparent throughout. Send a photo of the pet.' }
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
    .toColorspace('srgb')
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

/**
 * Counts the scans of a JPEG. Each may cost as much as decoding the whole picture, and takes only a few bytes in the
 * file. Stops at the end of the picture or of the file.
 */
function countScans(bytes: Uint8Array): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let scans = 0
  let at = 2
  while (at + 4 <= bytes.length) {
    if (bytes[at] !== 0xff) {
      at += 1
      continue
    }
    const marker = bytes[at + 1] ?? 0
    if (marker === 0xd9) break
    if (marker === 0xda) scans += 1
    // Fill bytes, stuffed zeros and restart markers have no length; all other markers do.
    const isAlone = marker === 0xff || marker === 0 || marker === 1 || (marker >= 0xd0 && marker <= 0xd8)
    at += isAlone ? (marker === 0xff ? 1 : 2) : 2 + Math.max(2, view.getUint16(at + 2))
  }
  return scans
}

/** True if a PNG is animated: `acTL` precedes the first picture data. */
function isAnimatedPng(bytes: Uint8Array): boolean {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  for (let at = 8; at + 12 <= bytes.length; at += 12 + view.getUint32(at)) {
    const type = view.getUint32(at + 4)
    if (type === 0x6163544c) return true
    if (type === 0x49444154) return false
  }
  return false
}

/** Reads width and height from the first chunk of a WebP; undefined if it is not a picture chunk. */
function readWebpSize(bytes: Uint8Array): readonly [width: number, height: number] | undefined {
  if (bytes.length < 30) return undefined
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  switch (file.toString('latin1', 12, 16)) {
    case 'VP8X':
      return [file.readUIntLE(24, 3) + 1, file.readUIntLE(27, 3) + 1]
    case 'VP8L':
      return [(file.readUInt32LE(21) & 0x3fff) + 1, ((file.readUInt32LE(21) >>> 14) & 0x3fff) + 1]
    case 'VP8 ':
      return [file.readUInt16LE(26) & 0x3fff, file.readUInt16LE(28) & 0x3fff]
    default:
      return undefined
  }
}
