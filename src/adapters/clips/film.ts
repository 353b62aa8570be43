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
import { secondsAtMost, UnusableClip } from './frame.js'

/** Pixels of a side: more takes a decoder seconds and gigabytes. */
const sideAtMost = 4096
/** A model's clip has some seconds; what claims to be longer than this is broken. */
const lengthAtMost = 300
/** 60 a second, for as long as is taken. */
const packetsAtMost = 60 * secondsAtMost

/** A film whose head was read: nothing is decoded yet. */
export interface Film {
  readonly track: InputVideoTrack
  /** Size of the file. */
  readonly bytes: number
}

/** Reads the head of an MP4 that comes from outside. Throws `UnusableClip`. */
export async function openFilm(mp4: Uint8Array): Promise<Film> {
  const input = new Input({ source: new BufferSource(mp4), formats: [MP4, QTFF] })
  const unreadable = (cause: unknown): never => {
    throw new UnusableClip('It is no MP4 that can be read.', { cause })
  }
  const track = await input.getPrimaryVideoTrack().catch(unreadable)
  if (track === null) throw new UnusableClip('It has no video.')
  const { codedWidth, codedHeight } = track
  if (!(codedWidth > 0 && codedHeight > 0) || Math.max(codedWidth, codedHeight) > sideAtMost) {
    throw new UnusableClip(`It has ${codedWidth} x ${codedHeight} pixels; at most ${sideAtMost} a side are decoded.`)
  }
  const seconds = await track.computeDuration().catch(unreadable)
  if (!(seconds > 0 && seconds <= lengthAtMost)) {
    throw new UnusableClip(`It claims to last ${seconds} s; at most ${lengthAtMost} s are believed.`)
  }
  return { track, bytes: mp4.byteLength }
}

/**
 * The encoded pictures that a loop is made of, in the order of decoding, timed from the first. Throws `UnusableClip` where
 * they are more than the file holds: a table may name the same bytes again and again.
 */
export async function* readPackets({ track, bytes }: Film): AsyncGenerator<EncodedPacket> {
  let first: number | undefined
  let read = 0
  let count = 0
  for await (const packet of new EncodedPacketSink(track).packets()) {
    first ??= packet.timestamp
    const timestamp = packet.timestamp - first
    // What is shown before the first picture belongs to a part of the film that was cut off.
    if (timestamp < 0) continue
    read += packet.byteLength
    if (read > bytes) throw new UnusableClip('Its pictures take more bytes than the file has.')
    if (timestamp >= secondsAtMost || count++ >= packetsAtMost) return
    yield packet.clone({ timestamp })
  }
}

/** The beginning of the film for a decoder that reads from a pipe: its head before its pictures, and no sound. */
export async function toStreamable(film: Film): Promise<Uint8Array> {
  const { codec, rotation } = film.track
  const decoderConfig = await film.track.getDecoderConfig()
  if (codec === null || decoderConfig === null) throw new UnusableClip('Its codec is not known.')
  const target = new BufferTarget()
  const output = new Output({ format: new Mp4OutputFormat({ fastStart: 'in-memory' }), target })
  const source = new EncodedVideoPacketSource(codec)
  output.addVideoTrack(source, { rotation })
  await output.start()
  for await (const packet of readPackets(film)) await source.add(packet, { decoderConfig })
  await output.finalize()
  return new Uint8Array(target.buffer ?? new ArrayBuffer(0))
}
