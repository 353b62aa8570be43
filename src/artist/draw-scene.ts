import { drawDocument, stageOf } from './backdrop/stage.js'
import { type Pose, stillStance } from './draw-pose.js'
import type { Look } from './look.js'
import { drawMedallion } from './medallion.js'
import { drawPet } from './pet/draw-pet.js'
import { groundColours } from './scene/grounds/colours.js'
import { drawCover, drawGround } from './scene/grounds/grounds.js'
import { type Kit, kitOf } from './scene/kit.js'
import { places } from './scene/places/places.js'
import { defineLeaves } from './scene/plants.js'
import { placeProps } from './scene/props/place-props.js'
import { readSetting } from './scene/read-setting.js'
import { baseOf, isIndoors } from './scene/setting.js'
import { weathers } from './scene/weather.js'

/** A picture of a scene; unknown words of `backdrop` are ignored. */
export interface DrawnScene {
  readonly pose: Pose
  readonly backdrop: Readonly<Record<string, unknown>>
}

/** Draws a pet in a scene as an SVG document of `size` by `size` pixels. */
export function drawScene(look: Look, { pose, backdrop }: DrawnScene, size = 1024): string {
  const setting = readSetting(backdrop)
  const kit = kitOf(stageOf(look.surroundings, look.palette, 0, 0), setting, pose)
  const stance = stillStance(look, pose)
  const { view, back, beside, over, worn, front } = placeProps(kit, stance.chest)
  return drawDocument(
    size,
    groundColours[baseOf[setting.place]](kit),
    defineLeaves(kit),
    places[setting.place](kit, view),
    drawGround(kit),
    back,
    drawCover(kit),
    beside,
    over,
    drawPet(look, stance),
    worn,
    front,
    drawAir(kit),
    drawMedallion(look),
  )
}

function drawAir(kit: Kit): string {
  return isIndoors(kit.setting) ? '' : weathers[kit.setting.weather](kit, true)
}
