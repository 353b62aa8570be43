import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Readable } from 'node:stream'
import {
  type Frame,
  framesPerSecond,
  KilledDecoder,
  lengthAtMost,
  secondsAtMost,
  UnsupportedClip,
  UnusableClip,
} from './frame.js'
import { copyPictures, openVideo, type Video } from './video.js'

/** Processor time after which the system ends the decoder, even if this process is gone. */
const timeLimitSeconds = 15
/** Checked on decoded pictures, because the header may claim less. */
const pixelsAtMost = 4096 * 4096
const complaintKept = 300
/** Pixels of the longer side of a frame. */
const longSide = 480

/** A part of a picture, in pixels. */
export interface Crop {
  readonly width: number
  readonly height: number
  readonly left: number
  readonly top: number
}

/** Aspects that differ by less are equal: sizes of videos are multiples of 8 or 16. */
const tolerance = 0.03

/**
 * Returns the middle of a picture in another aspect (width divided by height), in even pixels, as video needs; undefined if
 * the picture has about that aspect.
 */
export function findCrop(width: number, height: number, aspect: number | undefined): Crop | undefined {
  if (aspect === undefined || Math.abs(width / height / aspect - 1) <= tolerance) return undefined
  const isWide = width / height > aspect
  const part = { width: toEven(isWide ? height * aspect : width), height: toEven(isWide ? height : width / aspect) }
  return { ...part, left: Math.max(0, (width - part.width) >> 1), top: Math.max(0, (height - part.height) >> 1) }
}

const toEven = (pixels: number) => Math.max(2, Math.floor(pixels / 2) * 2)

/**
 * Decodes with the system's ffmpeg, which supports every codec and applies rotation. Throws `UnusableClip`,
 * `UnsupportedClip`, `KilledDecoder`.
 */
export async function decodeWithFfmpeg(path: string, video: Video, crop?: Crop): Promise<Frame[]> {
  const stream = await copyPictures(video, secondsAtMost)
  return run(path, [...input, ...toFrames(crop)], stream, readFrames)
}

/** Returns the clip, cropped and without sound. Throws `UnsupportedClip` if this ffmpeg has no encoder for H.264. */
export async function cropWithFfmpeg(path: string, video: Video, crop: Crop): Promise<Uint8Array> {
  const stream = await copyPictures(video, lengthAtMost)
  return run(path, [...input, ...toMp4(crop)], stream, async (encoder) => {
    const readsError = readText(encoder.stderr)
    const chunks: Buffer[] = []
    for await (const chunk of encoder.stdout) chunks.push(chunk)
    const mp4 = Buffer.concat(chunks)
    const { track } = await openVideo(Buffer.from(mp4)).catch(() => ({ track: undefined }))
    if (track !== undefined) return mp4
    throw new UnsupportedClip(`ffmpeg cannot crop it: ${await readsError}`)
  })
}

async function run<T>(
  path: string,
  flags: readonly string[],
  stream: Uint8Array,
  read: (process: ChildProcessWithoutNullStreams) => Promise<T>,
): Promise<T> {
  const decoder = spawn(path, flags, { env: {}, stdio: 'pipe' })
  try {
    await once(decoder, 'spawn').catch((cause: unknown) => {
      throw new UnsupportedClip(`${path} cannot be started; install ffmpeg, or name it in FFMPEG_PATH.`, { cause })
    })
    // It may exit before it has read its input; the output shows the result.
    decoder.stdin.on('error', () => {})
    decoder.stdin.end(stream)
    return await read(decoder)
  } finally {
    decoder.kill('SIGKILL')
  }
}

async function readText(stream: Readable): Promise<string> {
  let text = ''
  for await (const chunk of stream) if (text.length < complaintKept) text += String(chunk)
  return text.slice(0, complaintKept).trim()
}

