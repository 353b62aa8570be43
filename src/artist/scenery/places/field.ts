import type { Kit } from '../kit.js'
import { hillColour, hillRange, landColour, row, type Thing } from '../kit.js'
import { band } from '../marks.js'
import { fir, leafyTree } from '../plants.js'
import { drawSky } from '../sky.js'
import { drawWeather } from '../weather.js'

/** Open land below hills. */
export function field(kit: Kit, view: string): string {
  const winter = kit.setting.season === 'winter'
  const trees = [60, 150, 300, 420, 640, 720, 880, 980].map(
    (x, index): Thing => [
      x,
      () =>
        winter
          ? fir(kit, x, 706, 0.5 + (index % 3) * 0.14, 0.3)
          : leafyTree(kit, x, 704, 0.5 + (index % 3) * 0.1, index, 0.3),
    ],
  )
  return [
    drawSky(kit, 660),
    view,
    hillRange(kit, hillColour(kit, 0.8), 460, 160),
    hillRange(kit, hillColour(kit, 0.4), 580, 110, 1),
    row(kit, 'trees', 0.7, trees),
    drawWeather(kit),
    band(698, 90, landColour(kit, -0.01)),
  ].join('')
}
