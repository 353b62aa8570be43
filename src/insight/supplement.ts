import { type Say, sayDuration } from './clauses.js'
import type { Decision } from './decide.js'
import type { Facts } from './facts.js'

/** A device worn for less than this part of the night may have missed some rest. */
const enoughWear = 0.6

/** What may follow the sentence: the first that applies, at most one. Source: health detail contract, 2.5. */
export interface Supplement {
  readonly name: string
  readonly shownWhen: string
  readonly applies: (facts: Facts, decision: Decision) => boolean
  readonly render: (facts: Facts, decision: Decision, say: Say) => string
}

const isRated = ({ judgment }: Facts) => judgment?.rating !== undefined

export const supplements: readonly Supplement[] = [
  {
    name: 'advice',
    shownWhen: 'the status is attention, the scenario has advice and deteriorating is not false',
    applies: ({ judgment }, { scenario, status }) =>
      scenario.advice !== undefined && status === 'attention' && judgment?.isDeteriorating !== false,
    render: (_facts, { scenario }, say) => say(scenario.advice ?? ''),
  },
  {
    name: 'baselineProgress',
    shownWhen: 'a day or today is not rated, no usualUpper was sent, and baselineProgress is still under way',
    applies: (facts, { scenario }) =>
      scenario.advice === undefined &&
      facts.window === 'day' &&
      !isRated(facts) &&
      facts.comparison.usualUpper === undefined &&
      facts.baselineProgress !== undefined,
    render: ({ baselineProgress }, _decision, say) => say('BASELINE_PROGRESS', { ...baselineProgress }),
  },
  {
    name: 'wearHint',
    shownWhen: 'a past night is not rated and the device was worn for less than 60 % of it',
    applies: (facts) =>
      facts.family === 'rest' &&
      facts.window === 'day' &&
      facts.mode !== 'today_so_far' &&
      !isRated(facts) &&
      facts.wearingMinutes !== undefined &&
      facts.wearingMinutes < enoughWear * facts.nightMinutes,
    render: ({ wearingMinutes }, _decision, say) =>
      say('WEAR_HINT', { wearing: sayDuration(wearingMinutes ?? 0, say) }),
  },
]

/** The supplement of an answer, or undefined. */
export function findSupplement(facts: Facts, decision: Decision): Supplement | undefined {
  return supplements.find((supplement) => supplement.applies(facts, decision))
}
