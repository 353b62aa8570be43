import sharp from 'sharp'
import { drawPose } from './draw-pose.js'
import type { Look } from './look.js'
import { finishMp4 } from './mp4.js'
import type { Pose } from './pet/poses/poses.js'
import { type ClipFiles, clipSeconds } from './protocol.js'
import { openVideoEncoder } from './video-encoder.js'

const side = 512
const framesPerSecond = 24
const frameCount = clipSeconds * framesPerSecond
const bytesPerFrame = side * side * 4

interface Pace {
  /** Drawings per second of the video. A resting pet moves little: each of its drawings is shown twice. */
  readonly drawings: number
  /** Pages per second of the WebP, and their quality: its size grows with both. */
  readonly pages: number
  readonly quality: number
}

const resting: Pace = { drawings: 12, pages: 12, quality: 80 }
const moving: Pace = { drawings: 24, pages: 16, quality: 76 }
/** The pace of each pose. */
export const paces: Readonly<Record<Pose, Pace>> = {
  lying: resting,
  sitting: resting,
  walking: moving,
  running: moving,
}

/** Draws a loop in both formats from the same frames. Throws the reason of `signal` soon after it is aborted. */
export async function drawClip(
  look: Look,
  pose: Pose,
  signal: AbortSignal,
  onProgress: (fraction: number) => void,
): Promise<ClipFiles> {
  const pace = paces[pose]
  const moments = momentsOf(pace)
  const encoder = await openVideoEncoder({ side, framesPerSecond, frameCount })
  const pages = new Uint8Array(pace.pages * clipSeconds * bytesPerFrame)
  let unfinished: Uint8Array
  let page = 0
  try {
    await drawFrames(look, pose, moments, (frame, { frames, hasPage }, index) => {
      signal.throwIfAborted()
      for (let times = 0; times < frames; times += 1) encoder.add(frame)
      if (hasPage) pages.set(frame, bytesPerFrame * page++)
      if (index % 8 === 0) onProgress(index / moments.length)
    })
  } finally {
    unfinished = encoder.end()
  }
  return { mp4: finishMp4(unfinished), webp: await encodePages(pages, pace) }
}

/** A moment of the loop, with the number of video frames that show it. */
interface Moment {
  readonly phase: number
  readonly frames: number
  readonly hasPage: boolean
}

/** The moments that the frames and the pages show, in order; some belong to only one of the two. */
function momentsOf({ drawings, pages }: Pace): Moment[] {
  const [drawn, shown] = [drawings * clipSeconds, pages * clipSeconds]
  // On a grid that has both, so that no moment is compared as a fraction.
  const grid = drawn * shown
  return Array.from({ length: grid }, (_, step) => ({
    phase: step / grid,
    frames: step % shown === 0 ? frameCount / drawn : 0,
    hasPage: step % drawn === 0,
  })).filter(({ frames, hasPage }) => frames > 0 || hasPage)
}

/** While this thread encodes a frame, libvips draws the next one on a thread of its own. */
async function drawFrames(
  look: Look,
  pose: Pose,
  moments: readonly Moment[],
  onFrame: (frame: Uint8Array, moment: Moment, index: number) => void,
): Promise<void> {
  const draw = (moment: Moment | undefined) => moment && drawFrame(look, pose, moment.phase)
  let ahead = draw(moments[0])
  for (const [index, moment] of moments.entries()) {
    const frame = await ahead
    ahead = draw(moments[index + 1])
    if (frame) onFrame(frame, moment, index)
  }
}

function drawFrame(look: Look, pose: Pose, phase: number): Promise<Uint8Array> {
  return sharp(Buffer.from(drawPose(look, pose, phase, side)))
    .ensureAlpha()
    .raw()
    .toBuffer()
}

async function encodePages(pages: Uint8Array, { pages: perSecond, quality }: Pace): Promise<Uint8Array> {
  const count = perSecond * clipSeconds
  const raw = { width: side, height: side * count, channels: 4, pageHeight: side } as const
  /** Whole milliseconds that add up to the length of the clip. */
  const startOf = (page: number) => Math.round((page / perSecond) * 1000)
  const delay = Array.from({ length: count }, (_, page) => startOf(page + 1) - startOf(page))
  const file = await sharp(pages, { raw })
    // Effort 6 takes 25 times as long as 2 for nearly the same size.
    .webp({ quality, effort: 2, loop: 0, delay })
    .toBuffer()
  // Copied, because a thread cannot transfer the memory of sharp's buffers.
  return new Uint8Array(file)
}
