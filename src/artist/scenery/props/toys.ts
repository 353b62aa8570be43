import { oval, path, rect, stroke } from '../../rig/svg.js'
import type { Kit } from '../kit.js'
import { at, eye, shadow, star } from '../marks.js'
import { isIndoors } from '../setting.js'

export function ball({ thing }: Kit): string {
  const red = thing(0.64, 0.19, 0.5)
  return [
    shadow(50),
    oval(0, -50, 50, 50, red),
    path('M-50-50C-30-70 30-70 50-50C30-36-30-36-50-50Z', thing(0.97, 0.01, 1.5)),
    path('M-43-24Q0-4 43-24A50 50 0 0 1-43-24Z', thing(0.52, 0.17, 0.5), 'fill-opacity=".7"'),
    path(star(0, -49, 17), thing(0.66, 0.14, 4.3)),
    oval(-20, -78, 13, 8, '#fff', 'fill-opacity=".7"'),
  ].join('')
}

export function frisbee({ thing }: Kit): string {
  const disc = [
    oval(0, 10, 88, 30, thing(0.52, 0.15, 4.9)),
    oval(0, 0, 88, 30, thing(0.64, 0.17, 4.9)),
    oval(0, -3, 62, 19, thing(0.72, 0.14, 4.9)),
    oval(-20, -8, 26, 6, '#fff', 'fill-opacity=".6"'),
  ]
  return (
    stroke('M-190 44Q-150 40-112 22M-200 84Q-150 78-104 52M-160 4Q-140 2-116-4', '#fff', 7, 'stroke-opacity=".8"') +
    at(0, 0, disc.join(''), 1, -14)
  )
}

export const boneShape =
  'M-62-40C-86-54-104-30-86-20C-106-8-86 16-62 0Q-30-10 0-10T62 0C86 16 106-8 86-20C104-30 86-54 62-40Q30-30 0-30T-62-40Z'

export function bone({ thing }: Kit): string {
  const dark = thing(0.8, 0.04, 1.4)
  return (
    shadow(90, 6) +
    at(
      0,
      -8,
      path(boneShape, thing(0.97, 0.015, 1.5), `stroke="${dark}" stroke-width="5"`) +
        stroke('M-58-6Q-30-18 0-18T58-6', dark, 5),
      1.1,
      -8,
    )
  )
}

export function yarn({ thing }: Kit): string {
  const dark = thing(0.56, 0.15, 0.2)
  const threads =
    'M-62-50Q-20-110 40-104M-60-76Q0-40 62-66M-56-36Q10-100 58-92M-40-18Q-30-80 20-122M-12-6Q-20-60 44-100M24-8Q44-50 62-60M-62-62Q-20-10 30-10'
  return [
    shadow(64),
    stroke('M50-10Q96 8 130-8T196 2', dark, 8),
    oval(0, -62, 64, 64, thing(0.7, 0.15, 0.25)),
    stroke(threads, dark, 5, 'stroke-opacity=".75"'),
    oval(-24, -98, 16, 9, '#fff', 'fill-opacity=".5"'),
  ].join('')
}

/** A cloth fish. */
export function fish({ thing }: Kit): string {
  const dark = thing(0.55, 0.12, 4.2)
  return [
    shadow(84, 4),
    path('M40-34C64-62 92-68 100-60C92-40 92-22 100-2C88 6 64-8 40-30Z', thing(0.62, 0.13, 4.2)),
    path('M-96-30C-70-84 20-84 62-32C20 14-70 14-96-30Z', thing(0.74, 0.12, 4.1)),
    path('M-52-62C-40-40-40-18-52-4C-84-8-92-22-96-30C-90-48-74-58-52-62Z', thing(0.86, 0.06, 4.1)),
    stroke('M-20-56q14 12 0 24M6-52q14 12 0 24M-20-22q12 8 0 16M32-42q10 10 0 18', dark, 5),
    eye(-68, -38, 9),
  ].join('')
}

/** High on the left, its string tied to a reel in the ground; inside, it hangs on the wall. */
export function kite({ setting, thing }: Kit): string {
  const tail = 'M0 118C-34 170 34 214-16 262S30 330 0 372'
  const bows = 'M-6 186l-24-12v28ZM-6 186l24-12v28ZM-2 250l-24-12v28ZM-2 250l24-12v28ZM8 318l-24-12v28ZM8 318l24-12v28Z'
  const drawing = [
    stroke(tail, thing(0.86, 0.16, 1.6), 5),
    path(bows, thing(0.86, 0.16, 1.6)),
    path('M0-130L84-20L0 120L-84-20Z', thing(0.66, 0.19, 0.5)),
    path('M0-130L84-20H0Z', thing(0.86, 0.16, 1.6)),
    path('M0 120L-84-20H0Z', thing(0.62, 0.14, 4.3)),
    stroke('M0-130V120M-84-20H84', thing(0.4, 0.05, 1), 4),
  ]
  const flying = at(250, 226, drawing.join(''), 1, 18)
  return isIndoors(setting)
    ? flying
    : stroke('M262 206Q116 470 92 790', '#fff', 4, 'stroke-opacity=".9"') + flying + reel(thing)
}

function reel(thing: Kit['thing']): string {
  const wood = thing(0.58, 0.09, 1.1)
  const drawing = [
    shadow(44),
    stroke('M0 0V-74', wood, 13),
    rect(-30, -66, 60, 40, thing(0.93, 0.03, 1.4), 'rx="8"'),
    stroke('M-24-56L24-48M-24-46L24-38', thing(0.75, 0.03, 1.4), 4),
    stroke('M-34-70V-22M34-70V-22', wood, 11),
  ]
  return at(92, 838, drawing.join(''))
}
