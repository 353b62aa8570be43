import type { Cluster } from './clusters.js'
import type { Coat } from './palette.js'

export type Ears = 'floppy' | 'pricked' | 'folded'
export type Tail = 'curl' | 'plume' | 'short' | 'slim'
export type Pattern = 'plain' | 'saddle' | 'stripes' | 'patches' | 'spots'

/** What makes two pets of one colour differ. */
export interface Traits {
  readonly ears: Ears
  readonly tail: Tail
  readonly pattern: Pattern
  readonly fluffy: boolean
  readonly socks: boolean
  /** A pale muzzle, chest and belly. */
  readonly bib: boolean
  /** A pale stripe from the nose up between the eyes. */
  readonly blaze: boolean
}

/** `digest` is a hash of the photo: it decides what the colours leave open. */
export function traitsOf({ base, second }: Coat, texture: number, species: 'dog' | 'cat', digest: Uint8Array): Traits {
  const roll = (index: number, sides: number) => (digest[index] ?? 0) % sides
  const paleSecond = second.l > base.l + 0.14
  const strong = isStrong(second)
  return {
    ears: species === 'cat' ? 'pricked' : (dogEars[roll(0, dogEars.length)] ?? 'floppy'),
    tail: species === 'cat' ? (roll(1, 4) === 0 ? 'plume' : 'slim') : (dogTails[roll(1, dogTails.length)] ?? 'plume'),
    pattern: patternOf({
      species,
      texture,
      paleSecond,
      strong,
      dark: base.l < 0.42,
      pale: base.l > 0.86,
      darkSecond: second.l < base.l - 0.3,
      pick: roll(2, 4),
    }),
    fluffy: roll(3, 2) === 0,
    socks: paleSecond || roll(4, 4) === 0,
    bib: paleSecond || base.l > 0.42 || roll(5, 3) === 0,
    blaze: paleSecond && roll(6, 2) === 0,
  }
}

const dogEars: readonly Ears[] = ['floppy', 'pricked', 'folded', 'floppy']
const dogTails: readonly Tail[] = ['plume', 'curl', 'short', 'plume', 'slim']

/** Whether the second colour is a marking and no shadow: a good part of the photo's middle. */
function isStrong({ middle }: Cluster): boolean {
  return middle > 0.16
}

function patternOf(seen: {
  species: 'dog' | 'cat'
  texture: number
  paleSecond: boolean
  strong: boolean
  dark: boolean
  pale: boolean
  darkSecond: boolean
  pick: number
}): Pattern {
  if (seen.paleSecond && seen.strong) return seen.pick < 2 ? 'patches' : 'plain'
  if (seen.species === 'cat') {
    if (seen.dark) return 'plain'
    if (seen.pale) return seen.darkSecond && seen.strong ? 'patches' : 'plain'
    return seen.texture > 0.022 || seen.pick === 0 ? 'stripes' : 'plain'
  }
  if (seen.dark) return 'plain'
  if (seen.pale)
    return seen.darkSecond && seen.texture > 0.05 ? 'spots' : seen.darkSecond && seen.strong ? 'patches' : 'plain'
  return (['saddle', 'plain', 'plain', 'patches'] as const)[seen.pick] ?? 'plain'
}
