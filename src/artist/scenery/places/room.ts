import { oval, path, rect, stroke } from '../../rig/svg.js'
import { groundColours } from '../grounds/colours.js'
import { hues, type Kit } from '../kit.js'
import { band, glow, gradient } from '../marks.js'
import { pottedPlant } from '../plants.js'
import type { Prop } from '../props/prop-names.js'
import { isDark } from '../setting.js'
import { drawWindow } from '../window.js'

/** Furniture against the wall on the left. */
const tall: readonly Prop[] = ['fireplace', 'tree_lights']
/** Things outside the window, for which it is large. */
const seen: readonly Prop[] = ['window', 'skyline', 'bird', 'fireworks']
/** Things in front of the wall on the right. */
const hanging: readonly Prop[] = ['wreath', 'balloons', 'frisbee']
const gloomy = ['rain', 'storm', 'snow', 'fog']

/** A living room with a window that shows the weather; lamps are lit when it is dark outside. */
export function room(kit: Kit, view: string): string {
  const { time, weather, props } = kit.setting
  const has = (things: readonly Prop[]) => props.some((prop) => things.includes(prop))
  // In lamplight no wall looks blue.
  const wall = (l: number, c: number) => (time === 'evening' ? kit.tone(l, c, 1.2, 0) : kit.tone(l, c, hues.sky, 0.75))
  const frame = has(tall)
    ? { x: 560, y: 96, width: 216, height: 236 }
    : has(seen)
      ? { x: 70, y: 96, width: 390, height: 470 }
      : { x: 98, y: 118, width: 294, height: 330 }
  return [
    band(700, 100, groundColours.floor(kit)),
    gradient('wall', wall(0.89, 0.04), wall(0.93, 0.03)),
    band(0, 736, 'url(#wall)'),
    drawWindow(kit, frame, view),
    has(tall) || has(hanging) ? '' : pictures(kit),
    band(682, 24, kit.tone(0.97, 0.01, hues.sand)),
    band(704, 7, kit.tone(0.6, 0.05, hues.wood, 0.1)),
    isDark(kit.setting) || gloomy.includes(weather) ? floorLamp(kit) : pottedPlant(kit, 942, 722),
  ].join('')
}

function pictures(kit: Kit): string {
  const wood = kit.tone(0.66, 0.07, hues.wood, 0)
  return [
    rect(838, 118, 124, 150, wood, 'rx="6"'),
    rect(850, 130, 100, 126, kit.tone(0.95, 0.02, hues.sand, 0.1)),
    path('M900 224C858 196 872 158 900 178C928 158 942 196 900 224Z', kit.accent, 'fill-opacity=".75"'),
    rect(846, 296, 96, 80, wood, 'rx="6"'),
    rect(857, 307, 74, 58, kit.tone(0.86, 0.06, hues.sky, 0.1)),
    path('M857 365V346L878 324L896 346L906 336L931 365Z', kit.tone(0.7, 0.09, hues.leaf, 0.1)),
  ].join('')
}

function floorLamp(kit: Kit): string {
  const pole = kit.tone(0.42, 0.03, hues.wood)
  return [
    glow('lamplight', 950, 440, 430, '#ffd98a', isDark(kit.setting) ? 0.8 : 0.5),
    oval(950, 724, 56, 11, pole),
    stroke('M950 720V480', pole, 10),
    path('M908 390H992L1016 500H884Z', '#ffe6a8'),
    path('M966 390H992L1016 500H982Z', '#f5cf83'),
  ].join('')
}
