import { path } from '../../rig/svg.js'
import type { Kit } from '../kit.js'
import { hillColour, hillRange, landColour } from '../land.js'
import { band } from '../marks.js'
import { fir, leafyTree } from '../plants.js'
import { drawSky } from '../sky.js'
import { drawWeather } from '../weather.js'

/** Mountains above a high meadow. */
export function mountains(kit: Kit, view: string): string {
  const rock = kit.tone(0.66, 0.05, 4.6)
  const shade = kit.tone(0.56, 0.055, 4.7)
  return [
    drawSky(kit, 700),
    view,
    path('M-40 700L120 400L210 500L330 330L470 520L600 390L760 560L900 420L1080 700Z', kit.tone(0.78, 0.045, 4.4)),
    path('M-60 710L90 470L200 300L300 430L380 380L560 710ZM560 710L700 470L800 380L880 480L940 440L1080 710Z', rock),
    path(
      'M200 300L300 430L380 380L560 710H330L250 470ZM800 380L880 480L940 440L1080 710H860L850 520Z',
      shade,
      'fill-opacity=".55"',
    ),
    path(
      'M140 400L200 300L262 382L236 410L206 376L176 420ZM744 436L800 380L850 444L822 462L796 436L770 470Z',
      kit.snow,
    ),
    drawWeather(kit),
    hillRange(kit, hillColour(kit, 0.3), 610, 90, 1),
    ...[30, 96, 410, 920, 990].map((x, index) => fir(kit, x, 714, 0.46 + (index % 2) * 0.14)),
    kit.setting.season === 'autumn' ? leafyTree(kit, 330, 712, 0.6, 1) : '',
    band(698, 90, landColour(kit)),
  ].join('')
}
