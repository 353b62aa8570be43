import { limitTime, untilAborted } from '../../../abort.js'
import type { ToLoop } from '../../../ports/loops.js'
import type { CheckPicture } from '../../../ports/photos.js'
import type { Clip, ProviderImage } from '../../../ports/provider.js'
import { readMp4Seconds } from './mp4-length.js'

const signatures: Readonly<Record<ProviderImage['contentType'], (bytes: Buffer) => boolean>> = {
  'image/png': (bytes) => bytes.subarray(0, 8).equals(Buffer.from('89504e470d0a1a0a', 'hex')),
  'image/jpeg': (bytes) => bytes.subarray(0, 3).equals(Buffer.from('ffd8ff', 'hex')),
  'image/webp': (bytes) => bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP',
}

/** A picture by what it is, whatever its service calls it; undefined if it is none that we keep. */
export function readPicture(bytes: Uint8Array): ProviderImage | undefined {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const types = Object.keys(signatures) as ProviderImage['contentType'][]
  const contentType = types.find((type) => signatures[type](buffer))
  return contentType && { bytes, contentType }
}

/** What is wrong with a picture; nothing where that cannot be told before `latest`: it is paid, and to be stored. */
export async function findProblem(
  { bytes }: ProviderImage,
  checkPicture: CheckPicture | undefined,
  latest: number,
): Promise<string | undefined> {
  if (checkPicture === undefined) return undefined
  let timer: NodeJS.Timeout | undefined
  const over = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, Math.max(0, latest - Date.now()), undefined)
  })
  try {
    return await Promise.race([checkPicture(bytes), over])
  } finally {
    clearTimeout(timer)
  }
}

export interface Film {
  readonly mp4: Uint8Array
  /** As exactly as the file says. */
  readonly seconds: number
}

/** A clip; undefined if it is no MP4 file. */
export function readFilm(mp4: Uint8Array): Film | undefined {
  const seconds = readMp4Seconds(mp4)
  return seconds === undefined ? undefined : { mp4, seconds }
}

/**
 * The clip in both formats. Where its loop cannot be made, or not before `latest`, it is kept as it is and `tell` is called
 * with the reason: it is paid, and the time after is for storing it.
 */
export async function addLoop(
  { mp4, seconds }: Film,
  toLoop: ToLoop | undefined,
  { signal, latest, tell }: { signal: AbortSignal; latest: number; tell: (error: unknown) => void },
): Promise<Omit<Clip, 'purchase'>> {
  const plain = { mp4, webp: null, durationSeconds: Math.max(1, Math.round(seconds)) }
  if (toLoop === undefined) return plain
  const limit = limitTime(Math.max(0, latest - Date.now()), signal, 'there is no time left')
  try {
    return { ...plain, webp: await untilAborted(toLoop(mp4, limit.signal), limit.signal) }
  } catch (error) {
    signal.throwIfAborted()
    tell(error)
    return plain
  } finally {
    limit.close()
  }
}
