import type { Look } from '../look.js'
import { blob, limbOutline, sampleLimb } from '../rig/shapes.js'
import { contour, crescent, ellipse, inside, opacity, path } from '../rig/svg.js'
import { drawCatHead } from './cat-head.js'
import { drawCollar } from './collar.js'
import { drawDogHead } from './dog-head.js'
import { drawLeg, legShape } from './leg-drawing.js'
import { drawCoatMarkings, drawUnderside } from './markings.js'
import { ground, type Stance } from './stance.js'
import { drawTail } from './tail-drawing.js'

/** The width of the line around a pet. */
export const lineWidth = 4.5

/** A pet without its surroundings, standing on `ground`. */
export function drawPet(look: Look, stance: Stance): string {
  const tail = drawTail(look, stance.tail.joints)
  const far = stance.legs.filter((leg) => !leg.near).map((leg) => drawLeg(look, leg, 'far'))
  return [
    drawShadow(look, stance),
    ...far,
    stance.tail.inFront ? '' : tail,
    drawTrunk(look, stance),
    stance.tail.inFront ? tail : '',
    look.species === 'cat' ? drawCatHead(look, stance) : drawDogHead(look, stance),
  ].join('')
}

function drawShadow({ palette }: Look, { shadow }: Stance): string {
  const at = { x: shadow.x, y: ground + 3 }
  const soft = ellipse(at, shadow.width, 25, palette.ink, opacity(0.1 * shadow.strength))
  return soft + ellipse(at, shadow.width * 0.86, 15, palette.ink, opacity(0.14 * shadow.strength))
}

/** Trunk, neck, near legs and collar: one silhouette with one line around it. */
function drawTrunk(look: Look, stance: Stance): string {
  const { palette, traits } = look
  const torso = blob(stance.torso)
  const neck = limbOutline(sampleLimb(stance.neck, 3))
  const haunch = stance.haunch ? blob(stance.haunch) : ''
  const near = stance.legs.filter((leg) => leg.near)
  const silhouette = [torso, neck, haunch, ...near.map((leg) => legShape(leg).outline)]
  const whole = torso + neck
  return [
    contour(silhouette, palette.line, lineWidth),
    path(whole, palette.coat),
    inside(
      'trunk',
      whole,
      drawUnderside(look, stance) +
        crescent(torso, -7, -26, palette.shade, traits.bib ? opacity(0.75) : '') +
        crescent(torso, 5, 11, palette.lit),
    ),
    ...near.map((leg, index) => drawLeg(look, leg, `near${index}`)),
    haunch && path(haunch, palette.coat) + inside('haunch', haunch, crescent(haunch, -11, -7, palette.shade)),
    inside('coat', whole + haunch, drawCoatMarkings(look, stance)),
    drawCollar(look, stance, neck),
  ].join('')
}
