import type { Look } from '../look.js'
import { path } from '../rig/svg.js'
import type { Ears } from '../traits.js'
import { outlined, rotated } from './head-frame.js'
import type { Face } from './stance.js'

interface EarShape {
  readonly outline: string
  readonly inside?: string
  /** The part that hangs over the head. */
  readonly flap?: string
}

const near: Readonly<Record<Ears, EarShape>> = {
  floppy: { outline: 'M-30-78C-62-90-88-66-100-26C-110 10-108 52-88 62C-66 70-50 44-44 10C-40-18-26-46-30-78Z' },
  pricked: {
    outline: 'M-82-2C-93-74-86-128-74-150Q-68-156-62-150C-38-130-14-104 2-72',
    inside: 'M-66-44C-74-82-72-110-67-126C-48-110-32-92-22-70Z',
  },
  folded: {
    outline: 'M-82-2C-90-60-82-104-64-120C-40-114-12-96 2-72',
    flap: 'M-70-116C-50-130-16-118-2-88C6-68 4-46-4-34C-16-50-48-66-70-116Z',
  },
}

const far: Readonly<Record<Ears, EarShape>> = {
  floppy: { outline: 'M48-78C74-88 92-66 100-36C106-6 104 22 92 28C80 32 70 8 68-14C66-38 46-50 48-78Z' },
  pricked: {
    outline: 'M34-78C48-114 62-138 76-148Q82-152 86-146C98-116 98-76 84-36Z',
    inside: 'M50-76C60-104 68-120 77-128C84-106 84-80 76-52Z',
  },
  folded: {
    outline: 'M34-78C46-106 62-120 74-120C90-106 94-70 84-36Z',
    flap: 'M68-122C86-126 104-104 106-84C108-66 104-54 100-48C92-62 72-80 68-122Z',
  },
}

/** Ears are slightly darker than the head, so that they are visible on any coat. */
export function drawNearEar(look: Look, { ears, twitch }: Face): string {
  return rotated(
    look.traits.ears === 'floppy' ? ears + twitch * 0.7 : -ears * 0.8 - twitch,
    -40,
    -66,
    drawEar(look, near),
  )
}

export function drawFarEar(look: Look, { ears }: Face): string {
  return rotated(look.traits.ears === 'floppy' ? -ears * 0.8 : -ears * 0.6, 62, -66, drawEar(look, far))
}

function drawEar({ palette, traits }: Look, shapes: typeof near): string {
  const { outline, inside, flap } = shapes[traits.ears]
  const dark =
    traits.pattern === 'saddle' || traits.pattern === 'spots' || (traits.pattern === 'patches' && !traits.socks)
      ? palette.mark
      : palette.far
  return [
    outlined(outline, traits.ears === 'floppy' ? dark : palette.coat, palette.line),
    inside ? path(inside, palette.ear) : '',
    flap ? outlined(flap, dark, palette.line) : '',
  ].join('')
}
