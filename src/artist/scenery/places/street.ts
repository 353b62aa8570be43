import type { Tone } from '../../rig/oklab.js'
import { path, rect, stroke } from '../../rig/svg.js'
import { groundColors } from '../grounds/grounds.js'
import { hues, type Kit } from '../kit.js'
import { band } from '../marks.js'
import { leafyTree, pottedPlant } from '../plants.js'
import { isDark, isSnowy } from '../setting.js'
import { drawSky } from '../sky.js'
import { drawWeather } from '../weather.js'
import { lamp } from './nature.js'

interface House {
  readonly x: number
  readonly width: number
  readonly top: number
  readonly wall: Tone
  readonly roof: 'gable' | 'flat'
}

const houses: readonly House[] = [
  { x: -30, width: 250, top: 400, wall: [0.66, 0.1, 0.75], roof: 'flat' },
  { x: 220, width: 220, top: 470, wall: [0.86, 0.06, 1.4], roof: 'gable' },
  { x: 440, width: 230, top: 420, wall: [0.74, 0.05, 3.6], roof: 'flat' },
  { x: 670, width: 210, top: 480, wall: [0.72, 0.095, 0.55], roof: 'gable' },
  { x: 880, width: 180, top: 410, wall: [0.84, 0.045, 1.2], roof: 'flat' },
]

/** A row of houses; if the pet rests above the ground, a balcony over the roofs. */
export function street(kit: Kit, view: string): string {
  const above = ['blanket', 'rug', 'deck'].includes(kit.setting.ground)
  return [
    band(700, 100, groundColors.pavement(kit)),
    drawSky(kit, 750),
    view,
    drawWeather(kit),
    ...(above
      ? [balcony(kit)]
      : [...houses.map((house) => drawHouse(kit, house)), leafyTree(kit, 452, 738, 1.05, 1), lamp(kit, 968)]),
  ].join('')
}

function drawHouse(kit: Kit, { x, width: wide, top, wall, roof }: House): string {
  const [l, c, h] = wall
  const glass = isDark(kit.setting) ? kit.bright(0.88, 0.12, 1.5) : kit.tone(0.8, 0.05, hues.sky)
  const columns = wide > 215 ? [0.16, 0.5, 0.84] : [0.24, 0.76]
  const rows = [top + 40, top + 130].filter((y) => y < 580)
  const panes = rows.flatMap((y) => columns.map((part) => `M${Math.round(x + wide * part - 22)} ${y}h44v58h-44Z`))
  const [ridge, snow] =
    roof === 'gable'
      ? [
          `M${x - 10} ${top + 4}L${x + wide / 2} ${top - 90}L${x + wide + 10} ${top + 4}Z`,
          `M${x - 6} ${top}L${x + wide / 2} ${top - 88}L${x + wide + 6} ${top}`,
        ]
      : [`M${x - 6} ${top - 16}h${wide + 12}v22h${-wide - 12}Z`, `M${x} ${top - 18}h${wide}`]
  return [
    rect(x, top, wide, 350, kit.tone(l, c, h, 0.06)),
    rect(x + wide - 16, top, 16, 350, kit.tone(l - 0.07, c, h, 0.06)),
    path(ridge, kit.tone(0.5, 0.07, 0.7, 0.06)),
    kit.setting.season === 'winter' ? stroke(snow, kit.snow, isSnowy(kit.setting) ? 20 : 11) : '',
    path(panes.join(''), glass, `stroke="${kit.tone(0.95, 0.015, hues.sand)}" stroke-width="7"`),
    shopFront(kit, x + wide / 2, wide, glass),
  ].join('')
}

function shopFront(kit: Kit, x: number, wide: number, glass: string): string {
  const broad = wide > 225
  const [left, right] = [Math.round(x - wide * 0.36), Math.round(x + wide * 0.12)]
  const stripes = Array.from({ length: 5 }, (_, index) => {
    const color = index % 2 ? kit.tone(0.96, 0.01, 1) : kit.tone(0.62, 0.14, broad ? 0.5 : 2.9)
    return path(`M${left - 8 + index * 24} 592h24v30q-12 16-24 0Z`, color)
  })
  return [
    rect(left, 610, 104, 90, glass, `stroke="${kit.tone(0.95, 0.015, hues.sand)}" stroke-width="7"`),
    stripes.join(''),
    rect(right, 610, 58, 134, kit.tone(0.5, 0.09, broad ? 3.6 : 0.6), 'rx="5"'),
    rect(right + 12, 624, 34, 46, glass, 'rx="4"'),
  ].join('')
}

/** Panes of glass below a rail. */
function balcony(kit: Kit): string {
  const rail = kit.tone(0.6, 0.02, hues.sky)
  const gleams = 'M140 700L230 580M170 700L260 580M440 700L530 580M720 700L810 580M750 700L840 580'
  return [
    band(570, 150, '#e8f3ff', 'fill-opacity=".2"'),
    stroke(gleams, '#fff', 6, 'stroke-opacity=".35"'),
    ...[90, 370, 650, 930].map((x) => rect(x, 560, 14, 170, rail)),
    band(548, 20, rail, 'rx="8"'),
    band(704, 60, kit.tone(0.7, 0.03, hues.sand)),
    pottedPlant(kit, 958, 770),
  ].join('')
}
