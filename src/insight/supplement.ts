import { sayDuration } from './clause-words.js'
import type { Condition } from './conditions.js'
import type { Decision } from './decide.js'
import type { Facts } from './facts.js'
import { roundHalfUp } from './format.js'
import type { Say } from './say.js'

/** A device worn for less than this part of the night may have missed some rest. */
const enoughWear = 0.6

/**
 * A text that may follow the sentence: the first whose conditions all hold, at most one. Source: health detail
 * contract, 2.5.
 */
export interface Supplement {
  readonly name: string
  readonly when: readonly Condition<readonly [facts: Facts, decision: Decision]>[]
  readonly render: (facts: Facts, decision: Decision, say: Say) => string
}

type SupplementCondition = Supplement['when'][number]

const notRated: SupplementCondition = {
  holds: ({ judgment }) => judgment?.rating === undefined,
  yes: 'there is no rating',
  no: 'there is a rating',
}

export const supplements: readonly Supplement[] = [
  {
    name: 'advice',
    when: [
      {
        holds: ({ family, species }) => family !== 'bark' || species === 'dog',
        yes: 'the page is not about the barking of a cat',
        no: 'the page is about the barking of a cat',
      },
      {
        holds: (_facts, { scenario }) => scenario.advice !== undefined,
        yes: 'this sentence has advice',
        no: 'this sentence has no advice',
      },
      {
        holds: (_facts, { status }) => status === 'attention',
        yes: 'the status is attention',
        no: 'the status is not attention',
      },
      {
        holds: ({ judgment }) => judgment?.isDeteriorating !== false,
        yes: 'deteriorating is not false',
        no: 'deteriorating is false',
      },
    ],
    render: (_facts, { scenario }, say) => say(scenario.advice ?? ''),
  },
  {
    name: 'baselineProgress',
    when: [
      { holds: ({ window }) => window === 'day', yes: 'the page shows a day', no: 'the page shows no day' },
      notRated,
      {
        holds: ({ comparison }) => comparison.usualUpper === undefined,
        yes: 'no usual range was sent',
        no: 'a usual range was sent',
      },
      {
        holds: ({ baselineProgress }) => baselineProgress !== undefined,
        yes: 'baselineProgress is under way',
        no: 'no baselineProgress was sent that is under way',
      },
    ],
    render: ({ baselineProgress }, _decision, say) => say('BASELINE_PROGRESS', { ...baselineProgress }),
  },
  {
    name: 'wearHint',
    when: [
      {
        holds: ({ family, mode, window }) => family === 'rest' && window === 'day' && mode !== 'today_so_far',
        yes: 'the page shows a night that is over',
        no: 'the page does not show a night that is over',
      },
      notRated,
      {
        holds: ({ nightMinutes, wearingMinutes }) =>
          wearingMinutes !== undefined && wearingMinutes < enoughWear * nightMinutes,
        yes: 'the device was worn for less than 60% of the night',
        no: 'the device was worn for 60% of the night or more, or it was not sent for how long',
      },
      {
        holds: ({ main = 0, wearingMinutes = 0 }) => roundHalfUp(main) <= roundHalfUp(wearingMinutes),
        yes: 'the rest that was recorded fits into the time worn',
        no: 'more rest was recorded than the time worn',
      },
    ],
    render: ({ wearingMinutes = 0 }, _decision, say) =>
      say('WEAR_HINT', {
        worn: roundHalfUp(wearingMinutes) === 0 ? 'no' : 'yes',
        wearing: sayDuration(wearingMinutes, say),
      }),
  },
]

/** The supplement of an answer, or undefined. */
export function findSupplement(facts: Facts, decision: Decision): Supplement | undefined {
  return supplements.find(({ when }) => when.every(({ holds }) => holds(facts, decision)))
}
