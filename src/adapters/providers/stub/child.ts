/** Child process: draws one picture or clip at a time. The same input gives the same bytes on every machine. */
import sharp from 'sharp'
import { type DrawnClip, drawClip } from '../../../artist/clip.js'
import { type Look, readLook, type Species } from '../../../artist/look.js'
import { poses } from '../../../artist/pet/poses/poses.js'
import { drawPicture } from '../../../artist/picture.js'
import { serveJobs } from '../../../runtime/serve-jobs.js'

/** The input and the output of each kind of drawing. */
export interface Drawings {
  readonly look: {
    readonly input: { readonly photo: Uint8Array; readonly species: Species }
    readonly output: Look
  }
  /** A PNG file; with a backdrop, of a scene. */
  readonly picture: {
    readonly input: {
      readonly look: Look
      readonly pose: string
      readonly backdrop: Readonly<Record<string, unknown>> | undefined
    }
    readonly output: Uint8Array
  }
  readonly clip: {
    readonly input: { readonly look: Look; readonly pose: string }
    readonly output: DrawnClip
  }
}

export type DrawingRequest = {
  readonly [Kind in keyof Drawings]: { readonly kind: Kind; readonly input: Drawings[Kind]['input'] }
}[keyof Drawings]

/** The drawing, or a refusal of an input that can never be drawn. */
export type DrawingAnswer =
  | { readonly output: Drawings[keyof Drawings]['output'] }
  | { readonly refusal: string; readonly cause?: unknown }

// One drawing keeps one core busy: more threads inside libvips only compete with each other.
sharp.concurrency(1)
sharp.cache(false)

serveJobs(draw)

async function draw({ kind, input }: DrawingRequest): Promise<DrawingAnswer> {
  if (kind === 'look') {
    try {
      return { output: await readLook(input.photo, input.species) }
    } catch (cause) {
      return { refusal: 'The photo cannot be decoded. Use another one.', cause }
    }
  }
  const pose = poses.find((known) => known === input.pose)
  if (pose === undefined) return { refusal: `The stub provider draws only ${poses.join(', ')}.` }
  return {
    output: kind === 'picture' ? await drawPicture(input.look, pose, input.backdrop) : await drawClip(input.look, pose),
  }
}
