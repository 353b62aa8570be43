import { BufferTarget, EncodedVideoPacketSource, Mp4OutputFormat, Output } from 'mediabunny'
import { type Mp4Box, readBoxes } from '../../runtime/mp4-boxes.js'
import { lengthAtMost, UnsupportedClip } from './frame.js'
import { readPackets, type Video } from './video.js'

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
