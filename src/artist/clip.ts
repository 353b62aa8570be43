import { createRequire } from 'node:module'
import sharp from 'sharp'
import { readBoxes } from '../runtime/mp4-boxes.js'
import { drawPose } from './draw-pose.js'
import type { Look } from './look.js'
import type { Pose } from './pet/poses/poses.js'

/** A loop in both formats. */
export interface DrawnClip {
  readonly mp4: Uint8Array
  readonly webp: Uint8Array
  readonly durationSeconds: number
}

/** The length of each clip of the stub. */
export const loopSeconds = 2
/** Width and height in pixels; must be even, because odd ones would end the thread of the encoder. */
const side = 512
export const framesPerSecond = 24
const frameCount = loopSeconds * framesPerSecond
const bytesPerFrame = side * side * 4

interface Pace {
  /** Pages per second of the WebP, and their quality: its size grows with both. */
  readonly pages: number
  readonly quality: number
  /** The quantization parameter of the video: its size shrinks with it. */
  readonly quantization: number
}

const resting: Pace = { pages: 12, quality: 80, quantization: 27 }
const moving: Pace = { pages: 16, quality: 76, quantization: 24 }
const paces: Readonly<Record<Pose, Pace>> = {
  lying: resting,
  sitting: resting,
  walking: moving,
  running: moving,
}

/** Draws a loop in both formats from the same frames. */
export async function drawClip(look: Look, pose: Pose): Promise<DrawnClip> {
  const pace = paces[pose]
  const moments = momentsOf(pace)
  const encoder = await openVideoEncoder(pace)
  const pages = new Uint8Array(pace.pages * loopSeconds * bytesPerFrame)
  let page = 0
  await drawFrames(look, pose, moments, (frame, { isFrame, hasPage }) => {
    if (isFrame) encoder.add(frame)
    if (hasPage) pages.set(frame, bytesPerFrame * page++)
  })
  return { mp4: finishMp4(encoder.end()), webp: await encodePages(pages, pace), durationSeconds: loopSeconds }
}

/** A moment of the loop that a frame of the video shows, or a page of the WebP, or both. */
interface Moment {
  readonly phase: number
  readonly isFrame: boolean
  readonly hasPage: boolean
}

/** The moments that the frames and the pages show, in order. */
function momentsOf({ pages }: Pace): Moment[] {
  const shown = pages * loopSeconds
  // On a grid that has both, so that no moment is compared as a fraction.
  const grid = frameCount * shown
  return Array.from({ length: grid }, (_, step) => ({
    phase: step / grid,
    isFrame: step % shown === 0,
    hasPage: step % frameCount === 0,
  })).filter(({ isFrame, hasPage }) => isFrame || hasPage)
}

/** While this thread encodes a frame, libvips draws the next one on a thread of its own. */
async function drawFrames(
  look: Look,
  pose: Pose,
  moments: readonly Moment[],
  onFrame: (frame: Uint8Array, moment: Moment) => void,
): Promise<void> {
  const draw = (moment: Moment | undefined) => moment && drawFrame(look, pose, moment.phase)
  let ahead = draw(moments[0])
  for (const [index, moment] of moments.entries()) {
    const frame = await ahead
    ahead = draw(moments[index + 1])
    if (frame) onFrame(frame, moment)
  }
}

function drawFrame(look: Look, pose: Pose, phase: number): Promise<Uint8Array> {
  return sharp(Buffer.from(drawPose(look, pose, phase, side)))
    .ensureAlpha()
    .raw()
    .toBuffer()
}

function encodePages(pages: Uint8Array, { pages: perSecond, quality }: Pace): Promise<Uint8Array> {
  const count = perSecond * loopSeconds
  const raw = { width: side, height: side * count, channels: 4, pageHeight: side } as const
  /** Whole milliseconds that add up to the length of the clip. */
  const startOf = (page: number) => Math.round((page / perSecond) * 1000)
  const delay = Array.from({ length: count }, (_, page) => startOf(page + 1) - startOf(page))
  // Effort 6 takes 25 times as long as 2 for nearly the same size.
  return sharp(pages, { raw }).webp({ quality, effort: 2, loop: 0, delay }).toBuffer()
}

/**
 * Post-processes the MP4 files of the encoder, so that they play while they load and have the same bytes on every
 * run.
 * Source: ISO/IEC 14496-12 (the boxes of an MP4 file).
 */

interface Box {
  readonly type: string
  /** Offset of the content in the input file. */
  readonly start: number
  readonly content: Uint8Array
  /** Set for a container. */
  readonly children: readonly Box[] | undefined
}

/** Boxes that contain only boxes, on the way to those that are changed. */
const containers = new Set(['moov', 'trak', 'mdia', 'minf', 'stbl'])
/** Boxes with version and flags, followed by the times of creation and modification. */
const timed = new Set(['mvhd', 'tkhd', 'mdhd'])
const headerBytes = 8

/**
 * Returns the same video with its index first (`moov` before `mdat`, no padding), without timestamps, and with its
 * first sample marked as the only key frame; without that mark players treat every sample as one. Throws an Error for
 * an unexpected structure. Idempotent.
 */
