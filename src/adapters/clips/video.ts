import {
  BufferSource,
  BufferTarget,
  type EncodedPacket,
  EncodedPacketSink,
  EncodedVideoPacketSource,
  Input,
  type InputVideoTrack,
  MP4,
  Mp4OutputFormat,
  Output,
  QTFF,
} from 'mediabunny'
import { type Mp4Box, readBoxes } from '../../runtime/mp4-boxes.js'
import { lengthAtMost, secondsAtMost, UnsupportedClip, UnusableClip } from './frame.js'
import { keepPictures } from './keep-pictures.js'

/** Pixels per side: a larger video takes a decoder seconds and gigabytes. */
const sideAtMost = 4096
const packetsPerSecond = 60

/** A video after its header was read; nothing is decoded yet. */
export interface Video {
  readonly track: InputVideoTrack
  /** Size of the file. */
  readonly bytes: number
}

/** Reads the header of an untrusted MP4, and modifies its bytes (see `keepPictures`). Throws `UnusableClip`. */
export async function openVideo(mp4: Uint8Array): Promise<Video> {
  try {
    keepPictures(mp4)
  } catch (error) {
    throw error instanceof Error ? new UnusableClip(error.message, { cause: error }) : error
  }
  const input = new Input({ source: new BufferSource(mp4), formats: [MP4, QTFF] })
  const unreadable = (cause: unknown): never => {
    throw new UnusableClip('It is not a readable MP4.', { cause })
  }
  const track = await input.getPrimaryVideoTrack().catch(unreadable)
  if (track === null) throw new UnusableClip('It has no video.')
  const { codedWidth, codedHeight } = track
  if (!(codedWidth > 0 && codedHeight > 0) || Math.max(codedWidth, codedHeight) > sideAtMost) {
    throw new UnusableClip(`It has ${codedWidth} x ${codedHeight} pixels; at most ${sideAtMost} per side are accepted.`)
  }
  const seconds = await track.computeDuration().catch(unreadable)
  if (!(seconds > 0 && seconds <= lengthAtMost)) {
    throw new UnusableClip(`It claims to last ${seconds} s; at most ${lengthAtMost} s are accepted.`)
  }
  return { track, bytes: mp4.byteLength }
}

/** True if a track of the MP4 is sound. False for a file that cannot be read. */
export function hasSound(mp4: Uint8Array): boolean {
  const file = Buffer.from(mp4.buffer, mp4.byteOffset, mp4.byteLength)
  const list = (parent: Pick<Mp4Box, 'start' | 'end'>, type: string) =>
    [...readBoxes(file, parent.start, parent.end)].filter((box) => box.type === type)
  try {
    const tracks = list({ start: 0, end: file.length }, 'moov').flatMap((movie) => list(movie, 'trak'))
    const handlers = tracks.flatMap((track) => list(track, 'mdia')).flatMap((media) => list(media, 'hdlr'))
    return handlers.some(({ start, end }) => file.toString('latin1', start + 8, Math.min(start + 12, end)) === 'soun')
  } catch {
    return false
  }
}

/** Returns the whole video without sound: its pictures are copied, not encoded again. */
export function removeSound(video: Video): Promise<Uint8Array> {
  return copyPictures(video, lengthAtMost)
}

/** Copies the pictures of the first seconds of a video to an MP4 with its header first, for a decoder that reads a pipe. */
export async function copyPictures(video: Video, seconds: number): Promise<Uint8Array> {
  const { codec, rotation } = video.track
  const decoderConfig = await video.track.getDecoderConfig()
  if (codec === null || decoderConfig === null) throw new UnsupportedClip('Its codec is unknown.')
  const target = new BufferTarget()
  const output = new Output({ format: new Mp4OutputFormat({ fastStart: 'in-memory' }), target })
  const source = new EncodedVideoPacketSource(codec)
  output.addVideoTrack(source, { rotation })
  await output.start()
  for await (const packet of readPackets(video, seconds)) await source.add(packet, { decoderConfig })
  await output.finalize()
  return new Uint8Array(target.buffer ?? new ArrayBuffer(0))
}

/**
 * Reads the encoded pictures of the first seconds in decoding order, timed from the first. Throws `UnusableClip` if they are
 * larger than the file: a table may refer to the same bytes repeatedly.
 */
async function* readPackets({ track, bytes }: Video, seconds = secondsAtMost): AsyncGenerator<EncodedPacket> {
  let first: number | undefined
  let read = 0
  let count = 0
  for await (const packet of new EncodedPacketSink(track).packets()) {
    first ??= packet.timestamp
    const timestamp = packet.timestamp - first
    // Pictures before the first one belong to a part of the video that was trimmed.
    if (timestamp < 0) continue
    read += packet.byteLength
    if (read > bytes) throw new UnusableClip('Its pictures take more bytes than the file has.')
    if (timestamp >= seconds || count++ >= packetsPerSecond * seconds) return
    yield packet.clone({ timestamp })
  }
}
