import { num, path, stroke } from '../../rig/svg.js'
import { hues, type Kit, landColor } from '../kit.js'
import { at, band } from '../marks.js'
import { bush, fir } from '../plants.js'
import { isDark, isSnowy } from '../setting.js'
import { drawSky } from '../sky.js'
import { drawWeather } from '../weather.js'

/** Tall trunks, ferns, and beams of light on a clear day. */
export function forest(kit: Kit, view: string): string {
  const { season, weather } = kit.setting
  const [l, c, h] = season === 'autumn' ? [0.7, 0.13, 1.2] : season === 'winter' ? [0.84, 0.02, 4] : [0.62, 0.1, 2.4]
  const beams = weather === 'sun' && !isDark(kit.setting)
  return [
    drawSky(kit, 730),
    ...[40, 150, 262, 380, 500, 612, 730, 850, 970].map((x, index) =>
      fir(kit, x, 716, 1.02 + (index % 3) * 0.22, 0.85),
    ),
    ...[100, 330, 560, 690, 920].map((x, index) => fir(kit, x, 716, 0.8 + (index % 2) * 0.25, 0.4)),
    drawWeather(kit),
    beams ? path('M120 0H250L420 720H170ZM470 0H560L800 720H600Z', '#fff8d0', 'fill-opacity=".28"') : '',
    trunk(kit, 60, 1) + trunk(kit, 300, 0.8) + trunk(kit, 968, 1.1),
    path(foliage(176, 10, 0), kit.tone(l - 0.04, c * 0.9, h)),
    path(foliage(112, 8, 1), kit.tone(l + 0.01, c, h)),
    path(foliage(50, 8, 2), kit.tone(l + 0.06, c, h + 0.04)),
    view,
    band(700, 90, landColor(kit, 0.05)),
    ...[-4, 196, 420, 640, 840, 1020].map((x, index) => fern(kit, x, 742 + (index % 2) * 12)),
  ].join('')
}

/** Leaves from the upper edge down to about `y`, in clumps that end round. */
function foliage(y: number, clumps: number, seed: number): string {
  const edge = Array.from({ length: clumps }, (_, clump) => {
    const wide = (1144 / clumps) * ((clump + seed) % 2 ? 1.25 : 0.75)
    const deep = 40 + ((clump * 5 + seed * 3) % 4) * 9
    return `a${num(wide / 2)} ${deep} 0 0 0 ${num(wide)} ${((clump + seed) % 3) * 22 - 22}`
  })
  return `M-60-20V${y}${edge.join('')}V-20Z`
}

function trunk(kit: Kit, x: number, size: number): string {
  const bark = path('M-34 6Q-20-30-20-90V-740H20V-90Q20-30 40 6Z', kit.tone(0.47, 0.055, hues.wood))
  const shade = path('M4-740H20V-90Q20-30 40 6H14Q2-40 4-90Z', kit.tone(0.4, 0.05, hues.wood))
  return at(x, 726, bark + shade, size)
}

function fern(kit: Kit, x: number, y: number): string {
  if (isSnowy(kit.setting)) return bush(kit, x, y, 0.5)
  const fronds = 'M0 0Q-20-50-70-58M0 0Q-6-64-30-92M0 0Q6-64 30-92M0 0Q20-50 70-58M0 0V-84'
  return at(x, y, stroke(fronds, kit.tone(0.55, 0.11, 2.35), 10))
}
