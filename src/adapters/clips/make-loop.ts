import sharp from 'sharp'
import type { LoopedClip } from '../../ports/clip-loops.js'
import { type Crop, cropWithFfmpeg, decodeWithFfmpeg, findCrop } from './ffmpeg.js'
import { noFfmpeg } from './find-ffmpeg.js'
import { type Frame, framesPerSecond, KilledDecoder, UnsupportedClip, UnusableClip } from './frame.js'
import { hasSound, openVideo, removeSound, type Video } from './video.js'

export interface LoopRequest {
  readonly mp4: Uint8Array
  /** The absolute path of ffmpeg. Without it, only the structure of the file is checked, and its sound is removed. */
  readonly ffmpeg: string | undefined
  /** The width divided by the height that the clip is cropped to; absent to keep its own. */
  readonly aspect?: number | undefined
}

/** The loop, or the failure as a sentence for the log. */
export type LoopAnswer = LoopedClip | RejectedLoop

/** `broken` if no player can show the clip; `unsupported` if this machine cannot convert it. */
interface RejectedLoop {
  readonly failure: string
  readonly reason: 'broken' | 'unsupported'
  /** The clip without its sound, if it had any. */
  readonly mp4?: Uint8Array
}

const thumbnail = { width: 32, height: 18 }
/** Frames at the end that fade into those before the beginning, if a loop does not close. */
const fadeFrames = 4

/** Returns an animated WebP of the best loop of a video, and the video without sound and cropped. Throws only `KilledDecoder`. */
export async function makeLoop({ mp4, ffmpeg, aspect }: LoopRequest): Promise<LoopAnswer> {
  const isLoud = hasSound(mp4)
  let muted: Uint8Array | undefined
  try {
    const video = await openVideo(mp4)
    muted = isLoud ? await removeSound(video).catch(() => undefined) : undefined
    if (ffmpeg === undefined) throw new UnsupportedClip(noFfmpeg)
    const { displayWidth, displayHeight } = video.track
    const crop = findCrop(displayWidth, displayHeight, aspect)
    const frames = await decodeWithFfmpeg(ffmpeg, video, crop)
    if (frames.length < 2) throw new UnsupportedClip('It has no second picture.')
    const loop = chooseLoop(await Promise.all(frames.map(toThumbnail)))
    const webp = await encode(cut(frames, loop))
    const cropped = crop && (await cropVideo(ffmpeg, video, crop))
    const kept = cropped ?? muted
    const changes = [...(crop ? (['cropped'] as const) : []), ...(isLoud ? (['muted'] as const) : [])]
    return { webp, changes, ...(kept && { mp4: kept }) }
  } catch (error) {
    if (error instanceof KilledDecoder) throw error
    const sound = muted && { mp4: muted }
    if (error instanceof UnusableClip) return { failure: error.message, reason: 'broken' }
    if (error instanceof UnsupportedClip) return { failure: error.message, reason: 'unsupported', ...sound }
    const message = error instanceof Error ? error.message : String(error)
    return { failure: `The clip cannot be decoded: ${message}`, reason: 'unsupported', ...sound }
  }
}

/** A clip that ffmpeg cannot crop keeps its own shape as MP4: it is paid. */
async function cropVideo(ffmpeg: string, video: Video, crop: Crop): Promise<Uint8Array | undefined> {
  return cropWithFfmpeg(ffmpeg, video, crop).catch((error: unknown) => {
    if (error instanceof KilledDecoder) throw error
    return undefined
  })
}

function toThumbnail({ width, height, pixels }: Frame): Promise<Uint8Array> {
  return sharp(pixels, { raw: { width, height, channels: 3 } })
    .resize({ ...thumbnail, fit: 'fill' })
    .greyscale()
    .raw()
    .toBuffer()
}

/** Cuts the frames of a loop. A visible jump is spread over the last frames. */
function cut(frames: readonly Frame[], { start, end, seam, step }: FrameSpan): Frame[] {
  const shown = frames.slice(start, end)
  const fade = seam > step ? Math.min(fadeFrames, start) : 0
  return shown.map((frame, index) => {
    const place = index - (shown.length - fade)
    const before = frames[start - fade + place]
    return place < 0 || before === undefined ? frame : mix(frame, before, (place + 1) / (fade + 1))
  })
}

function mix(one: Frame, other: Frame, share: number): Frame {
  const pixels = one.pixels.map((value, index) => value + ((other.pixels[index] ?? value) - value) * share)
  return { ...one, pixels }
}

async function encode(frames: readonly Frame[]): Promise<Uint8Array> {
  const [{ width, height }] = frames as readonly [Frame]
  if (frames.some((frame) => frame.width !== width || frame.height !== height)) {
    throw new UnsupportedClip('Its pictures differ in size.')
  }
  const raw = { width, height: height * frames.length, channels: 3, pageHeight: height } as const
  return sharp(Buffer.concat(frames.map(({ pixels }) => pixels)), { raw })
    .webp({ quality: 72, effort: 2, loop: 0, delay: frames.map((_, page) => startMs(page + 1) - startMs(page)) })
    .toBuffer()
}

/** Whole milliseconds that add up to the length of the loop. */
function startMs(page: number): number {
  return Math.round((page * 1000) / framesPerSecond)
}

/** A part of a video: frames `start` until before `end`. */
export interface FrameSpan {
  readonly start: number
  readonly end: number
  /**
   * Mean difference between the frame at `end`, which is not shown, and the frame at `start` that replaces it; 0 to
   * 255.
   */
  readonly seam: number
  /** The typical difference between two consecutive frames. */
  readonly step: number
}

/** A loop keeps at least this part of the video. */
const leastPart = 0.4
/** Seams that differ by less count as equal: the longer loop wins. */
const seamTolerance = 0.5

/**
 * Chooses the part of a video that ends as it begins. `thumbnails` are small gray pictures of all frames, of one
 * size. If the last frame repeats the first, as in videos that models make as loops, it is left out.
 */
export function chooseLoop(thumbnails: readonly Uint8Array[]): FrameSpan {
  const count = thumbnails.length
  const at = (index: number) => thumbnails[index] ?? new Uint8Array()
  const steps = thumbnails.slice(1).map((thumbnail, index) => measureDifference(at(index), thumbnail))
  const step = steps.sort((one, other) => one - other)[steps.length >> 1] ?? 0
  const least = Math.max(1, Math.ceil(count * leastPart))
  let best: FrameSpan = { start: 0, end: count, seam: Number.POSITIVE_INFINITY, step }
  for (let length = count - 1; length >= least; length--) {
    for (let start = 0; start + length < count; start++) {
      const seam = measureDifference(at(start), at(start + length))
      if (seam < best.seam - seamTolerance) best = { start, end: start + length, seam, step }
    }
  }
  return best
}

function measureDifference(one: Uint8Array, other: Uint8Array): number {
  let sum = 0
  for (let index = 0; index < one.length; index++) sum += Math.abs((one[index] ?? 0) - (other[index] ?? 0))
  return sum / Math.max(1, one.length)
}
