import { points } from '../../rig/points.js'
import { oval, path, rect, stroke, width, xy } from '../../rig/svg.js'
import type { Kit } from '../kit.js'
import { at, shadow, spread } from '../marks.js'
import { isDark, isIndoors } from '../setting.js'

/** A parked car; seen from inside, its front seat. */
export function car(kit: Kit): string {
  return kit.setting.place === 'car' ? driver(kit) : at(200, 750, parked(kit))
}

function parked({ thing, tone }: Kit): string {
  const red = thing(0.62, 0.17, 0.5)
  const wheel = (x: number) => oval(x, -34, 46, 46, '#33323a') + oval(x, -34, 22, 22, '#c9ccd4')
  return [
    shadow(250),
    path(
      'M-240-40V-110Q-236-134-200-138L-150-146L-84-230Q-74-244-50-244H80Q104-244 116-230L178-144Q236-138 242-104V-40Z',
      red,
    ),
    path('M-124-150L-70-218Q-64-226-50-226H-10V-150ZM12-150V-226H78Q90-226 98-216L144-150Z', tone(0.85, 0.05, 4.1)),
    path('M-240-74H242V-40H-240Z', thing(0.52, 0.15, 0.5)),
    oval(226, -104, 15, 12, '#fff2b8'),
    wheel(-140),
    wheel(146),
  ].join('')
}

function driver(kit: Kit): string {
  return [
    carSeat(kit, 1000, 372),
    stroke('M230 40V96', '#40404a', 5),
    path('M230 86L186 160H206L174 214H286L254 160H274Z', kit.thing(0.6, 0.13, 2.6)),
    rect(222, 214, 16, 20, kit.thing(0.5, 0.07, 1.1)),
  ].join('')
}

/** Across the chest of a pet that sits in a car, from the roof behind it to the buckle on the seat ahead of it. */
export function seatBelt({ setting, stage, tone, thing }: Kit): string {
  if (setting.place !== 'car') return ''
  const [roof, buckle] = [stage.toPicture({ x: 164, y: 96 }), stage.toPicture({ x: 730, y: 806 })]
  return [
    stroke(`M${xy(roof)}L${xy(buckle)}`, tone(0.45, 0.02, 4.4, 0), 24, '', 'butt'),
    rect(roof.x - 26, roof.y - 26, 52, 34, tone(0.34, 0.02, 4.4, 0), 'rx="10"'),
    rect(buckle.x - 24, buckle.y - 22, 48, 58, thing(0.62, 0.17, 0.5), 'rx="9"'),
  ].join('')
}

/** The back of a car's seat, with its headrest. */
export function carSeat({ tone }: Kit, x: number, top: number): string {
  const leather = tone(0.62, 0.075, 1.05, 0)
  const back = rect(-135, 0, 270, 560, leather, 'rx="64"') + rect(-69, -98, 156, 122, leather, 'rx="42"')
  return at(x, top, back + stroke('M75 80V430M-25 80V430', tone(0.54, 0.075, 1.05, 0), 6))
}

export function sailingBoat({ tone }: Kit, x: number, y: number, scale: number): string {
  const drawing = [
    oval(0, 62, 190, 16, tone(0.5, 0.05, 4), 'fill-opacity=".35"'),
    stroke('M0 0V-330', tone(0.5, 0.06, 1.1, 0), 12),
    path('M-14-310V-30H-150C-96-100-40-210-14-310Z', tone(0.985, 0.006, 1.5, 0)),
    path('M-14-310V-30H-60C-40-120-24-220-14-310Z', tone(0.9, 0.02, 4, 0), 'fill-opacity=".7"'),
    path('M14-280C60-210 110-110 140-30H14Z', tone(0.66, 0.17, 0.5, 0)),
    path('M0-330L54-314L0-298Z', tone(0.85, 0.15, 1.55, 0)),
    path('M-180-14H184Q170 50 130 62H-120Q-164 40-180-14Z', tone(0.58, 0.09, 1.05, 0)),
    path('M-180-14H184L178 8H-174Z', tone(0.95, 0.02, 1.5, 0)),
  ]
  return at(x, y, drawing.join(''), scale)
}

/** High buildings of a city, with lit windows when it is dark. */
export function skyline(kit: Kit): string {
  const dark = isDark(kit.setting)
  const wide = 90
  const towers = points(
    '-10,400 80,300 158,440 222,250 308,360 392,460 462,330 540,410 614,270 696,380 782,240 860,420 934,320',
  )
  const far = isIndoors(kit.setting) ? kit.tone(0.72, 0.04, 4.4, 0) : kit.tone(0.8, 0.045, 4.4, 0.05)
  const near = kit.tone(0.66, 0.055, 4.5, 0.05)
  const block = (part: number) =>
    towers
      .filter((_, index) => index % 2 === part)
      .map(({ x, y }) => `M${x} 760V${y}h${wide}V760Z`)
      .join('')
  const roofs = 'M222 250L268 190L314 250ZM614 270L658 214L702 270ZM824 240V160M122 300V236'
  const lights = spread(150, { x: 0, y: 250, width, height: 450 })
    .filter(({ x, y }) => towers.some((tower) => x > tower.x + 12 && x < tower.x + wide - 26 && y > tower.y + 16))
    .map(({ x, y }) => `M${x} ${y}h14v18h-14Z`)
  return [
    path(block(0), far),
    path(block(1) + roofs, near, `stroke="${near}" stroke-width="6"`),
    path(lights.join(''), dark ? '#ffe08a' : '#fff', `fill-opacity="${dark ? 0.95 : 0.45}"`),
  ].join('')
}
