import type { Look } from './look.js'
import { drawMedallion } from './medallion.js'
import { drawPet } from './pet/draw-pet.js'
import { lookAt } from './pet/gaze.js'
import { type DrawnPose, drawnPose, type Pose, stanceOf } from './pet/poses/poses.js'
import type { Stance } from './pet/stance.js'
import type { Point } from './rig/points.js'
import { drawDocument } from './rig/svg.js'
import { groundColours } from './scenery/grounds/colours.js'
import { drawCover, drawGround } from './scenery/grounds/grounds.js'
import { type Kit, kitOf } from './scenery/kit.js'
import { lightPet } from './scenery/pet-light.js'
import { places } from './scenery/places/places.js'
import { placeProps } from './scenery/props/place-props.js'
import { readSetting } from './scenery/read-setting.js'
import { baseOf, isIndoors } from './scenery/setting.js'
import { drawWeather } from './scenery/weather.js'

/** A picture of a scene; unknown words of `backdrop` are ignored. */
export interface DrawnScene {
  readonly pose: Pose
  readonly backdrop: Readonly<Record<string, unknown>>
}

/** Draws a pet in a scene as an SVG document of `size` by `size` pixels. */
export function drawScene(look: Look, { pose, backdrop }: DrawnScene, size = 1024): string {
  const setting = readSetting(backdrop)
  const drawn = drawnPose(pose, setting.pet.pose)
  return drawIn(kitOf(look, setting, drawn), stanceOf(look, drawn), size)
}

/** Draws a pet in the setting of `kit`. */
export function drawIn(kit: Kit, stance: Stance, size: number): string {
  const { look, setting, stage } = kit
  const { layers, sight } = placeProps(kit, stance.chest)
  const { view, back, beside, over, worn, front } = layers
  const attentive = sight ? watch(kit.pose, stance, stage.toPet(sight)) : stance
  return drawDocument(
    size,
    groundColours[baseOf[setting.place]](kit),
    places[setting.place](kit, view),
    drawGround(kit),
    back,
    drawCover(kit),
    beside,
    over,
    stage.put(drawPet(lightPet(kit), attentive) + worn),
    front,
    isIndoors(setting) ? '' : drawWeather(kit, true),
    drawMedallion(look),
  )
}

const asleep: readonly DrawnPose[] = ['asleep', 'curled']
const onTheMove: readonly DrawnPose[] = ['walking', 'running']

/** A sleeping pet looks at nothing, and one that moves does not look back. */
function watch(pose: DrawnPose, stance: Stance, target: Point): Stance {
  const isBehind = target.x < stance.head.at.x
  return asleep.includes(pose) || (isBehind && onTheMove.includes(pose)) ? stance : lookAt(stance, target)
}
