import type { Look } from '../../look.js'
import { gaits, strideOf } from '../gait.js'
import type { Stance } from '../stance.js'
import { asleep } from './asleep.js'
import { bow } from './bow.js'
import { curled } from './curled.js'
import { lying } from './lying.js'
import { running } from './running.js'
import { sitting } from './sitting.js'
import { walking } from './walking.js'

export const poses = ['lying', 'sitting', 'walking', 'running'] as const
export type Pose = (typeof poses)[number]

/** Poses of scenes alone, each with those of requests that it replaces. */
export const scenePoses = {
  asleep: ['lying'],
  curled: ['lying'],
  bow: ['running', 'walking', 'lying'],
} as const satisfies Record<string, readonly Pose[]>
export type DrawnPose = Pose | keyof typeof scenePoses

/** Returns the pose to draw if a scene prefers its own. */
export function drawnPose(requested: Pose, preferred: keyof typeof scenePoses | undefined): DrawnPose {
  const replaced: readonly Pose[] = preferred ? scenePoses[preferred] : []
  return preferred && replaced.includes(requested) ? preferred : requested
}

const stances = { lying, sitting, walking, running, asleep, curled, bow }

/** The moment of the loop that each pose's still picture shows. */
export const stillPhase: Readonly<Record<DrawnPose, number>> = {
  lying: 0.12,
  sitting: 0.16,
  walking: 0.34,
  running: 0.143,
  asleep: 0.12,
  curled: 0.12,
  bow: 0.16,
}

/** Distance that the ground moves in one loop, in pixels; 0 for a pet that stays. */
export const travel: Readonly<Record<Pose, number>> = {
  lying: 0,
  sitting: 0,
  walking: strideOf(gaits.walking) * gaits.walking.cycles,
  running: strideOf(gaits.running) * gaits.running.cycles,
}

/** Returns the stance of a pet at a moment of the loop, from 0 to 1; by default, at that of the still picture. */
export function stanceOf(look: Look, pose: DrawnPose, phase = stillPhase[pose]): Stance {
  return stances[pose](look, phase)
}
