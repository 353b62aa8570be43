import {
  type ClipChange,
  isBrokenClip,
  isUnloopedClip,
  type StillShape,
  type ToLoop,
} from '../../../ports/clip-loops.js'
import type { CheckPicture } from '../../../ports/photos.js'
import type { Clip, ProviderImage } from '../../../ports/provider.js'
import { limitTime, untilAborted, waitAtMost } from '../../../runtime/abort.js'
import { type Mp4Box, readBoxes } from '../../../runtime/mp4-boxes.js'

const signatures: Readonly<Record<ProviderImage['contentType'], (bytes: Buffer) => boolean>> = {
  'image/png': (bytes) => bytes.subarray(0, 8).equals(Buffer.from('89504e470d0a1a0a', 'hex')),
  'image/jpeg': (bytes) => bytes.subarray(0, 3).equals(Buffer.from('ffd8ff', 'hex')),
  'image/webp': (bytes) => bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP',
}

/** Detects the format of a picture from its signature; undefined if it is not supported. */
export function readPicture(bytes: Uint8Array): ProviderImage | undefined {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const types = Object.keys(signatures) as ProviderImage['contentType'][]
  const contentType = types.find((type) => signatures[type](buffer))
  return contentType && { bytes, contentType }
}

/**
 * Returns the defect of a picture; undefined if the check does not finish before `latest`, because a paid picture
 * must be stored.
 */
export async function findProblem(
  { bytes }: ProviderImage,
  checkPicture: CheckPicture | undefined,
  latest: number,
): Promise<string | undefined> {
  return checkPicture && waitAtMost(checkPicture(bytes), Math.max(0, latest - Date.now()))
}

export interface LoopLimits {
  readonly signal: AbortSignal
  readonly latest: number
  readonly onFailure: (error: unknown) => void
  readonly onChange: (change: ClipChange) => void
  readonly still?: StillShape | undefined
}

/**
 * Adds the looping WebP to a clip of a length. If that fails or takes until `latest`, calls `onFailure`, which may throw, and returns
 * the MP4 alone: the clip is paid, and the remaining time is for storing it. Throws `BrokenClip`.
 */
export async function addLoop(
  mp4: Uint8Array,
  seconds: number,
  toLoop: ToLoop | undefined,
  { signal, latest, onFailure, onChange, still }: LoopLimits,
): Promise<Omit<Clip, 'purchase'>> {
  const plain = { mp4, webp: null, durationSeconds: Math.max(1, Math.round(seconds)) }
  if (toLoop === undefined) return plain
  const limit = limitTime(Math.max(0, latest - Date.now()), signal, 'there is no time left')
  try {
    const looped = await untilAborted(toLoop(mp4, limit.signal, still), limit.signal)
    for (const change of looped.changes) onChange(change)
    return { ...plain, webp: looped.webp, mp4: looped.mp4 ?? mp4 }
  } catch (error) {
    signal.throwIfAborted()
    if (isBrokenClip(error)) throw error
    onFailure(error)
    if (!isUnloopedClip(error)) return plain
    onChange('muted')
    return { ...plain, mp4: error.mp4 }
  } finally {
    limit.close()
  }
}

/** The boxes up to the one looked for. Only the fragments of a film are more, and its header is before them. */
const boxesAtMost = 1000

/** Returns the duration in the movie header of an MP4 file, in seconds; undefined for any other file. */
export function readMp4Seconds(bytes: Uint8Array): number | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const first = findBox(bytes, 'ftyp')
  const movie = findBox(bytes, 'moov')
  const header = movie && findBox(bytes, 'mvhd', movie)
  if (first?.start !== 8 || header === undefined || header.end - header.start < 32) return undefined
  const isLong = view.getUint8(header.start) === 1
  const timescale = view.getUint32(header.start + (isLong ? 20 : 12))
  const duration = isLong ? Number(view.getBigUint64(header.start + 24)) : view.getUint32(header.start + 16)
  const seconds = duration / timescale
  return Number.isFinite(seconds) && seconds > 0 ? seconds : undefined
}

function findBox(bytes: Uint8Array, type: string, within?: Mp4Box): Mp4Box | undefined {
  try {
    for (const box of readBoxes(bytes, within?.start, within?.end, boxesAtMost)) if (box.type === type) return box
  } catch {
    // The file is not MP4, ends before this box, or has too many before it.
  }
  return undefined
}
