import { path, rect, stroke } from '../../rig/svg.js'
import { hues, type Kit } from '../kit.js'
import { band } from '../marks.js'
import { carSeat } from '../props/travel.js'
import { drawOutside } from '../window.js'

const opening = 'M190 110Q130 110 116 170L76 450Q70 510 130 510H900Q950 510 944 450L900 170Q890 110 830 110Z'

/** The inside of a car from the side: a window with the passing land, the door below it and the back of the seat. */
export function car(kit: Kit, view: string): string {
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
    stroke('M236 96L210 640', kit.tone(0.45, 0.02, 4.4, 0), 24),
    rect(186, 636, 46, 62, kit.tone(0.62, 0.17, 0.5, 0), 'rx="8"'),
  ].join('')
}
