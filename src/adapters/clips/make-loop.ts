import sharp from 'sharp'
import { chooseLoop, type FrameSpan } from './choose-loop.js'
import { type Crop, findCrop } from './crop.js'
import { cropWithFfmpeg, decodeWithFfmpeg } from './ffmpeg.js'
import { type Frame, framesPerSecond, KilledDecoder, UnsupportedClip, UnusableClip } from './frame.js'
import { type LoopAnswer, type LoopRequest, noFfmpeg } from './protocol.js'
import { hasSound, removeSound } from './sound.js'
import { openVideo, type Video } from './video.js'

const thumbnail = { width: 32, height: 18 }
/** Frames at the end that fade into those before the beginning, if a loop does not close. */
const fadeFrames = 4

/** Returns an animated WebP of the best loop of a video, and the video without sound and cropped. Never throws. */
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
    const sound = muted && { mp4: muted }
    if (error instanceof UnusableClip) return { failure: error.message, reason: 'broken' }
    if (error instanceof UnsupportedClip) return { failure: error.message, reason: 'unsupported', ...sound }
    if (error instanceof KilledDecoder) return { failure: error.message, reason: 'killed' }
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