export function finishMp4(bytes: Uint8Array): Uint8Array {
  const boxes = parseBoxes(bytes, 0, bytes.length).filter(({ type }) => type !== 'free')
  const types = boxes.map(({ type }) => type)
  if ([...types].sort().join() !== 'ftyp,mdat,moov') throw new Error(`MP4: unexpected boxes: ${types.join(' ')}`)
  const ftyp = getBox(boxes, 'ftyp')
  const mdat = getBox(boxes, 'mdat')
  const moov = nameKeyFrame(getBox(boxes, 'moov'))
  const sizes = sizeOf(ftyp) + sizeOf(moov)
  const moved = changeLeaves(moov, (box) => {
    if (timed.has(box.type)) return clearTimes(box)
    if (box.type === 'stco' || box.type === 'co64') return moveChunks(box, mdat, sizes + headerBytes - mdat.start)
    return box
  })
  const whole = new Uint8Array(sizes + sizeOf(mdat))
  let offset = 0
  for (const box of [ftyp, moved, mdat]) offset = writeBox(box, whole, offset)
  return whole
}

function parseBoxes(bytes: Uint8Array, from: number, to: number): Box[] {
  return Array.from(readBoxes(bytes, from, to), ({ type, start, end }) => ({
    type,
    start,
    content: bytes.subarray(start, end),
    children: containers.has(type) ? parseBoxes(bytes, start, end) : undefined,
  }))
}

function getBox(boxes: readonly Box[], type: string): Box {
  const box = boxes.find((one) => one.type === type)
  if (box === undefined) throw new Error(`MP4: no ${type}`)
  return box
}

/** Adds a list of key frames with one entry to the tables of every track that lacks it. */
function nameKeyFrame(box: Box): Box {
  const children = box.children?.map(nameKeyFrame)
  if (box.type !== 'stbl' || children === undefined || children.some(({ type }) => type === 'stss')) {
    return { ...box, children }
  }
  const content = Uint8Array.of(0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1)
  return { ...box, children: [...children, { type: 'stss', start: 0, content, children: undefined }] }
}

function changeLeaves(box: Box, change: (box: Box) => Box): Box {
  if (box.children === undefined) return change(box)
  return { ...box, children: box.children.map((child) => changeLeaves(child, change)) }
}

function clearTimes(box: Box): Box {
  const version = box.content[0]
  if ((version !== 0 && version !== 1) || box.content.length < 20) throw new Error(`MP4: ${box.type} of unknown form`)
  return { ...box, content: Uint8Array.from(box.content).fill(0, 4, version === 0 ? 12 : 20) }
}

/** Moves the offsets of all chunks by `distance`. */
function moveChunks(box: Box, mdat: Box, distance: number): Box {
  const content = Uint8Array.from(box.content)
  const view = viewOf(content)
  const width = box.type === 'stco' ? 4 : 8
  const count = content.length < 8 ? 0 : view.getUint32(4)
  if (content.length !== 8 + count * width) throw new Error(`MP4: ${box.type} of ${content.length} bytes`)
  for (let at = 8; at < content.length; at += width) {
    const chunk = width === 4 ? view.getUint32(at) : Number(view.getBigUint64(at))
    if (chunk < mdat.start || chunk >= mdat.start + mdat.content.length) {
      throw new Error(`MP4: a chunk at ${chunk} lies outside of mdat`)
    }
    if (width === 4) view.setUint32(at, chunk + distance)
    else view.setBigUint64(at, BigInt(chunk + distance))
  }
  return { ...box, content }
}

function sizeOf({ content, children }: Box): number {
  return headerBytes + (children?.reduce((sum, child) => sum + sizeOf(child), 0) ?? content.length)
}

/** Returns the offset of the next box. */
function writeBox(box: Box, into: Uint8Array, offset: number): number {
  viewOf(into).setUint32(offset, sizeOf(box))
  for (let index = 0; index < 4; index++) into[offset + 4 + index] = box.type.charCodeAt(index)
  let next = offset + headerBytes
  if (box.children === undefined) {
    into.set(box.content, next)
    return next + box.content.length
  }
  for (const child of box.children) next = writeBox(child, into, next)
  return next
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

const require = createRequire(import.meta.url)

/**
 * Opens an H.264 encoder, which works on the calling thread and must not be shared with others: load it in a worker only.
 * `end` frees its memory and must be called in every case.
 */
async function openVideoEncoder({ quantization }: Pace) {
  const createEncoder = loadEncoder()
  const encoder = await createEncoder()
  encoder.width = side
  encoder.height = side
  encoder.frameRate = framesPerSecond
  encoder.speed = 5
  encoder.quantizationParameter = quantization
  encoder.groupOfPictures = frameCount
  encoder.initialize()
  return {
    /** Adds a frame of RGBA pixels. */
    add: (frame: Uint8Array): void => encoder.addFrameRgba(frame),
    /** Returns the MP4 file as the encoder leaves it: see `finishMp4`. */
    end(): Uint8Array {
      encoder.finalize()
      const bytes = encoder.FS.readFile(encoder.outputFilename)
      encoder.FS.unlink(encoder.outputFilename)
      encoder.delete()
      return bytes
    },
  }
}

/** Removes the handlers that the library installs on its thread: they hide the reason why the thread ends. */
function loadEncoder() {
  // The exports of this CommonJS module are not visible to Node as named exports.
  const { createH264MP4Encoder }: typeof import('h264-mp4-encoder') = require('h264-mp4-encoder')
  process.removeAllListeners('uncaughtException').removeAllListeners('unhandledRejection')
  return createH264MP4Encoder
}
