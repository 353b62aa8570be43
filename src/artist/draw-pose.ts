import { drawIn } from './draw-scene.js'
import type { Look, Species } from './look.js'
import { type Pose, stanceOf, travel } from './pet/poses/poses.js'
import { kitOf } from './scenery/kit.js'
import type { SceneSetting } from './scenery/setting.js'

type Surface = Pick<SceneSetting, 'place' | 'ground'>
const room: Surface = { place: 'room', ground: 'rug' }
const garden: Surface = { place: 'garden', ground: 'grass' }
const park: Surface = { place: 'park', ground: 'path' }

const surfaces: Readonly<Record<Pose, Readonly<Record<Species, Surface>>>> = {
  lying: { dog: room, cat: room },
  sitting: { dog: garden, cat: garden },
  walking: { dog: park, cat: park },
  running: { dog: { place: 'beach', ground: 'sand' }, cat: { place: 'field', ground: 'grass' } },
}

/**
 * Draws a pet in a pose as an SVG document of `size` by `size` pixels. `phase` is the moment of a loop of two
 * seconds, from 0 to 1; phase 1 equals phase 0, so that the loop has no seam.
 */
export function drawPose(look: Look, pose: Pose, phase: number, size = 1024): string {
  const moment = phase - Math.floor(phase)
  const setting: SceneSetting = {
    ...surfaces[pose][look.species],
    season: 'summer',
    weather: 'sun',
    time: 'day',
    props: [],
    pet: {},
  }
  const kit = kitOf(look, setting, pose, { phase: moment, travel: travel[pose] })
  return drawIn(kit, stanceOf(look, pose, moment), size)
}