async function readFrames(decoder: ChildProcessWithoutNullStreams): Promise<Frame[]> {
  const ended = once(decoder, 'close')
  let complaint = ''
  decoder.stderr.on('data', (chunk) => {
    if (complaint.length < complaintKept) complaint += String(chunk)
  })
  const frames: Frame[] = []
  for await (const frame of readPpm(readOutput(decoder, ended))) {
    frames.push(frame)
    if (frames.length >= framesPerSecond * secondsAtMost) break
  }
  if (frames.length > 0) return frames
  const reason = `ffmpeg cannot decode it: ${complaint.slice(0, complaintKept).trim()}`
  // A build without the codec says nothing about the clip.
  throw /not found|not supported/i.test(complaint) ? new UnsupportedClip(reason) : new UnusableClip(reason)
}

/** Throws `KilledDecoder` at the end of the output if the decoder was killed: the output is cut short. */
async function* readOutput(decoder: ChildProcessWithoutNullStreams, ended: Promise<unknown>): AsyncGenerator<Buffer> {
  yield* decoder.stdout
  await ended
  if (decoder.signalCode === 'SIGKILL') throw new KilledDecoder('ffmpeg was killed from outside.')
}

/** For untrusted videos: one format, one stream, no files and no network, with limits on time and size. */
const input: readonly string[] = [
  ...['-nostdin', '-v', 'error', '-timelimit', String(timeLimitSeconds)],
  ...['-protocol_whitelist', 'pipe', '-max_pixels', String(pixelsAtMost), '-f', 'mov', '-threads', '2', '-i', 'pipe:0'],
  ...['-map', '0:v:0', '-an', '-sn', '-dn'],
]

const toFilter = ({ width, height, left, top }: Crop) => `crop=${width}:${height}:${left}:${top}`

function toFrames(crop: Crop | undefined): string[] {
  const scale = `scale=${longSide}:${longSide}:force_original_aspect_ratio=decrease:flags=area`
  const filters = [`fps=${framesPerSecond}`, ...(crop ? [toFilter(crop)] : []), scale]
  return ['-t', String(secondsAtMost), '-vf', filters.join(','), ...frameFormat]
}

const frameFormat = ['-pix_fmt', 'rgb24', '-f', 'image2pipe', '-c:v', 'ppm', 'pipe:1'] as const

function toMp4(crop: Crop): string[] {
  return [
    ...['-vf', toFilter(crop), '-c:v', 'libx264', '-preset', 'veryfast', '-crf', '20', '-pix_fmt', 'yuv420p'],
    // A pipe cannot be rewound to write the index.
    ...['-movflags', 'frag_keyframe+empty_moov+default_base_moof', '-f', 'mp4', 'pipe:1'],
  ]
}

const headAtMost = 32

/** Reads the pictures of a stream of binary PPM files. Throws if it is not 8-bit PPM. */
export async function* readPpm(stream: AsyncIterable<Uint8Array>): AsyncGenerator<Frame> {
  let waiting = Buffer.alloc(0)
  const chunks = stream[Symbol.asyncIterator]()
  /** True if that many bytes are available. */
  async function fill(bytes: number): Promise<boolean> {
    const parts = [waiting]
    let size = waiting.length
    while (size < bytes) {
      const { value, done } = await chunks.next()
      if (done) break
      parts.push(Buffer.from(value))
      size += value.length
    }
    if (parts.length > 1) waiting = Buffer.concat(parts)
    return size >= bytes
  }
  while (await fill(1)) {
    await fill(headAtMost)
    const head = /^P6\n(\d{1,5}) (\d{1,5})\n255\n/.exec(waiting.toString('latin1', 0, headAtMost))
    if (head === null) throw new Error('The decoder wrote no PPM.')
    const [width, height] = [Number(head[1]), Number(head[2])]
    const end = head[0].length + width * height * 3
    if (!(await fill(end))) throw new Error('The decoder ended in the middle of a picture.')
    yield { width, height, pixels: waiting.subarray(head[0].length, end) }
    waiting = waiting.subarray(end)
  }
}
