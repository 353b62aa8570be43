import { point } from '../../rig/points.js'
import { bird, friend } from './animals.js'
import * as fixtures from './furniture.js'
import * as holidays from './holidays.js'
import * as home from './home.js'
import * as outdoors from './outdoors.js'
import * as party from './party.js'
import type { PropDrawing } from './prop.js'
import type { Prop } from './prop-names.js'
import * as toys from './toys.js'
import * as travel from './travel.js'
import { umbrella } from './umbrella.js'

/** All props and their layers; props in slots name their preferred slots. */
export const props: Readonly<Record<Prop, PropDrawing>> = {
  sofa: { layer: 'back', draw: home.sofa },
  // The room draws its window.
  window: { layer: 'back', draw: () => '', sight: point(265, 330) },
  bed: { nests: home.nestPoses, draw: home.bedAround, else: { slot: 'corner', draw: home.bed } },
  bowl: { slot: 'low', draw: home.bowl, sight: point(0, -50) },
  box: { nests: ['sitting'], draw: home.boxBack, rim: home.boxFront, else: { slot: 'left', draw: home.box } },
  books: { slot: 'right', draw: home.books },
  laptop: { layer: 'back', draw: fixtures.laptop, sight: point(226, 458) },
  fireplace: { layer: 'back', draw: fixtures.fireplace, sight: point(230, 610) },
  tub: { layer: 'back', draw: fixtures.tub },
  vet_table: { layer: 'over', draw: fixtures.vetTable },
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
  car: { layer: 'back', draw: travel.car },
  boat: { layer: 'back', draw: (kit) => travel.sailingBoat(kit, 196, 640, 1), sight: point(196, 500) },
  tent: { layer: 'back', draw: outdoors.tent },
  campfire: { slot: 'right', draw: outdoors.campfire, sight: point(0, -90) },
  skyline: { layer: 'view', draw: travel.skyline, sight: point(700, 420) },
  flag: { slot: 'left', draw: holidays.flag },
  fireworks: { layer: 'view', draw: holidays.fireworks, sight: point(300, 260) },
  pumpkin: { slot: 'low', draw: holidays.pumpkin },
  turkey_pie: { layer: 'back', draw: holidays.turkeyPie },
  tree_lights: { layer: 'back', draw: holidays.treeLights, sight: point(196, 430) },
  garland: { layer: 'back', draw: party.garland },
  wreath: { slot: 'air', draw: holidays.wreath },
  gift: { slot: 'low', draw: party.gift, sight: point(0, -90) },
  cake: { slot: 'low', draw: party.cake, sight: point(0, -120) },
  balloons: { slot: 'air', draw: party.balloons, sight: point(0, -100) },
  rosette: { layer: 'worn', draw: party.rosette },
}
