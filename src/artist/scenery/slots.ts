import type { DrawnPose } from '../pet/poses/poses.js'
import { clamp } from '../rig/oklab.js'
import type { Kit } from './kit.js'
import { isIndoors } from './setting.js'

/** A position of a prop that covers neither the face nor the photo. */
export type Slot = 'left' | 'right' | 'front' | 'middle' | 'air'

/** The order in which a prop tries free slots. */
export type Preference = 'low' | 'toy' | 'mate' | 'corner' | 'left' | 'right' | 'air'

const aside: readonly Slot[] = ['right', 'front', 'middle']
const before: readonly Slot[] = ['front', 'middle', 'right']

const low: readonly DrawnPose[] = ['lying', 'asleep', 'curled']

/** A lying pet hides low things behind it. */
export const preferences: Readonly<Record<Preference, (pose: DrawnPose) => readonly Slot[]>> = {
  low: (pose) => (low.includes(pose) ? before : aside),
  toy: () => before,
  mate: () => ['right', 'left'],
  corner: () => ['right'],
  left: () => ['left', 'right', 'front'],
  right: () => ['right', 'left', 'front'],
  air: () => ['air'],
}

export interface SlotPlace {
  readonly x: number
  readonly y: number
  readonly scale: number
}

/** The head with its ears. */
export const faces: Readonly<Record<DrawnPose, { readonly x: number; readonly y: number; readonly radius: number }>> = {
  lying: { x: 668, y: 520, radius: 170 },
  sitting: { x: 588, y: 370, radius: 180 },
  walking: { x: 716, y: 420, radius: 175 },
  running: { x: 770, y: 480, radius: 185 },
  asleep: { x: 724, y: 670, radius: 170 },
  curled: { x: 640, y: 700, radius: 170 },
  bow: { x: 710, y: 570, radius: 180 },
}

const lying: Readonly<Record<Slot, SlotPlace>> = {
  left: { x: 125, y: 730, scale: 1.2 },
  right: { x: 934, y: 772, scale: 1 },
  front: { x: 132, y: 948, scale: 1 },
  middle: { x: 500, y: 960, scale: 1 },
  air: { x: 900, y: 330, scale: 1 },
}

/** `left` and `right` are behind the pet's feet, `front` and `middle` in front of it, `air` ahead of it. */
export const slots: Readonly<Record<DrawnPose, Readonly<Record<Slot, SlotPlace>>>> = {
  lying,
  asleep: lying,
  curled: lying,
  bow: { ...lying, left: { x: 110, y: 756, scale: 1 }, right: { x: 985, y: 752, scale: 1 } },
  sitting: {
    left: { x: 140, y: 806, scale: 1.15 },
    right: { x: 864, y: 796, scale: 1.15 },
    front: { x: 200, y: 960, scale: 1.1 },
    middle: { x: 540, y: 970, scale: 1.1 },
    air: { x: 872, y: 330, scale: 1.1 },
  },
  walking: {
    left: { x: 100, y: 792, scale: 1.05 },
    right: { x: 922, y: 786, scale: 1.05 },
    front: { x: 190, y: 952, scale: 1.05 },
    middle: { x: 540, y: 968, scale: 1.05 },
    air: { x: 920, y: 230, scale: 0.95 },
  },
  running: {
    left: { x: 96, y: 780, scale: 1 },
    right: { x: 950, y: 764, scale: 0.95 },
    front: { x: 190, y: 950, scale: 1.05 },
    middle: { x: 540, y: 966, scale: 1.05 },
    air: { x: 900, y: 250, scale: 1 },
  },
}

/**
 * Returns the place of a slot in the picture of a scene. It moves with the pet, but not out of the picture; things on
 * the wall of a room stay.
 */
export function slotPlaceOf({ pose, setting, stage }: Kit, slot: Slot): SlotPlace {
  const { x, y, scale } = slots[pose][slot]
  if (slot === 'air' && isIndoors(setting)) return slots[pose][slot]
  return { x: clamp(stage.toPicture({ x, y }).x, 96, 934), y, scale }
}
