import type { Prop } from '../setting.js'
import { bird, friend } from './animals.js'
import * as fixtures from './furniture.js'
import * as holidays from './holidays.js'
import * as home from './home.js'
import * as outdoors from './outdoors.js'
import * as party from './party.js'
import type { PropDrawing } from './prop.js'
import * as toys from './toys.js'
import * as travel from './travel.js'

/** All props and their layers; props in slots name their preferred slots. */
export const props: Readonly<Record<Prop, PropDrawing>> = {
  sofa: { layer: 'back', draw: home.sofa },
  // The room draws its window.
  window: { layer: 'back', draw: () => '' },
  bed: { nest: 'lying', draw: home.bedAround, else: { slot: 'corner', draw: home.bed } },
  bowl: { slot: 'low', draw: home.bowl },
  box: { nest: 'sitting', draw: home.boxBack, rim: home.boxFront, else: { slot: 'left', draw: home.box } },
  books: { slot: 'right', draw: home.books },
  laptop: { layer: 'back', draw: fixtures.laptop },
  fireplace: { layer: 'back', draw: fixtures.fireplace },
  tub: { layer: 'back', draw: fixtures.tub },
  vet_table: { layer: 'over', draw: fixtures.vetTable },
  ball: { slot: 'low', draw: toys.ball },
  frisbee: { slot: 'air', draw: toys.frisbee },
  bone: { slot: 'toy', draw: toys.bone },
  yarn: { slot: 'low', draw: toys.yarn },
  fish: { slot: 'toy', draw: toys.fish },
  kite: { layer: 'view', draw: toys.kite },
  friend: { slot: 'left', draw: friend },
  bird: { layer: 'view', draw: bird },
  flowers: { slot: 'left', draw: outdoors.flowers },
  leaf_pile: { slot: 'right', draw: outdoors.leafPile },
  puddle: { layer: 'over', draw: outdoors.puddle },
  sprinkler: { slot: 'left', draw: outdoors.sprinkler },
  umbrella: { layer: 'over', draw: outdoors.umbrella },
  snowman: { slot: 'right', draw: outdoors.snowman },
  sandcastle: { slot: 'left', draw: outdoors.sandcastle },
  car: { layer: 'back', draw: travel.car },
  boat: { layer: 'back', draw: (kit) => travel.sailingBoat(kit, 196, 640, 1) },
  tent: { layer: 'back', draw: outdoors.tent },
  campfire: { slot: 'right', draw: outdoors.campfire },
  skyline: { layer: 'view', draw: travel.skyline },
  flag: { slot: 'left', draw: holidays.flag },
  fireworks: { layer: 'view', draw: holidays.fireworks },
  pumpkin: { slot: 'low', draw: holidays.pumpkin },
  turkey_pie: { layer: 'back', draw: holidays.turkeyPie },
  tree_lights: { layer: 'back', draw: holidays.treeLights },
  garland: { layer: 'back', draw: party.garland },
  wreath: { slot: 'air', draw: holidays.wreath },
  gift: { slot: 'low', draw: party.gift },
  cake: { slot: 'low', draw: party.cake },
  balloons: { slot: 'air', draw: party.balloons },
  rosette: { layer: 'worn', draw: party.rosette },
}
