import { type SceneName, scenes } from './backdrop/scenes.js'
import { drawDocument, stageOf } from './backdrop/stage.js'
import type { Look, Species } from './look.js'
import { drawMedallion } from './medallion.js'
import { drawPet } from './pet/draw-pet.js'
import { gaits, strideOf } from './pet/gait.js'
import { lying } from './pet/poses/lying.js'
import { running } from './pet/poses/running.js'
import { sitting } from './pet/poses/sitting.js'
import { walking } from './pet/poses/walking.js'
import type { Stance } from './pet/stance.js'

export const poses = ['lying', 'sitting', 'walking', 'running'] as const
export type Pose = (typeof poses)[number]

/** The moment of the loop that each pose's still picture shows. */
export const stillPhase: Readonly<Record<Pose, number>> = {
  lying: 0.12,
  sitting: 0.16,
  walking: 0.34,
  running: 0.143,
}

const stances = { lying, sitting, walking, running }

/** Returns the stance of each pose's still picture. */
export function stillStance(look: Look, pose: Pose): Stance {
  return stances[pose](look, stillPhase[pose])
}

const travel: Readonly<Record<Pose, number>> = {
  lying: 0,
  sitting: 0,
  walking: strideOf(gaits.walking) * gaits.walking.cycles,
  running: strideOf(gaits.running) * gaits.running.cycles,
}

const sceneOf: Readonly<Record<Pose, Readonly<Record<Species, SceneName>>>> = {
  lying: { dog: 'room', cat: 'room' },
  sitting: { dog: 'garden', cat: 'garden' },
  walking: { dog: 'park', cat: 'park' },
  running: { dog: 'beach', cat: 'field' },
}

/**
 * Draws a pet in a pose as an SVG document of `size` by `size` pixels. `phase` is the moment of a loop of two
 * seconds, from 0 to 1; phase 1 equals phase 0, so that the loop has no seam.
 */
export function drawPose(look: Look, pose: Pose, phase: number, size = 1024): string {
  const moment = phase - Math.floor(phase)
  const stance = stances[pose](look, moment)
  const stage = stageOf(look.surroundings, look.palette, moment, travel[pose])
  const scene = scenes[sceneOf[pose][look.species]](stage)
  return drawDocument(size, scene.ground, scene.behind, drawPet(look, stance), scene.front, drawMedallion(look))
}
