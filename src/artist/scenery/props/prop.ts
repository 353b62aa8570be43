import type { DrawnPose } from '../../pet/poses/poses.js'
import type { Point } from '../../rig/points.js'
import type { Kit } from '../kit.js'
import type { Preference } from '../slots.js'

/**
 * A thing of a scene. A prop in a slot is drawn around (0, 0), where it meets the ground, about 200 pixels wide and
 * up to 330 high; a `worn` prop is drawn around the pet's chest. Props of other layers are drawn in picture
 * coordinates: `view` at a distance, in the sky or through the window; `back` below the cover of the ground; `over`
 * directly behind the pet.
 */
export type PropDrawing = PlainProp | NestProp

export type PlainProp = (
  | { readonly slot: Preference; readonly draw: (kit: Kit) => string }
  | { readonly layer: 'view' | 'back' | 'over' | 'worn'; readonly draw: (kit: Kit) => string }
) & {
  /** The point of the drawing that the pet looks at; nothing for things that no pet looks at. */
  readonly sight?: Point
}

/** A prop that contains the pet in the given poses; a `rim` is drawn in front of the pet. */
interface NestProp {
  readonly nests: readonly DrawnPose[]
  readonly draw: (kit: Kit) => string
  readonly rim?: (kit: Kit) => string
  readonly else: PlainProp
}
