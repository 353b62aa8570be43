import sharp from 'sharp'
import { drawPose, type Pose } from './draw-pose.js'
import { type Film, openFilm } from './film.js'
import type { Look } from './look.js'
import { finishMp4 } from './mp4.js'
import { type ClipFiles, clipSeconds } from './order.js'

const side = 512
const framesPerSecond = 24
const frameCount = clipSeconds * framesPerSecond
/** A pet that rests moves less from drawing to drawing at 12 a second than one that walks at 24. */
const framesPerDrawing: Readonly<Record<Pose, number>> = { lying: 2, sitting: 2, walking: 1, running: 1 }
/** The WebP shows every second frame: its size grows with each, and 12 a second already move smoothly. */
const framesPerPage = 2
const pageCount = frameCount / framesPerPage
const bytesPerFrame = side * side * 4
/** Whole milliseconds that sum up to the length of the film. */
const pageDelays = Array.from({ length: pageCount }, (_, page) => startOf(page + 1) - startOf(page))

/**
 * Draws a loop, both formats from the same frames.
 * Throws the reason of `signal` soon after it is aborted.
 */
export async function drawClip(
  look: Look,
  pose: Pose,
  signal: AbortSignal,
  onProgress: (fraction: number) => void,
): Promise<ClipFiles> {
  const film = await openFilm({ side, framesPerSecond, frameCount })
  const pages = new Uint8Array(pageCount * bytesPerFrame)
  let unfinished: Uint8Array
  try {
    await drawFrames(look, pose, film, (frame, index) => {
      signal.throwIfAborted()
      if (index % framesPerPage === 0) pages.set(frame, (index / framesPerPage) * bytesPerFrame)
      if (index % 8 === 0) onProgress(index / frameCount)
    })
  } finally {
    unfinished = film.end()
  }
  return { mp4: finishMp4(unfinished), webp: await encodePages(pages) }
}

function startOf(page: number): number {
  return Math.round((page / pageCount) * clipSeconds * 1000)
}

/** While a frame is encoded on this thread, libvips draws the next on one of its own. */
async function drawFrames(
  look: Look,
  pose: Pose,
  film: Film,
  onFrame: (frame: Uint8Array, index: number) => void,
): Promise<void> {
  const step = framesPerDrawing[pose]
  let ahead = drawFrame(look, pose, 0)
  for (let index = 0; index < frameCount; index += step) {
    const frame = await ahead
    onFrame(frame, index)
    if (index + step < frameCount) ahead = drawFrame(look, pose, index + step)
    for (let times = 0; times < step; times++) film.add(frame)
  }
}

function drawFrame(look: Look, pose: Pose, index: number): Promise<Uint8Array> {
  const drawing = drawPose(look, pose, index / frameCount, side)
  return sharp(Buffer.from(drawing)).ensureAlpha().raw().toBuffer()
}

async function encodePages(pages: Uint8Array): Promise<Uint8Array> {
  const raw = { width: side, height: side * pageCount, channels: 4, pageHeight: side } as const
  const file = await sharp(pages, { raw })
    // Effort 6 takes 25 times as long as 2 for nearly the same size.
    .webp({ quality: 80, effort: 2, loop: 0, delay: pageDelays })
    .toBuffer()
  // A copy, since a thread cannot hand over the memory of sharp's buffers.
  return new Uint8Array(file)
}
