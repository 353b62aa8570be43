import type { Pose } from '../../draw-pose.js'
import type { Kit } from '../kit.js'
import type { Preference } from '../slots.js'

/**
 * A thing of a scene. One that stands in a slot is drawn around (0, 0), where it meets the ground, about 200 pixels wide
 * and up to 330 high; so is one that is `worn`, around the pet's chest. Other layers are drawn in the picture as a whole:
 * `view` far off, in the sky or through the window; `back` below what covers the ground; `over` just behind the pet.
 */
export type PropDrawing = PlainProp | NestProp

export type PlainProp =
  | { readonly slot: Preference; readonly draw: (kit: Kit) => string }
  | { readonly layer: 'view' | 'back' | 'over' | 'worn'; readonly draw: (kit: Kit) => string }

/** One that the pet is in when it has the pose named; a `rim` is drawn before the pet. */
interface NestProp {
  readonly nest: Pose
  readonly draw: (kit: Kit) => string
  readonly rim?: (kit: Kit) => string
  readonly else: PlainProp
}
