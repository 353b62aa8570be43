import {
  decimalsOf,
  hasBarks,
  hasChange,
  isSilent,
  readBounds,
  readLimit,
  readPrintedSide,
  readRatedSide,
  toPrintedMinutes,
} from './clause-words.js'
import type { Facts } from './facts.js'
import { roundHalfUp, roundsToSameText } from './format.js'
import { hasFewRecords } from './situation.js'

/** Something that must hold for a part of the text to be shown, in plain words for both cases. */
export interface Condition<Given extends readonly unknown[] = readonly [facts: Facts]> {
  readonly holds: (...given: Given) => boolean
  readonly yes: string | ((...given: Given) => string)
  readonly no: string
}

export const mainKnown: Condition = {
  holds: ({ main }) => main !== undefined,
  yes: 'the number of the page is known',
  no: 'the number of the page is not known',
}
export const someBarking: Condition = {
  holds: (facts) => facts.main !== undefined && !isSilent(facts),
  yes: 'a bark duration was sent, and it or the count of barks is above 0',
  no: 'no bark duration was sent, or neither it nor the count of barks is above 0',
}
export const someBarks: Condition = {
  holds: hasBarks,
  yes: 'a count of barks was sent',
  no: 'no count of barks above 0 was sent',
}
export const someActivity: Condition = {
  holds: ({ main }) => main !== 0,
  yes: 'there was activity',
  no: 'there was no activity',
}
export const wakesSent: Condition = {
  holds: ({ eventCount }) => eventCount !== undefined,
  yes: 'interruptions.count was sent',
  no: 'interruptions.count was not sent',
}
/** A pet that did not rest had nothing to wake from, and did not sleep well or poorly for so many minutes. */
export const someRest: Condition = {
  holds: ({ main }) => main !== undefined && roundHalfUp(main) > 0,
  yes: 'there was rest to wake from',
  no: 'there was no rest to wake from',
}
/** Ranges are personal only. Source: health detail contract, 2.2.1. */
export const basisIsPersonal: Condition = {
  holds: ({ comparison }) => comparison.basis === 'none',
  yes: 'the page is not rated by breed or general values',
  no: 'the page is rated by breed or general values, and a usual range is personal',
}
export const rangeSent: Condition = {
  holds: (facts) => readBounds(facts) !== undefined,
  yes: 'usualLower and usualUpper were sent',
  no: 'usualLower and usualUpper were not both sent, the lower one first',
}
/** The caller's rating is kept: 4 h 50 min "more than its usual range (3 h-5 h)" would contradict it. */
export const rangeFitsVerdict: Condition = {
  holds: (facts) => facts.main === undefined || readPrintedSide(facts) === readRatedSide(facts),
  yes: 'the value and the bounds, as they are printed, agree with the rating',
  no: 'the value and the bounds, as they are printed, do not agree with the rating',
}
/** "3 h-3 h" is not a range. */
export const boundsTellApart: Condition = {
  holds: (facts) => {
    const [lower, upper] = readBounds(facts) ?? []
    return lower === undefined || upper === undefined || !roundsToSameText(lower, upper, decimalsOf(facts))
  },
  yes: 'the bounds differ',
  no: 'the two bounds are the same when they are rounded',
}
export const limitSent: Condition = {
  holds: (facts) => readLimit(facts) !== undefined,
  yes: 'usualUpper was sent',
  no: 'no usualUpper above 0 was sent',
}
/** 901 s above a limit of 900 would read "about 15 min, more than usual (usually not above about 15 min a day)". */
export const limitBelowDuration: Condition = {
  holds: (facts) => {
    const { main } = facts
    return main === undefined || toPrintedMinutes(main) > toPrintedMinutes(readLimit(facts) ?? 0)
  },
  yes: 'the duration is above it',
  no: 'the duration is not above it when both are rounded',
}
export const limitAboveDuration: Condition = {
  holds: (facts) => toPrintedMinutes(facts.main ?? 0) <= toPrintedMinutes(readLimit(facts) ?? 0),
  yes: 'the duration is not above it',
  no: 'the duration is above it when both are rounded',
}
export const streakSent: Condition = {
  holds: ({ comparison }) => (comparison.consecutiveUnusualDays ?? 0) >= 2,
  yes: 'consecutiveUnusualDays is 2 or more',
  no: 'consecutiveUnusualDays is not 2 or more',
}
export const factorsSent: Condition = {
  holds: ({ comparison }) => comparison.restRatingFactors.length > 0,
  yes: 'restRatingFactors names it',
  no: 'restRatingFactors names nothing',
}
export const fewOrChanged: Condition = {
  holds: (facts) => hasFewRecords(facts) || hasChange(facts),
  yes: (facts) => (hasFewRecords(facts) ? 'few days or nights have records' : 'changePercent was sent'),
  no: 'enough days or nights have records, and no change was sent that could be told',
}
