import { blob, limbOutline, sampleLimb } from '../rig/shapes.js'
import { contour, crescent, define, ellipse, fill, fillOpacity, inside, type SvgShape } from '../rig/svg.js'
import { drawCatHead } from './cat-head.js'
import { drawCollar } from './collar.js'
import { drawDogHead } from './dog-head.js'
import { drawChestFur, drawTufts } from './fur.js'
import { drawFarLeg, drawNearLeg, legShape } from './leg-drawing.js'
import { drawCoatMarkings, drawUnderside } from './markings.js'
import { drawRim, type LitLook } from './rim.js'
import { ground, lineWidth, type Stance } from './stance.js'
import { drawTail } from './tail-drawing.js'

/** Draws a pet without its surroundings, on `ground`. */
export function drawPet(look: LitLook, stance: Stance): string {
  const tail = drawTail(look, stance.tail.joints)
  const far = stance.legs.filter((leg) => !leg.near)
  return [
    drawShadow(look, stance),
    ...far.map((leg, index) => drawFarLeg(look, leg, `far${index}`)),
    stance.tail.inFront ? '' : tail,
    drawTrunk(look, stance),
    stance.tail.inFront ? tail : '',
    look.species === 'cat' ? drawCatHead(look, stance) : drawDogHead(look, stance),
  ].join('')
}

function drawShadow({ palette }: LitLook, { shadow }: Stance): string {
  const at = { x: shadow.x, y: ground + 3 }
  const soft = ellipse(at, shadow.width, 25, palette.ink, fillOpacity(0.1 * shadow.strength))
  return soft + ellipse(at, shadow.width * 0.86, 15, palette.ink, fillOpacity(0.14 * shadow.strength))
}

/** Trunk, neck, near legs and collar: one silhouette with one outline. */
function drawTrunk(look: LitLook, stance: Stance): string {
  const { palette, traits } = look
  const torso: SvgShape = { id: 'torso', d: blob(stance.torso) }
  const neck: SvgShape = { id: 'neck', d: limbOutline(sampleLimb(stance.neck, 3)) }
  const haunch: SvgShape[] = stance.haunch ? [{ id: 'haunch', d: blob(stance.haunch) }] : []
  const fur: SvgShape[] = traits.fluffy ? [{ id: 'fur', d: drawTufts(stance.torso) }] : []
  const legs = stance.legs.filter((leg) => leg.near).map((leg, index) => legShape(leg, `near${index}`))
  return [
    define(torso, neck, ...haunch, ...fur),
    ...legs.map(({ limb, foot }) => define(limb, foot)),
    contour(
      [torso, neck, ...fur, ...haunch, ...legs.flatMap(({ limb, foot }) => [limb, foot])],
      palette.line,
      lineWidth,
    ),
    ...fur.map((shape) => fill(shape, palette.shade)),
    fill(torso, palette.coat) + fill(neck, palette.coat),
    inside(
      [torso, neck],
      crescent(torso, -7, -26, palette.shade) +
        (traits.bib ? drawUnderside(look, stance) + crescent(torso, -5, -13, palette.ink, fillOpacity(0.13)) : '') +
        crescent(torso, 5, 11, palette.lit),
    ),
    ...legs.filter(({ leg }) => !leg.overHaunch).map((leg) => drawNearLeg(look, leg)),
    ...haunch.map((shape) => fill(shape, palette.coat) + inside([shape], crescent(shape, -11, -7, palette.shade))),
    inside([torso, neck, ...haunch], drawCoatMarkings(look, stance) + drawRim(look, torso), 'coat'),
    ...legs.filter(({ leg }) => leg.overHaunch).map((leg) => drawNearLeg(look, leg)),
    drawChestFur(look, stance),
    drawCollar(look, stance, neck),
  ].join('')
}
