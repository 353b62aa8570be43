/** The motion of feet: on the ground they move back with it, in the air they swing forward. */
export interface Gait {
  /** Whole strides per loop. */
  readonly cycles: number
  /** Distance of a foot on the ground before and behind its joint, in pixels. */
  readonly reach: number
  /** Fraction of the stride that a foot is on the ground. */
  readonly duty: number
  readonly lift: number
  /** Additional distance that a foot in the air swings. */
  readonly swing: number
  /** Fraction of the stride by which each foot is ahead. */
  readonly ahead: Readonly<Record<Foot, number>>
}

export type Foot = 'farHind' | 'farFore' | 'nearHind' | 'nearFore'

export const gaits = {
  /** Four beats, one foot after the other. */
  walking: {
    cycles: 2,
    reach: 80,
    duty: 0.625,
    lift: 40,
    swing: 8,
    ahead: { farHind: 0.5, farFore: 0.25, nearHind: 0, nearFore: 0.75 },
  },
  /** A gallop: hind feet almost together, a leap, fore feet almost together. */
  running: {
    cycles: 3,
    reach: 108,
    duty: 0.3,
    lift: 50,
    swing: 52,
    ahead: { farHind: -0.23, farFore: 0.4, nearHind: 0.07, nearFore: 0.5 },
  },
} as const satisfies Record<string, Gait>

/** Distance that the ground moves back in one stride; the tiles of the near ground divide it. */
export const strideOf = ({ reach, duty }: Gait): number => (2 * reach) / duty

export interface GaitStep {
  /** Forward distance from the joint of the leg. */
  readonly x: number
  /** Height above the ground. */
  readonly y: number
  /** Rotation onto the toes. */
  readonly degrees: number
  readonly planted: boolean
}

/** Returns the position of a foot at a moment of the loop. */
export function stepAt(gait: Gait, foot: Foot, phase: number): GaitStep {
  const turned = phase * gait.cycles + gait.ahead[foot]
  const at = turned - Math.floor(turned)
  if (at < gait.duty) {
    const spent = at / gait.duty
    const heel = Math.max(0, spent - 0.7) / 0.3
    return { x: gait.reach * (1 - 2 * spent), y: 0, degrees: 24 * heel * heel, planted: true }
  }
  const spent = (at - gait.duty) / (1 - gait.duty)
  const eased = spent * spent * (3 - 2 * spent)
  const arch = Math.sin(Math.PI * spent)
  return {
    x: gait.reach * (2 * eased - 1) - gait.swing * Math.sin(2 * Math.PI * spent),
    y: gait.lift * arch,
    degrees: 24 * (1 - eased) + 44 * Math.sin(Math.PI * Math.min(1, spent * 1.25)),
    planted: false,
  }
}
