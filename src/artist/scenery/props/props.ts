import type { DrawnPose } from '../../pet/poses/poses.js'
import { type Point, point } from '../../rig/points.js'
import { oval, path, stroke } from '../../rig/svg.js'
import type { Kit } from '../kit.js'
import { at, eye, shadow } from '../marks.js'
import type { Prop } from '../setting.js'
import type { Preference } from '../slots.js'
import { umbrellaAt } from '../weather.js'
import * as holidays from './holidays.js'
import * as home from './home.js'
import * as outdoors from './outdoors.js'
import * as toys from './toys.js'
import * as travel from './travel.js'

/** All props and their layers; props in slots name their preferred slots. */
export const props: Readonly<Record<Prop, PropDrawing>> = {
  sofa: { layer: 'back', draw: home.sofa },
  // The room draws its window.
  window: { layer: 'back', draw: () => '', sight: point(265, 330) },
  bed: { nests: home.nestPoses, draw: home.bedAround, else: { slot: 'corner', draw: home.bed } },
  bowl: { slot: 'low', draw: home.bowl, sight: point(0, -50) },
  box: { nests: ['sitting'], draw: home.boxBack, rim: home.boxFront, else: { slot: 'left', draw: home.box } },
  books: { slot: 'right', draw: home.books },
  laptop: { layer: 'back', draw: home.laptop, sight: point(226, 458) },
  fireplace: { layer: 'back', draw: home.fireplace, sight: point(230, 610) },
  tub: { layer: 'back', draw: home.tub },
  vet_table: { layer: 'over', draw: home.vetTable },
  ball: { slot: 'low', draw: toys.ball, sight: point(0, -50) },
  frisbee: { slot: 'air', draw: toys.frisbee, sight: point(0, 0) },
  bone: { slot: 'toy', draw: toys.bone, sight: point(0, -20) },
  yarn: { slot: 'low', draw: toys.yarn, sight: point(0, -60) },
  fish: { slot: 'toy', draw: toys.fish, sight: point(0, -30) },
  kite: { layer: 'back', draw: toys.kite, sight: point(250, 226) },
  friend: { slot: 'mate', draw: friend, sight: point(0, -150) },
  bird: { layer: 'view', draw: bird, sight: point(250, 280) },
  flowers: { slot: 'left', draw: outdoors.flowers },
  leaf_pile: { slot: 'right', draw: outdoors.leafPile, sight: point(0, -60) },
  puddle: { layer: 'over', draw: outdoors.puddle },
  sprinkler: { slot: 'left', draw: outdoors.sprinkler },
  umbrella: { layer: 'over', draw: umbrella },
  snowman: { slot: 'right', draw: outdoors.snowman, sight: point(0, -300) },
  sandcastle: { slot: 'left', draw: outdoors.sandcastle },
  car: { nests: ['sitting'], draw: travel.car, rim: travel.seatBelt, else: { layer: 'back', draw: travel.car } },
  boat: { layer: 'back', draw: (kit) => travel.sailingBoat(kit, 196, 640, 1), sight: point(196, 500) },
  tent: { layer: 'back', draw: outdoors.tent },
  campfire: { slot: 'right', draw: outdoors.campfire, sight: point(0, -90) },
  skyline: { layer: 'view', draw: travel.skyline, sight: point(700, 420) },
  flag: { slot: 'left', draw: holidays.flag },
  fireworks: { layer: 'view', draw: holidays.fireworks, sight: point(300, 260) },
  pumpkin: { slot: 'low', draw: holidays.pumpkin },
  turkey_pie: { layer: 'back', draw: holidays.turkeyPie },
  tree_lights: { layer: 'back', draw: holidays.treeLights, sight: point(196, 430) },
  garland: { layer: 'back', draw: holidays.garland },
  wreath: { slot: 'air', draw: holidays.wreath },
  gift: { slot: 'low', draw: holidays.gift, sight: point(0, -90) },
  cake: { slot: 'low', draw: holidays.cake, sight: point(0, -120) },
  balloons: { slot: 'air', draw: holidays.balloons, sight: point(0, -100) },
  rosette: { layer: 'worn', draw: holidays.rosette },
}

/** Held over the pet by somebody who is outside the picture, ahead of the pet. */
function umbrella(kit: Kit): string {
  const { thing, stage } = kit
  const [one, other] = [thing(0.64, 0.19, 0.5), thing(0.85, 0.15, 1.55)]
  const wood = thing(0.45, 0.07, 1.1)
  const drawing = [
    stroke('M0-222V470Q0 512 34 512T68 478', wood, 14),
    path(
      'M-430 40C-403-110-208-190 0-190S403-110 430 40Q358-4 286 40Q214-4 143 40Q72-4 0 40Q-72-4-143 40Q-214-4-286 40Q-358-4-430 40Z',
      one,
    ),
    path(
      'M0-190C-104-150-140-60-143 40Q-72-4 0 40ZM0-190C169-160 281-60 286 40Q214-4 143 40C138-60 91-140 0-190ZM0-190C-221-170-312-60-286 40Q-358-4-430 40C-403-110-208-190 0-190Z',
      other,
    ),
    holder(kit),
  ]
  const { x } = stage.toPicture({ x: umbrellaAt, y: 0 })
  return `<g transform="translate(${Math.round(x)} 206) scale(${stage.side} 1) rotate(-20) scale(.9)">${drawing.join('')}</g>`
}

