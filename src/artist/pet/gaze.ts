import { clamp } from '../rig/oklab.js'
import { distance, type Point, point } from '../rig/points.js'
import type { Stance } from './stance.js'

/** Beyond this distance behind the head, a pet turns its head to look. */
const behind = -90

/** Turns head and open eyes to a point: a head tilts only so far, the eyes do the rest. */
export function lookAt(stance: Stance, target: Point): Stance {
  const { at, degrees } = stance.head
  const turned = target.x - at.x < behind
  const [ahead, down] = [Math.abs(target.x - at.x), target.y - at.y]
  const slope = clamp((Math.atan2(down, ahead + 80) * 180) / Math.PI, -34, 34) * 0.42
  const away = distance(at, target) || 1
  return {
    ...stance,
    head: { at, degrees: degrees + (turned ? -slope : slope), turned },
    face: { ...stance.face, eyes: 1, gaze: point(ahead / away, down / away) },
  }
}
