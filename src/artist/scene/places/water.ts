import { hills } from '../../backdrop/nature.js'
import { hues, verticalGradient, width } from '../../backdrop/stage.js'
import { point } from '../../rig/points.js'
import { ellipse, path, rect, stroke } from '../../rig/svg.js'
import type { Kit } from '../kit.js'
import { at } from '../marks.js'
import { fir, hillColour, leafyTree } from '../plants.js'
import { drawSky } from '../sky.js'
import { weathers } from '../weather.js'

function water(kit: Kit, top: number, height: number): string {
  const stops = verticalGradient('water', [
    [0, kit.tone(0.74, 0.08, 3.9, 0.1)],
    [1, kit.tone(0.84, 0.075, 3.75, 0.1)],
  ])
  return stops + rect(0, top, width, height, 'url(#water)')
}

const ripple = (x: number, y: number, size: number) => `M${x} ${y}q${size}-9 ${size * 2} 0t${size * 2} 0`

/** A lake with wooded shores and their reflection. */
export function lake(kit: Kit, view: string): string {
  const trees = [20, 110, 205, 300, 400, 500, 610, 700, 790, 880, 980]
  const shore = trees
    .map((x, index) =>
      index % 2
        ? fir(kit, x, 566, 0.44 + (index % 3) * 0.1)
        : leafyTree(kit, x, 566, 0.62 + (index % 3) * 0.1, index / 2),
    )
    .join('')
  const ripples = [
    ripple(90, 640, 22),
    ripple(420, 664, 26),
    ripple(760, 630, 22),
    ripple(620, 716, 28),
    ripple(180, 724, 24),
    ripple(900, 700, 20),
  ]
  return [
    drawSky(kit, 570),
    view,
    hills(hillColour(kit, 0.7), 400, 150),
    `<defs><g id="shore">${shore}</g></defs><use href="#shore"/>`,
    rect(0, 556, width, 14, hillColour(kit, 0)),
    water(kit, 566, 200),
    '<use href="#shore" transform="matrix(1 0 0 -.6 0 908)" opacity=".28"/>',
    stroke(ripples.join(''), '#fff', 5, 'stroke-opacity=".5"'),
    weathers[kit.setting.weather](kit, false),
  ].join('')
}

/** The sea with islands. */
export function beach(kit: Kit, view: string): string {
  const waves = [
    ripple(60, 600, 24),
    ripple(330, 590, 20),
    ripple(640, 606, 24),
    ripple(880, 596, 20),
    ripple(180, 652, 30),
    ripple(500, 646, 28),
    ripple(800, 656, 30),
  ]
  const edge =
    'M0 696C64 712 120 714 190 700C260 686 330 684 400 698C480 714 540 712 620 698C700 684 780 686 850 700C920 712 980 708 1024 696'
  return [
    drawSky(kit, 560),
    view,
    at(0, 20, hills(kit.tone(0.8, 0.055, hues.leaf, 0.4), 470, 80, 1)),
    water(kit, 552, 190),
    stroke(waves.join(''), '#fff', 5, 'stroke-opacity=".55"'),
    ellipse(point(240, 560), 46, 8, kit.tone(0.6, 0.03, hues.sky), 'fill-opacity=".4"'),
    path('M206 548H276L264 564H216Z', kit.tone(0.55, 0.06, hues.wood, 0)),
    path('M238 464V540H204C218 520 232 494 238 464ZM244 474C256 500 266 520 274 540H244Z', kit.tone(0.985, 0.005, 1.5)),
    weathers[kit.setting.weather](kit, false),
    path(`${edge}V760H0Z`, kit.tone(0.8, 0.045, hues.sand, 0.2)),
    stroke(edge, '#fff', 15, 'stroke-opacity=".9"'),
  ].join('')
}
