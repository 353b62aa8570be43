import type { Look } from '../look.js'
import { point, turn } from '../rig/points.js'
import { limbOutline, placed, sampleLimb } from '../rig/shapes.js'
import { contour, crescent, inside, num, path, stroke } from '../rig/svg.js'
import { lineWidth } from './draw-pet.js'
import type { Leg } from './stance.js'

const pawTable: readonly (readonly [number, number])[] = [
  [-27, -8],
  [-25, -30],
  [0, -42],
  [28, -35],
  [46, -19],
  [44, -4],
  [28, 1],
  [-16, 1],
]
const toes: readonly (readonly [number, number, number, number])[] = [
  [21, -18, 24, -3],
  [34, -15, 36, -3],
]
/** Samples between two joints of a leg. */
const perPiece = 4

/** A leg's outline, and that of its lower part alone. */
export function legShape({ joints, paw }: Leg): { readonly outline: string; readonly sock: string } {
  const samples = sampleLimb(joints, perPiece)
  const foot = placed(
    pawTable.map(([x, y]) => [x * paw.length, y] as const),
    paw,
  )
  const low = samples.slice(-Math.round(perPiece * 1.4))
  return { outline: limbOutline(samples) + foot, sock: limbOutline(low) + foot }
}

/** `id` names the leg's clip path and is `far` for the legs on the other side, which lie in the pet's shadow. */
export function drawLeg({ palette, traits }: Look, leg: Leg, id: string): string {
  const { outline, sock } = legShape(leg)
  if (!leg.near) {
    const colour = traits.socks ? palette.paleShade : palette.far
    return (
      contour([outline], palette.line, lineWidth) +
      path(outline, palette.far) +
      path(sock, colour) +
      drawToes(leg, palette.line)
    )
  }
  return [
    path(outline, palette.coat),
    inside(id, outline, crescent(outline, -8, -3, palette.shade)),
    traits.socks ? path(sock, palette.pale) + inside(`${id}s`, sock, crescent(sock, -7, -3, palette.paleShade)) : '',
    drawToes(leg, palette.line),
  ].join('')
}

function drawToes({ paw }: Leg, colour: string): string {
  const lines = toes.map(([x1, y1, x2, y2]) => {
    const [from, to] = [turn(point(x1, y1), paw.degrees), turn(point(x2, y2), paw.degrees)]
    const at = (x: number, y: number) => `${num(paw.at.x + x * paw.scale)} ${num(paw.at.y + y * paw.scale)}`
    return `M${at(from.x, from.y)}L${at(to.x, to.y)}`
  })
  return stroke(lines.join(''), colour, 3.4, 'opacity=".7"')
}
