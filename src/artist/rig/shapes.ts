import { type Joint, mix, type Point, point } from './points.js'
import { num, xy } from './svg.js'

/** A closed smooth curve through all points (Catmull-Rom). It runs clockwise, so that overlapping shapes add up. */
export function blob(outline: readonly Point[]): string {
  const points = clockwise(outline)
  const at = (index: number): Point => points[(index + points.length) % points.length] ?? point(0, 0)
  const curves = points.map((_, index) => {
    const [before, from, to, after] = [at(index - 1), at(index), at(index + 1), at(index + 2)]
    const leave = point(from.x + (to.x - before.x) / 6, from.y + (to.y - before.y) / 6)
    const arrive = point(to.x - (after.x - from.x) / 6, to.y - (after.y - from.y) / 6)
    return `C${xy(leave)} ${xy(arrive)} ${xy(to)}`
  })
  return `M${xy(at(0))}${curves.join('')}Z`
}

/** The same outline, in clockwise order. */
export function clockwise(outline: readonly Point[]): readonly Point[] {
  return turnsClockwise(outline) ? outline : [...outline].reverse()
}

function turnsClockwise(points: readonly Point[]): boolean {
  const area = points.reduce((sum, { x, y }, index) => {
    const next = points[(index + 1) % points.length]
    return next ? sum + (x * next.y - next.x * y) : sum
  }, 0)
  return area >= 0
}

/** Adds joints between the given ones, on a smooth curve through them. */
export function sampleLimb(joints: readonly Joint[], perPiece = 4): Joint[] {
  const last = joints.length - 1
  const at = (index: number): Joint => joints[Math.min(last, Math.max(0, index))] ?? { x: 0, y: 0, radius: 0 }
  const samples: Joint[] = []
  for (let piece = 0; piece < last; piece += 1) {
    const [before, from, to, after] = [at(piece - 1), at(piece), at(piece + 1), at(piece + 2)]
    for (let step = 0; step < perPiece; step += 1) {
      const t = step / perPiece
      samples.push({
        x: catmullRom(before.x, from.x, to.x, after.x, t),
        y: catmullRom(before.y, from.y, to.y, after.y, t),
        radius: from.radius + (to.radius - from.radius) * t,
      })
    }
  }
  return [...samples, at(last)]
}

/** The outline of a limb with round ends. */
export function limbOutline(samples: readonly Joint[]): string {
  const sides = samples.map((sample, index) => {
    const [before, after] = [samples[Math.max(0, index - 1)] ?? sample, samples[index + 1] ?? sample]
    const length = Math.hypot(after.x - before.x, after.y - before.y) || 1
    const [nx, ny] = [-((after.y - before.y) / length) * sample.radius, ((after.x - before.x) / length) * sample.radius]
    return [point(sample.x - nx, sample.y - ny), point(sample.x + nx, sample.y + ny)] as const
  })
  const there = sides.map(([left]) => left)
  const back = sides.map(([, right]) => right).reverse()
  const cap = (radius: number, to: Point) => `A${num(radius)} ${num(radius)} 0 0 1 ${xy(to)}`
  const [root, tip] = [samples[0]?.radius ?? 0, samples[samples.length - 1]?.radius ?? 0]
  const start = there[0] ?? point(0, 0)
  return `M${xy(start)}${through(there)}${cap(tip, back[0] ?? start)}${through(back)}${cap(root, start)}Z`
}

/** A smooth open curve near the points: quadratic pieces that meet halfway between them. */
function through(points: readonly Point[]): string {
  const inner = points.slice(1, -1)
  const pieces = inner.map((at, index) => {
    const next = points[index + 2] ?? at
    return `Q${xy(at)} ${xy(index === inner.length - 1 ? next : mix(at, next, 0.5))}`
  })
  return pieces.join('')
}

function catmullRom(p0: number, p1: number, p2: number, p3: number, t: number): number {
  const [t2, t3] = [t * t, t * t * t]
  return 0.5 * (2 * p1 + (p2 - p0) * t + (2 * p0 - 5 * p1 + 4 * p2 - p3) * t2 + (3 * p1 - p0 - 3 * p2 + p3) * t3)
}
