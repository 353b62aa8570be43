import { joint, point } from '../../rig/points.js'
import type { PosedPet, Stance } from '../stance.js'
import { lying } from './lying.js'

/** Lies with its chin on its paws, asleep. */
export function asleep(pet: PosedPet, phase: number): Stance {
  const stance = lying(pet, phase)
  const isDog = pet.species === 'dog'
  const [low, head] = isDog ? [point(640, 676), point(724, 690)] : [point(606, 706), point(690, 690)]
  return {
    ...stance,
    neck: [joint(low, isDog ? 84 : 68), joint(point(head.x - 28, head.y - 10), isDog ? 70 : 62)],
    head: { at: head, degrees: isDog ? 7 : 10 },
    face: { ...stance.face, eyes: 0, pant: 0, ears: isDog ? 6 : 10 },
  }
}
