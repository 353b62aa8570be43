import { ground } from '../pet/stance.js'
import { type Point, point } from '../rig/points.js'
import { num, width } from '../rig/svg.js'
import type { Staging } from './setting.js'

/** A smaller pet stands farther away, so higher in the picture. */
const depth = 150

/** The position of the pet: its own coordinates, in which it looks right, and those of the picture. */
export interface PetPlacement {
  /** 1 if it looks right, -1 if it looks left. */
  readonly side: 1 | -1
  readonly scale: number
  toPicture(at: Point): Point
  toPet(at: Point): Point
  /** Places a drawing in the pet's coordinates. */
  put(drawing: string): string
}

export function stageOf({ faces, x = 0, scale = 1 }: Staging): PetPlacement {
  const side = faces === 'left' ? -1 : 1
  const middle = point(width / 2 + x, ground + (scale - 1) * depth)
  const size = side * scale
  const move = `translate(${num(middle.x)} ${num(middle.y)}) scale(${size} ${scale}) translate(${-width / 2} ${-ground})`
  const isPlain = size === 1 && x === 0
  return {
    side,
    scale,
    toPicture: (at) => point(middle.x + (at.x - width / 2) * size, middle.y + (at.y - ground) * scale),
    toPet: (at) => point((at.x - middle.x) / size + width / 2, (at.y - middle.y) / scale + ground),
    put: (drawing) => (isPlain ? drawing : `<g transform="${move}">${drawing}</g>`),
  }
}
