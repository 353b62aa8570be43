import type { Look } from '../../look.js'
import { gaits, strideOf } from '../gait.js'
import type { Stance } from '../stance.js'
import { lying } from './lying.js'
import { running } from './running.js'
import { sitting } from './sitting.js'
import { walking } from './walking.js'

export const poses = ['lying', 'sitting', 'walking', 'running'] as const
export type Pose = (typeof poses)[number]

const stances = { lying, sitting, walking, running }

/** The moment of the loop that each pose's still picture shows. */
export const stillPhase: Readonly<Record<Pose, number>> = {
  lying: 0.12,
  sitting: 0.16,
  walking: 0.34,
  running: 0.143,
}

/** Distance that the ground moves in one loop, in pixels; 0 for a pet that stays. */
export const travel: Readonly<Record<Pose, number>> = {
  lying: 0,
  sitting: 0,
  walking: strideOf(gaits.walking) * gaits.walking.cycles,
  running: strideOf(gaits.running) * gaits.running.cycles,
}

/** Returns the stance of a pet at a moment of the loop, from 0 to 1; by default, at that of the still picture. */
export function stanceOf(look: Look, pose: Pose, phase = stillPhase[pose]): Stance {
  return stances[pose](look, phase)
}
