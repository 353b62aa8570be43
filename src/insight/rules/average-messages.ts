import { describeNumber } from '../describe-value.js'
import type { Average } from './average-places.js'
import { tolerance } from './mean.js'
import type { ViolationDetails } from './rule.js'

/**
 * Says that an average is not the mean of its days or nights; `whose` are they, with their verb, and `allowed` is how far
 * it may be off.
 */
export function disagrees(
  average: Average,
  found: number,
  whose: string,
  mean: number,
  allowed: number = tolerance,
): ViolationDetails {
  const [actual, expected] = [describeNumber(found), describeNumber(mean)]
  const message = `${average.label} is ${actual}, but ${whose} ${expected}; within ${describeNumber(allowed)} of that was expected.`
  return { path: pathOf(average), message, expected, actual }
}

/** Says that there is nothing that an average could be made from. */
export function withoutDays(average: Average, found: number): ViolationDetails {
  const actual = describeNumber(found)
  return {
    path: pathOf(average),
    message: `${average.label} is ${actual}, but no finished day or night has records to make it from; it must be null.`,
    expected: 'null',
    actual,
  }
}

const pathOf = ({ block, name }: Average) => (block === undefined ? `/metrics/${name}` : `/metrics/${block}/${name}`)
