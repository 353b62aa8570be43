import { createRequire } from 'node:module'
import { EncodedPacketSink } from 'mediabunny'
import sharp from 'sharp'
import type { Film } from './film.js'
import { type Frame, framesPerSecond, longSide, secondsAtMost, UnusableClip } from './frame.js'

/** What is used of the package, which is installed by those who need it. */
interface WebCodecs {
  readonly VideoDecoder: new (callbacks: {
    output(frame: DecodedFrame): void
    error(error: unknown): void
  }) => {
    configure(config: unknown): void
    decode(chunk: unknown): void
    flush(): Promise<void>
  }
  readonly EncodedVideoChunk: new (chunk: {
    readonly type: 'key' | 'delta'
    /** Microseconds, as `duration`. */
    readonly timestamp: number
    readonly duration: number
    readonly data: Uint8Array
  }) => unknown
}

interface DecodedFrame {
  readonly format: string | null
  readonly codedWidth: number
  readonly codedHeight: number
  copyTo(bytes: Uint8Array, options: { readonly format: 'RGBA' }): Promise<unknown>
  close(): void
}

const microseconds = 1_000_000
/** Eight bits a colour, 4:2:0: H.264 up to High, HEVC Main, VP9 profile 0, AV1 Main. */
const ordinaryCodecs = /^(avc[13]\.(42|4d|58|64)|(hvc|hev)1\.1\.|vp09\.00\.|av01\.0\.\d\d[MH]\.08)/i
/** Packets given to the decoder ahead of its pictures; each holds a whole one in memory. */
const packetsAhead = 16

/**
 * Decodes with the package node-webcodecs at `path`, where the system has no ffmpeg. Only in a process that is
 * killed when it is done: the decoder may abort one that ends by itself. Throws `UnusableClip`.
 */
export async function decodeEmbedded(path: string, { track }: Film): Promise<Frame[]> {
  const { EncodedVideoChunk, VideoDecoder }: WebCodecs = createRequire(path)(path)
  const config = await track.getDecoderConfig()
  if (config === null) throw new UnusableClip('Its codec is not known.')
  // More bits a colour, or more colours a pixel, are decoded to garbage without a word.
  if (!ordinaryCodecs.test(config.codec)) {
    throw new UnusableClip(`node-webcodecs cannot decode ${config.codec} well; ffmpeg can: install it.`)
  }
  const times = await listTimes(track)
  const wanted = chooseFrames(times)
  const frames: Promise<Frame>[] = []
  let fault: unknown
  let place = 0
  const decoder = new VideoDecoder({
    // The pictures come in order, but their times are not to be relied on.
    output(frame) {
      if (wanted.has(place++)) frames.push(toFrame(frame, track.rotation).finally(() => frame.close()))
      else frame.close()
    },
    error(error) {
      fault = error
    },
  })
  decoder.configure(config)
  let given = 0
  for await (const { type, timestamp, duration, data } of new EncodedPacketSink(track).packets()) {
    if (given >= times.length || fault !== undefined) break
    decoder.decode(
      new EncodedVideoChunk({ type, timestamp: timestamp * microseconds, duration: duration * microseconds, data }),
    )
    given += 1
    if (given % packetsAhead === 0) await Promise.all(frames)
  }
  if (fault === undefined) await decoder.flush()
  if (fault !== undefined) throw new UnusableClip('node-webcodecs cannot decode it.', { cause: fault })
  if (frames.length === 0) throw new UnusableClip('It has no picture.')
  return Promise.all(frames)
}

/** When the pictures are shown, in that order, in seconds from the first. */
async function listTimes(track: Film['track']): Promise<number[]> {
  const times: number[] = []
  for await (const { timestamp } of new EncodedPacketSink(track).packets(undefined, undefined, {
    metadataOnly: true,
  })) {
    times.push(timestamp)
    if (times.length >= packetsAtMost) break
  }
  times.sort((one, other) => one - other)
  const first = times[0] ?? 0
  return times.map((time) => time - first).filter((time) => time < secondsAtMost)
}

/** 60 a second, for as long as is taken. */
const packetsAtMost = 60 * secondsAtMost

/** The places of the pictures that are nearest after each moment that a loop shows. */
function chooseFrames(times: readonly number[]): ReadonlySet<number> {
  const chosen = new Set<number>()
  let next = 0
  for (const [place, time] of times.entries()) {
    if (time * framesPerSecond < next - 1e-6) continue
    chosen.add(place)
    next = Math.floor(time * framesPerSecond + 1e-6) + 1
  }
  return chosen
}

async function toFrame(frame: DecodedFrame, rotation: number): Promise<Frame> {
  if (frame.format !== 'I420' && frame.format !== 'NV12') {
    throw new UnusableClip(`node-webcodecs decodes it to ${frame.format}, of which no picture can be made.`)
  }
  const { codedWidth: width, codedHeight: height } = frame
  const rgba = new Uint8Array(width * height * 4)
  await frame.copyTo(rgba, { format: 'RGBA' })
  const { data, info } = await sharp(rgba, { raw: { width, height, channels: 4 } })
    .rotate(rotation)
    .removeAlpha()
    .resize(longSide, longSide, { fit: 'inside', withoutEnlargement: false })
    .raw()
    .toBuffer({ resolveWithObject: true })
  return { width: info.width, height: info.height, pixels: data }
}
