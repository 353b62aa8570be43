import type { Explanation } from '../../insight/types.js'
import { writeDate } from './words.js'

type Fact = Explanation['facts'][number]

/** Describes a fact in the words of the review page, whose readers do not know the fields of a request. */
export function describeFact({ name, path = '', value }: Fact): { readonly name: string; readonly value: string } {
  const words = factWords[path]
  return { name: words?.name ?? name, value: words?.value?.(value) ?? plainValues[value] ?? value }
}

const plainValues: Readonly<Record<string, string>> = {
  null: 'none yet',
  'none: no suppliedJudgment was sent': 'none',
}

const pages: Readonly<Record<string, string>> = {
  today_so_far: ', today so far',
  last_night: ', last night',
  selected_window: '',
}

const factors: Readonly<Record<string, string>> = {
  duration: 'short rest',
  interruptions: 'waking often',
  nightActivity: 'moving much',
  longestRestBlock: 'no long stretch of rest',
}

const factWords: Readonly<
  Record<string, { readonly name: string; readonly value?: (value: string) => string } | undefined>
> = {
  '/insightContext/mode': {
    name: 'page',
    value: (value) => {
      const [, window = '', date = '', mode = ''] = /^(\w+) from ([\d-]+), (\w+)$/.exec(value) ?? []
      return `${window === 'day' ? '' : `${window} from `}${writeDate(date)}${pages[mode] ?? ''}`
    },
  },
  '/insightContext/asOf': { name: 'seen on', value: writeDate },
  '/insightContext/observedThrough': {
    name: 'latest report at',
    value: (value) => `${Math.floor(Number(value) / 60)}:${String(Number(value) % 60).padStart(2, '0')}`,
  },
  '/suppliedJudgment/direction': {
    name: 'direction',
    value: (value) => ({ '-1': 'down', '0': 'neither', '1': 'up' })[value] ?? value,
  },
  '/suppliedJudgment/deteriorating': { name: 'counts as worse', value: () => 'no' },
  '/insightContext/comparison/restRatingFactors': {
    name: 'reasons for the rating',
    value: (value) =>
      value
        .split(', ')
        .map((factor) => factors[factor] ?? factor)
        .join(', '),
  },
}
