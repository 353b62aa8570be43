/** Returns a number from 0 to 1, the same for the same keys: a draw does not depend on the draws before it. */
export type Draw = (...keys: readonly (string | number)[]) => number

/** Creates the draws of a seed. */
export function createDraw(seed: number): Draw {
  return (...keys) => {
    let hash = 2_166_136_261
    for (const character of `${seed} ${keys.join(' ')}`) {
      hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 16_777_619)
    }
    hash = Math.imul(hash ^ (hash >>> 16), 0x85eb_ca6b)
    hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2_ae35)
    return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32
  }
}

/** Returns the element of a list at a draw. Throws a RangeError for an empty list. */
export function pick<Value>(draw: number, values: readonly Value[]): Value {
  const value = values[Math.min(values.length - 1, Math.floor(draw * values.length))]
  if (value === undefined) throw new RangeError('There is nothing to choose from.')
  return value
}

/** Returns a list that begins at a draw and goes around. */
export function rotate<Value>(values: readonly Value[], draw: number): readonly Value[] {
  const start = Math.floor(draw * values.length)
  return [...values.slice(start), ...values.slice(0, start)]
}

/** Returns a whole number between two bounds, both included. */
export function between(draw: number, least: number, most: number): number {
  return Math.min(most, least + Math.floor(draw * (most - least + 1)))
}
