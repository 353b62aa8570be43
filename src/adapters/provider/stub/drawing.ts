import { createHash } from 'node:crypto'
import sharp from 'sharp'
import { drawClip } from './clip.js'
import { drawPose, type Pose, poses, stillPhase } from './draw-pose.js'
import { type Look, readLook } from './look.js'
import type { Drawing, DrawingFiles } from './order.js'

/** Thrown for what cannot be drawn. `message` is a sentence for the caller, `cause` what the decoder of a photo said. */
export class Undrawable extends Error {
  override readonly name = 'Undrawable'
}

const pictureSide = 1024
/** Poses of one pet come in a row: its look is read once. */
const looksKept = 8
const looks = new Map<string, Look>()

/**
 * Draws a picture or a clip; the same drawing gives the same bytes everywhere, always.
 * Throws Undrawable, or the reason of `signal` soon after it is aborted.
 */
export async function draw(
  { kind, species, pose, photo }: Drawing,
  signal: AbortSignal,
  onProgress: (fraction: number) => void,
): Promise<DrawingFiles> {
  if (!isPose(pose)) throw new Undrawable(`The stub provider draws only ${poses.join(', ')}.`)
  const look = await findLook(photo, species)
  signal.throwIfAborted()
  if (kind === 'clip') return drawClip(look, pose, signal, onProgress)
  onProgress(0.5)
  return { png: await drawPicture(drawPose(look, pose, stillPhase[pose], pictureSide)) }
}

/** PNG is lossless, so that a model that gets the picture as its reference sees what was drawn, and faster than WebP. */
export async function drawPicture(svg: string): Promise<Uint8Array> {
  const { data } = await sharp(Buffer.from(svg)).removeAlpha().png().toUint8Array()
  return data
}

function isPose(name: string): name is Pose {
  return poses.some((pose) => pose === name)
}

async function findLook(photo: Uint8Array, species: Drawing['species']): Promise<Look> {
  const key = `${species} ${createHash('sha256').update(photo).digest('base64')}`
  const known = looks.get(key)
  if (known !== undefined) return known
  const look = await readLook(photo, species).catch((error: unknown) => {
    throw new Undrawable('The photo cannot be decoded. Use another one.', { cause: error })
  })
  const [oldest] = looks.keys()
  if (oldest !== undefined && looks.size >= looksKept) looks.delete(oldest)
  looks.set(key, look)
  return look
}
