import sharp from 'sharp'
import { drawPose } from './draw-pose.js'
import type { Look } from './look.js'
import { finishMp4 } from './mp4.js'
import type { Pose } from './pet/poses/poses.js'
import { type ClipFiles, clipSeconds } from './protocol.js'
import { openVideoEncoder, type VideoEncoder } from './video-encoder.js'

const side = 512
const framesPerSecond = 24
const frameCount = clipSeconds * framesPerSecond
/** A resting pet is drawn 12 times per second, because it moves little; a walking one 24 times. */
const framesPerDrawing: Readonly<Record<Pose, number>> = { lying: 2, sitting: 2, walking: 1, running: 1 }
/** The WebP shows every second frame: its size grows with each, and 12 per second are smooth enough. */
const framesPerPage = 2
const pageCount = frameCount / framesPerPage
const bytesPerFrame = side * side * 4
/** Whole milliseconds that add up to the length of the clip. */
const pageDelays = Array.from({ length: pageCount }, (_, page) => startOf(page + 1) - startOf(page))

/** Draws a loop in both formats from the same frames. Throws the reason of `signal` soon after it is aborted. */
export async function drawClip(
  look: Look,
  pose: Pose,
  signal: AbortSignal,
  onProgress: (fraction: number) => void,
): Promise<ClipFiles> {
  const encoder = await openVideoEncoder({ side, framesPerSecond, frameCount })
  const pages = new Uint8Array(pageCount * bytesPerFrame)
  let unfinished: Uint8Array
  try {
    await drawFrames(look, pose, encoder, (frame, index) => {
      signal.throwIfAborted()
      if (index % framesPerPage === 0) pages.set(frame, (index / framesPerPage) * bytesPerFrame)
      if (index % 8 === 0) onProgress(index / frameCount)
    })
  } finally {
    unfinished = encoder.end()
  }
  return { mp4: finishMp4(unfinished), webp: await encodePages(pages) }
}

function startOf(page: number): number {
  return Math.round((page / pageCount) * clipSeconds * 1000)
}

/** While this thread encodes a frame, libvips draws the next one on a thread of its own. */
async function drawFrames(
  look: Look,
  pose: Pose,
  encoder: VideoEncoder,
  onFrame: (frame: Uint8Array, index: number) => void,
): Promise<void> {
  const step = framesPerDrawing[pose]
  let ahead = drawFrame(look, pose, 0)
  for (let index = 0; index < frameCount; index += step) {
    const frame = await ahead
    onFrame(frame, index)
    if (index + step < frameCount) ahead = drawFrame(look, pose, index + step)
    for (let times = 0; times < step; times++) encoder.add(frame)
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
  // Copied, because a thread cannot transfer the memory of sharp's buffers.
  return new Uint8Array(file)
}
