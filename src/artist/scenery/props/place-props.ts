import type { Point } from '../../rig/points.js'
import type { Kit } from '../kit.js'
import { at } from '../marks.js'
import { preferences, type Slot, slots } from '../slots.js'
import { props } from './props.js'

type Layer = 'view' | 'back' | 'beside' | 'over' | 'worn' | 'front'

const layerOf: Readonly<Record<Slot, Layer>> = {
  left: 'beside',
  right: 'beside',
  air: 'beside',
  front: 'front',
  middle: 'front',
}

/**
 * Draws the props of a setting by layer, from far to near. Each slot holds one; a prop without a free slot shares its
 * first.
 */
export function placeProps(kit: Kit, chest: Point): Record<Layer, string> {
  const { pose } = kit
  const layers: Record<Layer, string> = { view: '', back: '', beside: '', over: '', worn: '', front: '' }
  const taken = new Set<Slot>()
  for (const word of kit.setting.props) {
    const named = props[word]
    if ('nest' in named && named.nest === pose) {
      layers.over += named.draw(kit)
      layers.front = (named.rim?.(kit) ?? '') + layers.front
      continue
    }
    const prop = 'nest' in named ? named.else : named
    if ('layer' in prop) {
      layers[prop.layer] += prop.layer === 'worn' ? at(chest.x, chest.y, prop.draw(kit), 0.62) : prop.draw(kit)
      continue
    }
    const wanted = preferences[prop.slot](pose)
    const slot = wanted.find((each) => !taken.has(each)) ?? wanted[0] ?? 'front'
    taken.add(slot)
    const { x, y, scale } = slots[pose][slot]
    layers[layerOf[slot]] += at(x, y, prop.draw(kit), scale)
  }
  return layers
}
