import { path, rect, stroke } from '../rig/svg.js'
import { hillColor, hillRange, type Kit, kitOf, landColor } from './kit.js'
import { band } from './marks.js'
import { leafyTree } from './plants.js'
import type { SceneSetting } from './setting.js'
import { drawSky } from './sky.js'
import { drawWeather } from './weather.js'

export interface Rectangle {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** The middle of a room's large window. */
export const windowCenter = { x: 265, y: 300 } as const

/** The visible part of an outdoor drawing, from its left edge. */
const shown = { top: 40, height: 720 }

/** The view outside, in outdoor light. */
export function drawOutside(kit: Kit, { x, y, width, height }: Rectangle, view: string): string {
  // The same hour, weather and season in the garden of the home.
  const ground = kit.setting.weather === 'snow' ? 'snow' : 'grass'
  const setting: SceneSetting = { ...kit.setting, place: 'garden', ground }
  const outdoors = kitOf(kit.look, setting, kit.pose, { phase: kit.phase, travel: 0 })
  const scale = Math.max(height / shown.height, width / 1024)
  const right = width / scale
  const drawing = [
    drawSky(outdoors, 700, right * 0.84),
    hillRange(outdoors, hillColor(outdoors, 0.5), 480, 160),
    view,
    hillRange(outdoors, landColor(outdoors), 600, 120, 1),
    leafyTree(outdoors, right * 0.14, 706, 1.1, 0),
    leafyTree(outdoors, right * 0.88, 716, 0.85, 2),
    band(690, 100, landColor(outdoors)),
    drawWeather(outdoors),
  ]
  const move = `translate(${x} ${y}) scale(${Math.round(scale * 1000) / 1000}) translate(0 ${-shown.top})`
  return [
    `<clipPath id="outside"><path d="M${x} ${y}h${width}v${height}h${-width}Z"/></clipPath>`,
    `<g clip-path="url(#outside)"><g transform="${move}">${drawing.join('')}</g></g>`,
  ].join('')
}

/** A window with curtains. */
export function drawWindow(kit: Kit, frame: Rectangle, view: string): string {
  const { x, y, width, height } = frame
  const [right, bottom, low] = [x + width, y + height, y + height + 24]
  const white = kit.tone(0.985, 0.008, 1.4)
  const bars = `M${x} ${y}H${right}V${bottom}H${x}ZM${x + width / 2} ${y}V${bottom}M${x} ${y + height * 0.46}H${right}`
  /** From the frame's edge, `side` of 1 is outwards on the right. */
  const curtain = (edge: number, side: 1 | -1) => {
    const to = (outwards: number, down: number) => `${edge + side * outwards} ${y + height * down}`
    const hem = `${edge + side * 22} ${low}Q${edge + side * 36} ${low + 6} ${edge + side * 48} ${low}`
    return `M${edge + side * 42} ${y - 20}H${edge - side * 34}C${to(-38, 0.3)} ${to(-10, 0.6)} ${hem}C${to(40, 0.7)} ${to(40, 0.3)} ${edge + side * 42} ${y - 20}Z`
  }
  const folds = [x - 20, x + 6, right - 6, right + 20].map((fold) => `M${fold} ${y - 14}V${y + height * 0.52}`)
  return [
    drawOutside(kit, frame, view),
    stroke(bars, white, 15),
    rect(x - 24, bottom - 2, width + 48, 20, white, 'rx="6"'),
    path(curtain(x, -1) + curtain(right, 1), kit.accent),
    stroke(folds.join(''), kit.accentDark, 4, 'stroke-opacity=".5"'),
    stroke(`M${x - 48} ${y - 22}H${right + 48}`, kit.tone(0.55, 0.05, 1.15, 0), 11),
  ].join('')
}
