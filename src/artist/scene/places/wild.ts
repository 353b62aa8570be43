import { hills as ridge } from '../../backdrop/nature.js'
import { hues, width } from '../../backdrop/stage.js'
import { path, rect, stroke } from '../../rig/svg.js'
import type { Kit } from '../kit.js'
import { at } from '../marks.js'
import { fir, hillColour, landColour, leafyTree, shrub } from '../plants.js'
import { isDark, isSnowy } from '../setting.js'
import { drawSky } from '../sky.js'
import { weathers } from '../weather.js'

/** Tall trunks, ferns, and beams of light on a clear day. */
export function forest(kit: Kit, view: string): string {
  const { season, weather } = kit.setting
  const [l, c, h] = season === 'autumn' ? [0.7, 0.13, 1.2] : season === 'winter' ? [0.84, 0.02, 4] : [0.62, 0.1, 2.4]
  const canopy =
    'M0 0H1024V150C980 210 920 170 880 200C830 250 760 190 700 170C640 210 560 150 500 140C440 190 380 230 310 190C250 250 170 240 130 200C90 240 30 230 0 190Z'
  const beams = weather === 'sun' && !isDark(kit.setting)
  return [
    drawSky(kit, 700),
    ...[40, 150, 262, 380, 500, 612, 730, 850, 970].map((x, index) =>
      fir(kit, x, 716, 1.02 + (index % 3) * 0.22, 0.85),
    ),
    ...[100, 330, 560, 690, 920].map((x, index) => fir(kit, x, 716, 0.8 + (index % 2) * 0.25, 0.4)),
    weathers[weather](kit, false),
    beams ? path('M120 0H250L420 720H170ZM470 0H560L800 720H600Z', '#fff8d0', 'fill-opacity=".28"') : '',
    trunks(kit),
    path(canopy, kit.tone(l, c, h)),
    path(canopy, kit.tone(l - 0.08, c, h), 'transform="translate(60 -62)" fill-opacity=".7"'),
    view,
    rect(0, 700, width, 90, landColour(kit, 0.05)),
    ...[-4, 196, 420, 640, 840, 1020].map((x, index) => fern(kit, x, 742 + (index % 2) * 12)),
  ].join('')
}

function trunks(kit: Kit): string {
  const bark = kit.tone(0.47, 0.055, hues.wood)
  const shade = kit.tone(0.4, 0.05, hues.wood)
  const trunk = (x: number, size: number) =>
    at(
      x,
      726,
      path('M-34 6Q-20-30-20-90V-740H20V-90Q20-30 40 6Z', bark) + path('M4-740H20V-90Q20-30 40 6H14Q2-40 4-90Z', shade),
      size,
    )
  return trunk(60, 1) + trunk(300, 0.8) + trunk(968, 1.1)
}

function fern(kit: Kit, x: number, y: number): string {
  if (isSnowy(kit.setting)) return shrub(kit, x, y, 0.5)
  const green = kit.tone(0.55, 0.11, 2.35)
  const fronds = 'M0 0Q-20-50-70-58M0 0Q-6-64-30-92M0 0Q6-64 30-92M0 0Q20-50 70-58M0 0V-84'
  return at(x, y, stroke(fronds, green, 10))
}

/** Mountains above a high meadow. */
export function hills(kit: Kit, view: string): string {
  const rock = kit.tone(0.66, 0.05, 4.6)
  const far = kit.tone(0.78, 0.045, 4.4)
  const snow = kit.tone(0.97, 0.012, hues.sky)
  const shade = kit.tone(0.56, 0.055, 4.7)
  return [
    drawSky(kit, 700),
    view,
    path('M-40 700L120 400L210 500L330 330L470 520L600 390L760 560L900 420L1080 700Z', far),
    path('M-60 710L90 470L200 300L300 430L380 380L560 710Z', rock),
    path('M200 300L300 430L380 380L560 710H330L250 470Z', shade, 'fill-opacity=".55"'),
    path('M140 400L200 300L262 382L236 410L206 376L176 420Z', snow),
    path('M560 710L700 470L800 380L880 480L940 440L1080 710Z', rock),
    path('M800 380L880 480L940 440L1080 710H860L850 520Z', shade, 'fill-opacity=".55"'),
    path('M744 436L800 380L850 444L822 462L796 436L770 470Z', snow),
    weathers[kit.setting.weather](kit, false),
    ridge(hillColour(kit, 0.3), 610, 90, 1),
    ...[30, 96, 410, 920, 990].map((x, index) => fir(kit, x, 714, 0.46 + (index % 2) * 0.14)),
    kit.setting.season === 'autumn' ? leafyTree(kit, 330, 712, 0.6, 1) : '',
    rect(0, 698, width, 90, landColour(kit)),
  ].join('')
}
