import { createRequire } from 'node:module'
import { setTimeout as delay } from 'node:timers/promises'
import type { EncodedPacket } from 'mediabunny'
import sharp from 'sharp'
import type { Crop } from './crop.js'
import { type Frame, framesPerSecond, longSide, UnsupportedClip, UnusableClip } from './frame.js'
import { readPackets, type Video } from './video.js'

/** The used part of the package, which is an optional install. */
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
    /** In microseconds, like `duration`. */
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

/** Checked on decoded pictures, because the header may claim less. A whole one takes 4 bytes per pixel. */
const pixelsAtMost = 4096 * 2304
const microseconds = 1_000_000
/** Eight bits per color, 4:2:0: H.264 up to High, HEVC Main, VP9 profile 0, AV1 Main. */
const ordinaryCodecs = /^(avc[13]\.(42|4d|58|64)|(hvc|hev)1\.1\.|vp09\.00\.|av01\.0\.\d\d[MH]\.08)/i
/** Usual number of packets sent to the decoder ahead of its pictures; each picture is held in memory. */
const packetsAhead = 16
/** A decoder that withholds pictures until it gets more input receives it after this time. */
const patienceMs = 100

/**
 * Decodes with the package node-webcodecs at `path`, if the system has no ffmpeg. Call it only in a process that is
 * killed afterwards: the decoder may abort a process that exits normally. Throws `UnusableClip`, `UnsupportedClip`.
 */
export async function decodeEmbedded(path: string, video: Video, crop?: Crop): Promise<Frame[]> {
  const { EncodedVideoChunk, VideoDecoder }: WebCodecs = createRequire(path)(path)
  const { track } = video
  const packets: EncodedPacket[] = []
  for await (const packet of readPackets(video)) packets.push(packet)
  const wanted = chooseFrames(packets.map(({ timestamp }) => timestamp).sort((one, other) => one - other))
  const frames: Promise<Frame | undefined>[] = []
  let fault: unknown
  let shown = 0
  const decoder = new VideoDecoder({
    // The pictures arrive in order, but their times are unreliable.
    output(frame) {
      if (!wanted.has(shown++)) frame.close()
      else
        frames.push(
          toFrame(frame, track.rotation, crop)
            .catch(fail)
            .finally(() => frame.close()),
        )
    },
    error: fail,
  })
  function fail(error: unknown): undefined {
    fault ??= error
  }

  decoder.configure(await findConfig(track))
  for (const [given, { type, timestamp, duration, data }] of packets.entries()) {
    if (fault !== undefined) break
    const times = { timestamp: timestamp * microseconds, duration: duration * microseconds }
    decoder.decode(new EncodedVideoChunk({ type, ...times, data }))
    if (given - shown >= packetsAhead) await delay(patienceMs)
    await Promise.all(frames)
  }
  if (fault === undefined) await decoder.flush()
  const made = await Promise.all(frames)
  if (fault instanceof UnusableClip || fault instanceof UnsupportedClip) throw fault
  const Reason = shown === 0 ? UnusableClip : UnsupportedClip
  if (fault !== undefined) throw new Reason('node-webcodecs cannot decode it.', { cause: fault })
  if (shown === 0) throw new UnusableClip('node-webcodecs finds no picture in it.')
  return made.filter((frame) => frame !== undefined)
}

async function findConfig(track: Video['track']): Promise<VideoDecoderConfig> {
  const config = await track.getDecoderConfig()
  if (config === null) throw new UnsupportedClip('Its codec is unknown.')
  // Other formats decode to garbage without an error.
  if (ordinaryCodecs.test(config.codec)) return config
  throw new UnsupportedClip(`node-webcodecs cannot decode ${config.codec} well; ffmpeg can: install it.`)
}

/** Indexes of the pictures that are nearest to each moment of the loop. */
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

async function toFrame(frame: DecodedFrame, rotation: number, crop?: Crop): Promise<Frame> {
  if (frame.format !== 'I420' && frame.format !== 'NV12') {
    throw new UnsupportedClip(`node-webcodecs decodes it to ${frame.format}, which cannot be converted to a picture.`)
  }
  const { codedWidth: width, codedHeight: height } = frame
  if (width * height > pixelsAtMost) throw new UnusableClip(`Its pictures have ${width} x ${height} pixels.`)
  const rgba = new Uint8Array(width * height * 4)
  await frame.copyTo(rgba, { format: 'RGBA' })
  const upright = sharp(rgba, { raw: { width, height, channels: 4 } }).rotate(rotation)
  const { data, info } = await (crop ? upright.extract(crop) : upright)
    .removeAlpha()
    .resize(longSide, longSide, { fit: 'inside', withoutEnlargement: false })
    .raw()
    .toBuffer({ resolveWithObject: true })
  return { width: info.width, height: info.height, pixels: data }
}
