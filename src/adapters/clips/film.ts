import {
  BufferSource,
  BufferTarget,
  Conversion,
  Input,
  type InputVideoTrack,
  MP4,
  Mp4OutputFormat,
  Output,
  QTFF,
} from 'mediabunny'
import { UnusableClip } from './frame.js'

/** Pixels of a side: more takes a decoder seconds and gigabytes. */
const sideAtMost = 4096

/** A film whose head was read: nothing is decoded yet. */
export interface Film {
  readonly input: Input
  readonly track: InputVideoTrack
}

/** Reads the head of an MP4 that comes from outside. Throws `UnusableClip`. */
export async function openFilm(mp4: Uint8Array): Promise<Film> {
  const input = new Input({ source: new BufferSource(mp4), formats: [MP4, QTFF] })
  const track = await input.getPrimaryVideoTrack().catch((cause: unknown) => {
    throw new UnusableClip('It is no MP4 that can be read.', { cause })
  })
  if (track === null) throw new UnusableClip('It has no video.')
  const { codedWidth, codedHeight } = track
  if (!(codedWidth > 0 && codedHeight > 0) || Math.max(codedWidth, codedHeight) > sideAtMost) {
    throw new UnusableClip(`It has ${codedWidth} x ${codedHeight} pixels; at most ${sideAtMost} a side are decoded.`)
  }
  return { input, track }
}

/** The same film for a decoder that reads from a pipe: its head before its frames, and nothing but the video. */
export async function toStreamable({ input, track }: Film): Promise<Uint8Array> {
  const target = new BufferTarget()
  const output = new Output({ format: new Mp4OutputFormat({ fastStart: 'in-memory' }), target })
  const conversion = await Conversion.init({
    input,
    output,
    video: (one) => (one.id === track.id ? {} : { discard: true }),
    audio: { discard: true },
  })
  await conversion.execute()
  if (target.buffer === null) throw new UnusableClip('It is no MP4 that can be written anew.')
  return new Uint8Array(target.buffer)
}
