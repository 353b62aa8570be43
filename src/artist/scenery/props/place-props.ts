import { type Point, point } from '../../rig/points.js'
import type { Kit } from '../kit.js'
import { at } from '../marks.js'
import { isIndoors } from '../setting.js'
import { preferences, type Slot, slotPlaceOf } from '../slots.js'
import { windowCentre } from '../window.js'
import type { PlainProp } from './prop.js'
import { props } from './props.js'

type Layer = 'view' | 'back' | 'beside' | 'over' | 'worn' | 'front'

const layerOf: Readonly<Record<Slot, Layer>> = {
  left: 'beside',
  right: 'beside',
  air: 'beside',
  front: 'front',
  middle: 'front',
}

export interface PlacedProps {
  /** The drawings from far to near; `worn` is in the pet's own coordinates. */
  readonly layers: Readonly<Record<Layer, string>>
  /** The point of the picture that the pet looks at: the first prop that draws the eye. */
  readonly sight: Point | undefined
}

/** Draws the props of a setting by layer. Each slot holds one; a prop without a free slot shares its first. */
export function placeProps(kit: Kit, chest: Point): PlacedProps {
  const layers: Record<Layer, string> = { view: '', back: '', beside: '', over: '', worn: '', front: '' }
  const taken = new Set<Slot>()
  let sight: Point | undefined
  for (const word of kit.setting.props) {
    const named = props[word]
    if ('nests' in named && named.nests.includes(kit.pose)) {
      layers.over += named.draw(kit)
      layers.front = (named.rim?.(kit) ?? '') + layers.front
      continue
    }
    const prop = 'nests' in named ? named.else : named
    if ('layer' in prop) {
      layers[prop.layer] += prop.layer === 'worn' ? at(chest.x, chest.y, prop.draw(kit), 0.62) : prop.draw(kit)
      sight ??= sightOf(kit, prop)
      continue
    }
    const wanted = preferences[prop.slot](kit.pose)
    const slot = wanted.find((each) => !taken.has(each)) ?? wanted[0] ?? 'front'
    taken.add(slot)
    const { x, y, scale } = slotPlaceOf(kit, slot)
    const drawing = at(x, y, prop.draw(kit), scale)
    // Things in the air are behind those on the ground.
    if (slot === 'air') layers.beside = drawing + layers.beside
    else layers[layerOf[slot]] += drawing
    if (prop.sight) sight ??= point(x + prop.sight.x * scale, y + prop.sight.y * scale)
  }
  return { layers, sight }
}

/** A distant thing is seen through the window of a room. */
function sightOf(kit: Kit, prop: PlainProp): Point | undefined {
  const isView = 'layer' in prop && prop.layer === 'view'
  return prop.sight && isView && isIndoors(kit.setting) ? windowCentre : prop.sight
}
