import { hills } from '../backdrop/nature.js'
import { path, rect, stroke } from '../rig/svg.js'
import type { Kit } from './kit.js'
import { kitOf } from './kit.js'
import { hillColour, landColour, leafyTree } from './plants.js'
import type { Setting } from './setting.js'
import { drawSky } from './sky.js'
import { weathers } from './weather.js'

export interface Frame {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** The visible part of an outdoor drawing, from its left edge. */
const shown = { top: 40, height: 720 }

/** The view outside, in outdoor light. */
export function drawOutside(kit: Kit, { x, y, width, height }: Frame, view: string, name = 'outside'): string {
  // The same hour, weather and season in the garden of the home.
  const setting: Setting = {
    ...kit.setting,
    place: 'garden',
    ground: kit.setting.weather === 'snow' ? 'snow' : 'grass',
  }
  const outdoors = kitOf(kit.stage, setting, kit.pose)
  const scale = Math.max(height / shown.height, width / 1024)
  const right = width / scale
  const drawing = [
    drawSky(outdoors, 700, right * 0.84),
    hills(hillColour(outdoors, 0.5), 480, 160),
    view,
    hills(landColour(outdoors), 600, 120, 1),
    leafyTree(outdoors, right * 0.14, 706, 1.1, 0),
    leafyTree(outdoors, right * 0.88, 716, 0.85, 2),
    rect(0, 690, 1024, 100, landColour(outdoors)),
    weathers[setting.weather](outdoors, false),
  ]
  const move = `translate(${x} ${y}) scale(${Math.round(scale * 1000) / 1000}) translate(0 ${-shown.top})`
  return [
    `<clipPath id="${name}"><path d="M${x} ${y}h${width}v${height}h${-width}Z"/></clipPath>`,
    `<g clip-path="url(#${name})"><g transform="${move}">${drawing.join('')}</g></g>`,
  ].join('')
}

/** A window with curtains. */
export function drawWindow(kit: Kit, frame: Frame, view: string): string {
  const { x, y, width, height } = frame
  const [right, bottom] = [x + width, y + height]
  const white = kit.tone(0.985, 0.008, 1.4)
  const bars = `M${x} ${y}H${right}V${bottom}H${x}ZM${x + width / 2} ${y}V${bottom}M${x} ${y + height * 0.46}H${right}`
  const low = bottom + 24
  const left = `M${x - 42} ${y - 20}H${x + 34}C${x + 38} ${y + height * 0.3} ${x + 10} ${y + height * 0.6} ${x - 22} ${low}Q${x - 36} ${low + 6} ${x - 48} ${low}C${x - 40} ${y + height * 0.7} ${x - 40} ${y + height * 0.3} ${x - 42} ${y - 20}Z`
  const mirrored = `M${right + 42} ${y - 20}H${right - 34}C${right - 38} ${y + height * 0.3} ${right - 10} ${y + height * 0.6} ${right + 22} ${low}Q${right + 36} ${low + 6} ${right + 48} ${low}C${right + 40} ${y + height * 0.7} ${right + 40} ${y + height * 0.3} ${right + 42} ${y - 20}Z`
  const folds = [x - 20, x + 6, right - 6, right + 20].map((fold) => `M${fold} ${y - 14}V${y + height * 0.52}`)
  return [
    drawOutside(kit, frame, view),
    stroke(bars, white, 15),
    rect(x - 24, bottom - 2, width + 48, 20, white, 'rx="6"'),
    path(left + mirrored, kit.accent, 'fill-opacity=".9"'),
    stroke(folds.join(''), kit.accentDark, 4, 'stroke-opacity=".5"'),
    stroke(`M${x - 48} ${y - 22}H${right + 48}`, kit.tone(0.55, 0.05, 1.15, 0), 11),
  ].join('')
}
