import type { Point } from './points.js'

/** Width and height of every drawing. */
export const width = 1024

/**
 * Returns an SVG document of `size` by `size` pixels. The canvas is filled with the color of the ground first: gaps
 * between shapes show the ground instead of black pixels.
 */
export function drawDocument(size: number, ground: string, ...drawing: readonly string[]): string {
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}" viewBox="0 0 ${width} ${width}">`,
    rect(0, 0, width, width, ground),
    ...drawing,
    '</svg>',
  ].join('')
}

/**
 * Formats a number with one decimal; the drawings are 1000 pixels wide. Rounded twice, so that a last bit that
 * differs between machines does not change a half.
 */
export function num(value: number): string {
  const rounded = Math.round(Math.round(value * 1e6) / 1e5) / 10
  return String(rounded === 0 ? 0 : rounded)
}

/** `x y`, as in path data. */
export const xy = (at: Point): string => `${num(at.x)} ${num(at.y)}`

export function path(d: string, fill: string, attributes = ''): string {
  return `<path d="${d}" fill="${fill}"${attributes && ` ${attributes}`}/>`
}

export function stroke(d: string, color: string, width: number, attributes = '', ends = 'round'): string {
  const look = `stroke-linecap="${ends}" stroke-linejoin="round"`
  return `<path d="${d}" fill="none" stroke="${color}" stroke-width="${num(width)}" ${look}${attributes && ` ${attributes}`}/>`
}

export function oval(x: number, y: number, rx: number, ry: number, fill: string, attributes = ''): string {
  const shape = `cx="${num(x)}" cy="${num(y)}" rx="${num(rx)}" ry="${num(ry)}"`
  return `<ellipse ${shape} fill="${fill}"${attributes && ` ${attributes}`}/>`
}

export const ellipse = ({ x, y }: Point, rx: number, ry: number, fill: string, attributes = ''): string =>
  oval(x, y, rx, ry, fill, attributes)

export function rect(x: number, y: number, width: number, height: number, fill: string, attributes = ''): string {
  const shape = `x="${num(x)}" y="${num(y)}" width="${num(width)}" height="${num(height)}"`
  return `<rect ${shape} fill="${fill}"${attributes && ` ${attributes}`}/>`
}

export const fillOpacity = (value: number): string => `fill-opacity="${Math.round(value * 100) / 100}"`

/** An outline that is written once and drawn several times. `id` must be unique in the document. */
export interface SvgShape {
  readonly id: string
  readonly d: string
}

export function define(...shapes: readonly SvgShape[]): string {
  return `<defs>${shapes.map(({ id, d }) => `<path id="${id}" d="${d}"/>`).join('')}</defs>`
}

export function fill({ id }: SvgShape, color: string, attributes = ''): string {
  return `<use href="#${id}" fill="${color}"${attributes && ` ${attributes}`}/>`
}

export const moved = (dx: number, dy: number): string => `transform="translate(${num(dx)} ${num(dy)})"`

/** Clips a drawing to one or several shapes. Two drawings in the same shapes need two names. */
export function inside(shapes: readonly SvgShape[], drawing: string, name = shapes[0]?.id): string {
  if (!drawing) return ''
  const id = `in-${name}`
  const uses = shapes.map((shape) => `<use href="#${shape.id}"/>`).join('')
  return `<clipPath id="${id}">${uses}</clipPath><g clip-path="url(#${id})">${drawing}</g>`
}

/** The outline around several shapes together, heavier below: draw it first and the shapes over it. */
export function contour(shapes: readonly SvgShape[], color: string, width: number): string {
  const uses = shapes.map((shape) => `<use href="#${shape.id}"/>`).join('')
  return `<g fill="none" stroke="${color}" stroke-width="${num(width * 2)}" stroke-linejoin="round" ${moved(-0.6, 1.4)}>${uses}</g>`
}

/** The crescent of a simple shape that a copy of it, moved by (dx, dy), leaves uncovered: its shaded or lit edge. */
export function crescent({ d }: SvgShape, dx: number, dy: number, color: string, attributes = ''): string {
  return path(
    `M-999-999H2999V2999H-999Z${d}`,
    color,
    `fill-rule="evenodd" ${moved(dx, dy)}${attributes && ` ${attributes}`}`,
  )
}
