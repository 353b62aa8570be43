import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  type Frame,
  framesPerSecond,
  KilledDecoder,
  longSide,
  secondsAtMost,
  UnsupportedClip,
  UnusableClip,
} from './frame.js'
import { readPpm } from './ppm.js'
import { toStreamable, type Video } from './video.js'

/** Processor time after which the system ends the decoder, even if this process is gone. */
const timeLimitSeconds = 15
/** Checked on decoded pictures, because the header may claim less. */
const pixelsAtMost = 4096 * 4096
const complaintKept = 300

/**
 * Decodes with the system's ffmpeg, which supports every codec and applies rotation. Throws `UnusableClip`,
 * `UnsupportedClip`, `KilledDecoder`.
 */
export async function decodeWithFfmpeg(path: string, video: Video): Promise<Frame[]> {
  const stream = await toStreamable(video)
  const decoder = spawn(path, flags, { env: {}, stdio: 'pipe' })
  try {
    await once(decoder, 'spawn').catch((cause: unknown) => {
      throw new UnsupportedClip(`${path} cannot be started; install ffmpeg, or name it in FFMPEG_PATH.`, { cause })
    })
    // It may exit before it has read its input; the output shows the result.
    decoder.stdin.on('error', () => {})
    decoder.stdin.end(stream)
    return await readFrames(decoder)
  } finally {
    decoder.kill('SIGKILL')
  }
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
const flags: readonly string[] = [
  ...['-nostdin', '-v', 'error', '-timelimit', String(timeLimitSeconds)],
  ...['-protocol_whitelist', 'pipe', '-max_pixels', String(pixelsAtMost), '-f', 'mov', '-threads', '2', '-i', 'pipe:0'],
  ...['-map', '0:v:0', '-an', '-sn', '-dn', '-t', String(secondsAtMost)],
  ...['-vf', `fps=${framesPerSecond},scale=${longSide}:${longSide}:force_original_aspect_ratio=decrease:flags=area`],
  ...['-pix_fmt', 'rgb24', '-f', 'image2pipe', '-c:v', 'ppm', 'pipe:1'],
]
