import { oval, path, stroke } from '../../rig/svg.js'
import type { Kit } from '../kit.js'
import { at, eye, shadow } from '../marks.js'

/** A small sitting puppy that looks over; a friend of any pet. */
export function friend({ thing }: Kit): string {
  const coat = thing(0.86, 0.06, 1.25)
  const dark = thing(0.62, 0.09, 1)
  const line = thing(0.42, 0.05, 1)
  const outline = `stroke="${line}" stroke-width="5" stroke-linejoin="round"`
  const drawing = [
    shadow(80),
    path('M52-24C92-30 100-66 84-84C78-60 66-54 46-56Z', coat, outline),
    path('M-46 0C-66-60-40-120 0-122C44-120 68-60 54 0Z', coat, outline),
    path('M-24 0C-30-40-22-70 0-72C24-70 30-40 26 0Z', thing(0.95, 0.02, 1.4)),
    path(
      'M-60-150C-62-200-30-214 0-214C32-214 62-200 60-150C60-112 30-100 0-100C-30-100-60-112-60-150Z',
      coat,
      outline,
    ),
    path(
      'M-40-206C-76-220-92-170-84-136C-64-130-54-160-40-206ZM40-206C76-220 92-170 84-136C64-130 54-160 40-206Z',
      dark,
      outline,
    ),
    oval(0, -132, 30, 24, thing(0.96, 0.015, 1.4)),
    eye(-26, -164, 11) + eye(26, -164, 11),
    oval(0, -144, 12, 8, '#2b2320'),
    stroke('M0-136V-126M0-126Q-12-116-20-124M0-126Q12-116 20-124', line, 4),
    path('M-34 2a18 14 0 1 1 34 0ZM4 2a18 14 0 1 1 34 0Z', coat, outline),
  ]
  return drawing.join('')
}

/** Two small birds on a branch. */
export function bird(kit: Kit): string {
  const wood = kit.tone(0.48, 0.05, 1.1)
  const leaves = 'M96 300q-6-40 26-52q6 38-26 52ZM330 326q0-38 34-44q2 36-34 44ZM40 286q-20-30 0-54q22 26 0 54Z'
  return [
    stroke('M-20 290Q160 290 390 340M120 300Q170 350 230 366', wood, 15),
    path(leaves, kit.tone(0.66, 0.12, 2.35)),
    at(190, 286, songbird(kit, 0.62, 0.16, 0.55)),
    at(306, 312, songbird(kit, 0.64, 0.12, 4.2), 0.95),
  ].join('')
}

function songbird({ thing }: Kit, light: number, chroma: number, hue: number): string {
  const body = thing(light, chroma, hue)
  return [
    path('M-36-30L-92-14L-84-36L-40-50Z', thing(light - 0.12, chroma, hue)),
    path('M-48-34C-44-84 0-96 22-90C54-90 62-60 52-40C44-4-32 16-48-34Z', body),
    path('M52-40C44-8-6 4-30-8C0-16 24-34 36-58Z', thing(0.94, 0.04, 1.5)),
    path('M-36-42C-20-66 6-64 16-44C4-22-28-18-36-42Z', thing(light - 0.1, chroma, hue)),
    path('M54-74L80-64L54-56Z', thing(0.78, 0.15, 1.2)),
    eye(36, -70, 7),
    stroke('M-4 0V12M14-4V10', thing(0.5, 0.07, 1), 5),
  ].join('')
}
