import { path, stroke } from '../../rig/svg.js'
import { hillColor, hillRange, hues, type Kit, passing, row, type Thing } from '../kit.js'
import { at, band, gradient } from '../marks.js'
import { fir, leafyTree } from '../plants.js'
import { sailingBoat } from '../props/travel.js'
import { drawSky } from '../sky.js'
import { drawWeather } from '../weather.js'

function water(kit: Kit, top: number, height: number): string {
  const colors = gradient('water', kit.tone(0.74, 0.08, 3.9, 0.1), kit.tone(0.84, 0.075, 3.75, 0.1))
  return colors + band(top, height, 'url(#water)')
}

const ripple = (x: number, y: number, size: number): Thing => {
  return [x, () => stroke(`M${x} ${y}q${size}-9 ${size * 2} 0t${size * 2} 0`, '#fff', 5, 'stroke-opacity=".55"')]
}

/** A lake with wooded shores and their reflection. */
export function lake(kit: Kit, view: string): string {
  const shore = [20, 110, 205, 300, 400, 500, 610, 700, 790, 880, 980].map((x, index) =>
    index % 2
      ? fir(kit, x, 566, 0.44 + (index % 3) * 0.1)
      : leafyTree(kit, x, 566, 0.62 + (index % 3) * 0.1, index / 2),
  )
  const waves = [
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
    hillRange(kit, hillColor(kit, 0.7), 400, 150),
    `<g id="shore">${shore.join('')}</g>`,
    band(556, 14, hillColor(kit, 0)),
    water(kit, 566, 200),
    '<use href="#shore" transform="matrix(1 0 0 -.6 0 908)" opacity=".28"/>',
    row(kit, 'waves', 0.6, waves),
    drawWeather(kit),
  ].join('')
}

/** The sea with islands and a distant sail. */
export function beach(kit: Kit, view: string): string {
  const swell = 5 * Math.sin(2 * Math.PI * kit.phase)
  const edge = 'M0 696C64 712 120 714 190 700C260 686 330 684 400 698C440 706 472 706 512 696'
  const wet = path(`${edge}H514V760H0Z`, kit.tone(0.8, 0.045, hues.sand, 0.2))
  const surf = at(0, swell, wet + stroke(edge, '#fff', 15, 'stroke-opacity=".9"'))
  const farWaves = [ripple(60, 600, 24), ripple(330, 590, 20), ripple(640, 606, 24), ripple(880, 596, 20)]
  const nearWaves = [ripple(180, 652, 30), ripple(440, 646, 28), ripple(800, 656, 30)]
  return [
    drawSky(kit, 560),
    view,
    at(0, 20, hillRange(kit, kit.tone(0.8, 0.055, hues.leaf, 0.4), 470, 80, 1)),
    water(kit, 552, 224),
    row(kit, 'sails', 0.5, [[240, () => sailingBoat(kit, 240, 552, 0.26)]], 1024),
    row(kit, 'far-waves', 0.35, farWaves),
    row(kit, 'waves', 0.6, nearWaves),
    drawWeather(kit),
    passing(kit, 'surf', 512, 0.85, surf),
  ].join('')
}
