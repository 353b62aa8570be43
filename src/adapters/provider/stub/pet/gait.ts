/** How feet move: on the ground they go back as fast as the ground does, in the air they swing forward. */
export interface Gait {
  /** Whole strides in one loop. */
  readonly cycles: number
  /** How far a foot on the ground gets before and behind its joint, in pixels. */
  readonly reach: number
  /** Part of the stride that a foot is on the ground. */
  readonly duty: number
  readonly lift: number
  /** How much further than `reach` a foot in the air swings. */
  readonly swing: number
  /** Part of the stride by which each foot is ahead. */
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
    ahead: { farHind: -0.07, farFore: 0.4, nearHind: 0.04, nearFore: 0.5 },
  },
} as const satisfies Record<string, Gait>

/** How far the ground goes back in one stride; the near ground's tiles divide it. */
export const strideOf = ({ reach, duty }: Gait): number => (2 * reach) / duty

export interface Step {
  /** From the joint the leg hangs from, forward. */
  readonly x: number
  /** Above the ground. */
  readonly y: number
  /** Tipped on the toes. */
  readonly degrees: number
  readonly planted: boolean
}

/** Where a foot is at a moment of the loop. */
export function stepAt(gait: Gait, foot: Foot, phase: number): Step {
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
