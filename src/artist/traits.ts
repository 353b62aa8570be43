import { type Coat, isTan } from './palette.js'

export type Ears = 'floppy' | 'pricked' | 'folded'
export type Tail = 'curl' | 'plume' | 'short' | 'slim'
export type Pattern = 'plain' | 'saddle' | 'stripes' | 'patches' | 'spots'

/** Traits that distinguish pets of the same color. */
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
  /** Spots above the eyes, of a black and tan dog. */
  readonly brows: boolean
}

/** The properties of the photo's coat that patterns depend on. */
interface Signs {
  readonly species: 'dog' | 'cat'
  readonly coat: 'dark' | 'medium' | 'pale'
  /** The second color in relation to the coat. */
  readonly second: 'paler' | 'darker' | 'much darker' | 'alike'
  /** True if the second color is a marking instead of a shadow: it covers a large part of the photo's center. */
  readonly strong: boolean
  readonly texture: number
  /** 0 to 3, from the hash. */
  readonly pick: number
}

/** The first matching pattern applies. */
const patterns: readonly (readonly [Pattern, (signs: Signs) => boolean])[] = [
  ['patches', ({ second, strong, pick }) => second === 'paler' && strong && pick < 2],
  [
    'spots',
    ({ species, coat, second, texture }) =>
      species === 'dog' && coat === 'pale' && second === 'much darker' && texture > 0.05,
  ],
  ['patches', ({ coat, second, strong }) => coat === 'pale' && second === 'much darker' && strong],
  ['stripes', ({ species, coat, texture }) => species === 'cat' && coat === 'medium' && texture > 0.035],
  [
    'saddle',
    ({ species, coat, second, pick }) =>
      species === 'dog' && coat === 'medium' && second.endsWith('darker') && pick < 3,
  ],
]

/** Textures of the photo: below the first its fur is not sharp enough to be seen, above the second it is long. */
const [smooth, shaggy] = [0.045, 0.07]

/** `digest` is a hash of the photo: it decides traits that the colors leave open. */
export function traitsOf(coat: Coat, texture: number, species: 'dog' | 'cat', digest: Uint8Array): Traits {
  const roll = (index: number, sides: number) => (digest[index] ?? 0) % sides
  const signs = signsOf(coat, texture, species, roll(2, 4))
  const paler = signs.second === 'paler'
  const brows = species === 'dog' && paler && isTan(coat.base, coat.second)
  return {
    ears: pick(earsOf[species], roll(0, 12)),
    tail: pick(tailsOf[species], roll(1, 60)),
    pattern: patterns.find(([, fits]) => fits(signs))?.[0] ?? 'plain',
    fluffy: signs.strong || texture < smooth ? roll(3, 2) === 0 : texture > shaggy,
    socks: paler || (signs.coat !== 'dark' && roll(4, 4) === 0),
    bib: paler || signs.coat !== 'dark' || roll(5, 3) === 0,
    blaze: paler && !brows && roll(6, 2) === 0,
    brows,
  }
}

/** Each kind as often as it occurs. */
const earsOf: Readonly<Record<'dog' | 'cat', readonly [Ears, ...Ears[]]>> = {
  dog: ['floppy', 'pricked', 'folded', 'floppy'],
  cat: ['pricked'],
}
const tailsOf: Readonly<Record<'dog' | 'cat', readonly [Tail, ...Tail[]]>> = {
  dog: ['plume', 'curl', 'short', 'plume', 'slim'],
  cat: ['slim', 'slim', 'plume', 'slim'],
}

function pick<Kind>(kinds: readonly [Kind, ...Kind[]], roll: number): Kind {
  return kinds[roll % kinds.length] ?? kinds[0]
}

function signsOf({ seen, base, second }: Coat, texture: number, species: 'dog' | 'cat', pick: number): Signs {
  const step = second.l - seen.l
  return {
    species,
    coat: base.l < 0.42 ? 'dark' : base.l > 0.86 ? 'pale' : 'medium',
    second: step > 0.14 ? 'paler' : step < -0.3 ? 'much darker' : step < -0.1 ? 'darker' : 'alike',
    strong: second.middle > 0.16,
    texture,
    pick,
  }
}