/** A sleeve from the edge of the picture, and the hand around the handle. */
function holder({ thing }: Kit): string {
  const [cloth, dark] = [thing(0.5, 0.09, 4.5), thing(0.42, 0.09, 4.5)]
  const [skin, line] = [thing(0.72, 0.07, 1), thing(0.56, 0.07, 0.9)]
  return [
    path('M50 384Q240 400 420 540L372 640Q220 500 46 466Z', cloth),
    path('M46 466Q220 500 372 640L392 600Q230 470 48 436Z', dark),
    stroke('M54 388L50 462', dark, 12),
    oval(14, 424, 40, 31, skin),
    stroke('M-22 412q18-8 34 0M-26 426q20-8 38 0M-22 440q18-8 34 0', line, 4),
  ].join('')
}

/** A small puppy that looks over; a friend of any pet. It sits in a bed that the pet does not lie in. */
function friend(kit: Kit): string {
  if (!kit.setting.props.includes('bed') || home.nestPoses.includes(kit.pose)) return shadow(86) + puppy(kit)
  return shadow(140) + home.bedBack(kit) + at(0, -30, puppy(kit), 0.9) + home.bedRim(kit)
}

function puppy({ thing }: Kit): string {
  const coat = thing(0.86, 0.06, 1.25)
  const dark = thing(0.62, 0.09, 1)
  const line = thing(0.42, 0.05, 1)
  const pale = thing(0.96, 0.015, 1.4)
  const outline = `stroke="${line}" stroke-width="5" stroke-linejoin="round"`
  const foreleg = 'M1-62C-6-40-7-26-7-12Q-8 4 8 4T24-10C24-32 26-48 27-64'
  const head = [
    path(
      'M-60-150C-62-200-30-214 0-214C32-214 62-200 60-150C60-112 30-100 0-100C-30-100-60-112-60-150Z',
      coat,
      outline,
    ),
    path('M-8-212Q-16-176-4-150H4Q16-176 8-212Z', pale),
    path(
      'M-40-206C-76-220-92-170-84-136C-64-130-54-160-40-206ZM40-206C76-220 92-170 84-136C64-130 54-160 40-206Z',
      dark,
      outline,
    ),
    oval(0, -132, 32, 25, pale),
    eye(-28, -162, 12) + eye(28, -162, 12),
    oval(0, -145, 12, 8, '#2b2320'),
    stroke('M0-137V-128M0-128Q-10-117-20-124M0-128Q10-117 20-124', line, 4),
  ]
  const drawing = [
    path('M44-20C84-22 100-50 94-76C82-60 70-52 42-50Z', coat, outline),
    path('M-30-40C-70-50-84-6-62 4H-18ZM30-40C70-50 84-6 62 4H18Z', coat, outline),
    path('M-36-114C-50-84-48-36-36-8H36C48-36 50-84 36-114Z', coat, outline),
    path('M-24-108C-28-74-16-46 0-40C16-46 28-74 24-108Z', pale),
    ...[-1, 1].map((side) => `<g transform="scale(${side} 1)">${path(foreleg, coat, outline)}</g>`),
    path('M-40-108Q0-84 40-108L38-94Q0-72-38-94Z', thing(0.62, 0.17, 0.5)),
    at(0, 2, head.join(''), 0.94),
  ]
  return drawing.join('')
}

/** Two small birds on a branch. */
function bird(kit: Kit): string {
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

/**
 * A thing of a scene. A prop in a slot is drawn around (0, 0), where it meets the ground, about 200 pixels wide and
 * up to 330 high; a `worn` prop is drawn around the pet's chest. Props of other layers are drawn in picture
 * coordinates: `view` at a distance, in the sky or through the window; `back` below the cover of the ground; `over`
 * directly behind the pet.
 */
type PropDrawing = PlainProp | NestProp

export type PlainProp = (
  | { readonly slot: Preference; readonly draw: (kit: Kit) => string }
  | { readonly layer: 'view' | 'back' | 'over' | 'worn'; readonly draw: (kit: Kit) => string }
) & {
  /** The point of the drawing that the pet looks at; nothing for things that no pet looks at. */
  readonly sight?: Point
}

/** A prop that contains the pet in the given poses; a `rim` is drawn in front of the pet. */
interface NestProp {
  readonly nests: readonly DrawnPose[]
  readonly draw: (kit: Kit) => string
  readonly rim?: (kit: Kit) => string
  readonly else: PlainProp
}
