import type { Tone } from '../../rig/oklab.js'
import { oval, path, rect, stroke } from '../../rig/svg.js'
import { groundColors } from '../grounds/grounds.js'
import { hillColor, hillRange, hues, type Kit, landColor, row, type Thing } from '../kit.js'
import { at, band, glow, gradient, pawPrint } from '../marks.js'
import { fir, leafyTree, pottedPlant } from '../plants.js'
import { carSeat } from '../props/travel.js'
import { isDark, type Place, type Prop } from '../setting.js'
import { drawSky } from '../sky.js'
import { drawWeather } from '../weather.js'
import { drawOutside, drawWindow } from '../window.js'
import { beach, forest, garden, lake, park } from './nature.js'
import { street } from './street.js'

/** Draws each place down to its ground. `view` is the distant part: in the sky outdoors, through a window indoors. */
export const places: Readonly<Record<Place, (kit: Kit, view: string) => string>> = {
  room,
  clinic,
  car,
  garden,
  park,
  field,
  forest,
  hills: mountains,
  lake,
  beach,
  street,
}

const opening = 'M190 110Q130 110 116 170L76 450Q70 510 130 510H900Q950 510 944 450L900 170Q890 110 830 110Z'

/** The inside of a car from the side: a window with the passing land, the door below it and the back of the seat. */
function car(kit: Kit, view: string): string {
  const rubber = kit.tone(0.36, 0.015, 4.4, 0)
  const panel = (l: number, c: number) => kit.tone(l, c, hues.sand, 0)
  return [
    drawOutside(kit, { x: 60, y: 90, width: 900, height: 430 }, view),
    stroke('M300 380h120M520 430h160M180 450h100M700 350h110', '#fff', 7, 'stroke-opacity=".5"'),
    path('M260 110H340L200 510H120ZM400 110H430L290 510H260Z', '#fff', 'fill-opacity=".16"'),
    path(`M0 0H1024V704H0Z${opening}`, panel(0.92, 0.02), 'fill-rule="evenodd"'),
    stroke(opening, rubber, 18),
    stroke('M400 62Q400 40 430 40H590Q620 40 620 62', panel(0.7, 0.03), 17),
    band(530, 260, panel(0.8, 0.03)),
    band(522, 20, panel(0.58, 0.03)),
    path('M250 640H780Q810 640 806 668L796 760H240Z', panel(0.74, 0.035)),
    rect(580, 574, 190, 28, rubber, 'rx="14"'),
    rect(600, 580, 90, 14, kit.tone(0.8, 0.01, 4.4, 0), 'rx="7"'),
    carSeat(kit, 75, 330),
  ].join('')
}

/** A vet's room in pale green: shelves with jars, a height chart, a cross with a paw, a cupboard. */
function clinic(kit: Kit, view: string): string {
  const white = kit.tone(0.98, 0.006, hues.sky)
  const cross = 'M-26-78H26V-26H78V26H26V78H-26V26H-78V-26H-26Z'
  return [
    band(700, 100, groundColors.floor(kit)),
    gradient('wall', kit.tone(0.92, 0.035, 2.9, 0.05), kit.tone(0.95, 0.03, 2.9, 0.05)),
    band(0, 736, 'url(#wall)'),
    band(470, 14, kit.tone(0.82, 0.06, 2.9, 0.05)),
    drawOutside(kit, { x: 70, y: 120, width: 250, height: 230 }, view),
    stroke('M70 120H320V350H70ZM195 120V350', white, 14),
    shelf(kit),
    at(876, 196, path(cross, kit.tone(0.7, 0.12, 2.8, 0)) + pawPrint('#fff')),
    heightChart(kit),
    cupboard(kit),
    band(686, 22, white),
  ].join('')
}

function shelf(kit: Kit): string {
  const jars: readonly (readonly [x: number, height: number, tone: Tone])[] = [
    [776, 60, [0.75, 0.1, 4.2]],
    [826, 44, [0.8, 0.12, 1.5]],
    [880, 66, [0.7, 0.12, 0.4]],
    [936, 50, [0.75, 0.11, 2.6]],
  ]
  const lid = kit.tone(0.97, 0.006, 1)
  const drawn = jars.map(
    ([x, height, [l, c, h]]) =>
      rect(x, 372 - height, 38, height, kit.tone(l, c, h, 0.05), 'rx="7"') +
      rect(x + 3, 362 - height, 32, 13, lid, 'rx="4"'),
  )
  return drawn.join('') + rect(756, 372, 240, 16, kit.tone(0.72, 0.06, hues.wood), 'rx="4"')
}

function heightChart(kit: Kit): string {
  const marks = [0, 1, 2, 3, 4, 5, 6, 7].map((step) => `M404 ${300 + step * 36}h${step % 2 ? 20 : 34}`)
  const paper = rect(396, 270, 62, 320, kit.tone(0.97, 0.02, 1.6), 'rx="6"')
  return paper + stroke(marks.join(''), kit.tone(0.65, 0.1, 2.8), 6)
}

function cupboard(kit: Kit): string {
  const line = kit.tone(0.82, 0.03, 2.9)
  return [
    rect(0, 540, 330, 150, kit.tone(0.97, 0.008, hues.sky)),
    rect(0, 526, 342, 18, kit.tone(0.8, 0.05, 2.9), 'rx="4"'),
    stroke('M110 552V680M220 552V680', line, 4),
    stroke('M92 590V616M128 590V616M238 590V616', line, 7),
  ].join('')
}

/** Furniture against the wall on the left. */
const tall: readonly Prop[] = ['fireplace', 'tree_lights']
/** Things outside the window, for which it is large. */
const seen: readonly Prop[] = ['window', 'skyline', 'bird', 'fireworks']
/** Things in front of the wall on the right. */
const hanging: readonly Prop[] = ['wreath', 'balloons', 'frisbee']
const gloomy = ['rain', 'storm', 'snow', 'fog']

/** A living room with a window that shows the weather; lamps are lit when it is dark outside. */
function room(kit: Kit, view: string): string {
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
    band(700, 100, groundColors.floor(kit)),
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

/** Mountains above a high meadow. */
function mountains(kit: Kit, view: string): string {
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
    hillRange(kit, hillColor(kit, 0.3), 610, 90, 1),
    ...[30, 96, 410, 920, 990].map((x, index) => fir(kit, x, 714, 0.46 + (index % 2) * 0.14)),
    kit.setting.season === 'autumn' ? leafyTree(kit, 330, 712, 0.6, 1) : '',
    band(698, 90, landColor(kit)),
  ].join('')
}

/** Open land below hills. */
function field(kit: Kit, view: string): string {
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
    hillRange(kit, hillColor(kit, 0.8), 460, 160),
    hillRange(kit, hillColor(kit, 0.4), 580, 110, 1),
    row(kit, 'trees', 0.7, trees),
    drawWeather(kit),
    band(698, 90, landColor(kit, -0.01)),
  ].join('')
}
