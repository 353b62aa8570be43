import type { Look } from './look.js'
import { drawMedallion } from './medallion.js'
import { drawPet } from './pet/draw-pet.js'
import { type Pose, stanceOf } from './pet/poses/poses.js'
import type { Stance } from './pet/stance.js'
import { drawDocument } from './rig/svg.js'
import { groundColours } from './scenery/grounds/colours.js'
import { drawCover, drawGround } from './scenery/grounds/grounds.js'
import { type Kit, kitOf } from './scenery/kit.js'
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
  return drawIn(kitOf(look, readSetting(backdrop), pose), stanceOf(look, pose), size)
}

/** Draws a pet in the setting of `kit`. */
export function drawIn(kit: Kit, stance: Stance, size: number): string {
  const { look, setting } = kit
  const { view, back, beside, over, worn, front } = placeProps(kit, stance.chest)
  return drawDocument(
    size,
    groundColours[baseOf[setting.place]](kit),
    places[setting.place](kit, view),
    drawGround(kit),
    back,
    drawCover(kit),
    beside,
    over,
    drawPet(look, stance),
    worn,
    front,
    isIndoors(setting) ? '' : drawWeather(kit, true),
    drawMedallion(look),
  )
}
