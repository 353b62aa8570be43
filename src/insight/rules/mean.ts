/** The value of a day or night, or null. */
export type Value = number | null

/** An average rounded to a whole number over facts rounded to whole numbers is off by at most 1. */
export const tolerance = 1
/** Sums of decimal fractions are off by a little; a difference of exactly the tolerance still agrees. */
const noise = 1e-9

/** Checks whether a number lies between two means, or is off by as much as is allowed at each. */
export function isBetween(
  found: number,
  lowest: number,
  highest: number,
  allowedAt: (mean: number) => number,
): boolean {
  return found >= lowest - allowedAt(lowest) - noise && found <= highest + allowedAt(highest) + noise
}

/** Checks whether a number is a mean, within the tolerance. */
export function agrees(found: number, mean: number | undefined): boolean {
  return mean !== undefined && Math.abs(found - mean) <= tolerance + noise
}

/** Mean of the first `count` values that are known; `undefined` if no value is known. */
export function meanOf(values: readonly Value[], count = values.length): number | undefined {
  let sum = 0
  let known = 0
  for (let index = 0; index < count && index < values.length; index++) {
    const value = values[index]
    if (value === null || value === undefined) continue
    sum += value
    known++
  }
  return known === 0 ? undefined : sum / known
}

/** Counts the known values among the first `count`. */
export function countValues(values: readonly Value[], count = values.length): number {
  let known = 0
  for (let index = 0; index < count && index < values.length; index++) if (values[index] !== null) known++
  return known
}
