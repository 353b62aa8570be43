import { hues, verticalGradient, width } from '../../backdrop/stage.js'
import { point } from '../../rig/points.js'
import { ellipse, path, rect, stroke } from '../../rig/svg.js'
import type { Kit } from '../kit.js'
import { at, glow, shadow } from '../marks.js'
import { isDark, type Prop } from '../setting.js'
import { drawWindow } from '../window.js'

/** Furniture against the wall on the left. */
const tall: readonly Prop[] = ['fireplace', 'tree_lights']
/** Things outside the window, for which it is large. */
const seen: readonly Prop[] = ['window', 'skyline', 'bird', 'fireworks', 'kite']
/** Things in front of the wall on the right. */
const hanging: readonly Prop[] = ['wreath', 'balloons', 'frisbee']
const gloomy = ['rain', 'storm', 'snow', 'fog']

/** A living room with a window that shows the weather; lamps are lit when it is dark outside. */
export function room(kit: Kit, view: string): string {
  const { props, weather } = kit.setting
  const lit = isDark(kit.setting) || gloomy.includes(weather)
  // In lamplight no wall looks blue.
  const wall = (l: number, c: number) =>
    kit.setting.time === 'evening' ? kit.tone(l, c, 1.2, 0) : kit.tone(l, c, hues.sky, 0.75)
  const large = props.some((prop) => seen.includes(prop))
  const aside = props.some((prop) => tall.includes(prop))
  return [
    verticalGradient('wall', [
      [0, wall(0.89, 0.04)],
      [1, wall(0.93, 0.03)],
    ]),
    rect(0, 0, width, 704, 'url(#wall)'),
    aside
      ? drawWindow(kit, { x: 560, y: 96, width: 216, height: 236 }, view)
      : large
        ? drawWindow(kit, { x: 70, y: 96, width: 390, height: 470 }, view)
        : drawWindow(kit, { x: 98, y: 118, width: 294, height: 330 }, view),
    aside ? '' : pictures(kit),
    skirting(kit),
    lit ? floorLamp(kit) : plant(kit),
  ].join('')
}

function skirting(kit: Kit): string {
  return (
    rect(0, 682, width, 24, kit.tone(0.97, 0.01, hues.sand)) +
    rect(0, 704, width, 7, kit.tone(0.6, 0.05, hues.wood, 0.1))
  )
}

function pictures(kit: Kit): string {
  if (kit.setting.props.some((prop) => hanging.includes(prop))) return ''
  const wood = kit.tone(0.66, 0.07, hues.wood, 0)
  const paper = kit.tone(0.95, 0.02, hues.sand, 0.1)
  return [
    rect(838, 118, 124, 150, wood, 'rx="6"'),
    rect(850, 130, 100, 126, paper),
    path('M900 224C858 196 872 158 900 178C928 158 942 196 900 224Z', kit.accent, 'fill-opacity=".75"'),
    rect(846, 296, 96, 80, wood, 'rx="6"'),
    rect(857, 307, 74, 58, kit.tone(0.86, 0.06, hues.sky, 0.1)),
    path('M857 365V346L878 324L896 346L906 336L931 365Z', kit.tone(0.7, 0.09, hues.leaf, 0.1)),
  ].join('')
}

function plant(kit: Kit): string {
  const leafy = kit.tone(0.62, 0.11, hues.leaf, 0.1)
  const dark = kit.tone(0.54, 0.1, hues.leaf, 0.1)
  const drawing = [
    shadow(66, 0),
    path('M0-82C-50-122-88-162-80-232C-30-202 0-142 0-82ZM0-82C50-116 92-152 86-216C36-192 2-138 0-82Z', dark),
    path(
      'M0-76C-34-142-28-222 0-282C30-222 36-142 0-76ZM-2-74C-50-82-84-106-92-142C-46-146-10-116-2-74ZM2-74C46-80 82-102 90-134C52-140 12-114 2-74Z',
      leafy,
    ),
    path('M-52-86H52L40 0H-40Z', kit.tone(0.94, 0.02, hues.sand, 0.2)),
    path('M16-86H52L40 0H12Z', kit.tone(0.87, 0.03, hues.sand, 0.2)),
    rect(-60, -96, 120, 22, kit.tone(0.96, 0.02, hues.sand, 0.2), 'rx="8"'),
  ]
  return at(942, 722, drawing.join(''))
}

function floorLamp(kit: Kit): string {
  const pole = kit.tone(0.42, 0.03, hues.wood)
  return [
    glow('lamplight', 950, 440, 430, '#ffd98a', isDark(kit.setting) ? 0.8 : 0.5),
    ellipse(point(950, 724), 56, 11, pole),
    stroke('M950 720V480', pole, 10),
    path('M908 390H992L1016 500H884Z', '#ffe6a8'),
    path('M966 390H992L1016 500H982Z', '#f5cf83'),
  ].join('')
}
