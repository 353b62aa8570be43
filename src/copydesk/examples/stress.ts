import { type Changes, changePayload } from '../../insight/change-payload.js'
import { type HealthDetailPayload, validate } from '../../insight/index.js'
import type { Variant } from '../../payload-files/render-payloads.js'

/** Integers that languages inflect differently: 1, 21 and 31 end alike, 11 does not; 0 may have words of its own. */
const numbers = [0, 1, 2, 5, 11, 21, 31] as const

const names: readonly (readonly [words: string, name: string])[] = [
  ['name of 40 letters', 'Maximiliana Wolfeschlegelsteinhausenburg'],
  ['name of 40 signs in Chinese', '小满'.repeat(20)],
  ['name of 40 letters without a space', 'W'.repeat(40)],
  ['name like a pattern', "{name} '' # {0, plural, other {x}}"],
  ['name like markup', '<b onclick="x">&amp;</b> `*_[x](y)'],
  ['name from right to left', 'ميشو'],
  ['name of one emoji', '👩🏽‍🚀'],
  ['name of accents', 'Z̤̈á̧l̈ģ̈ö̂'],
]

const counts: readonly (readonly [words: string, pages: RegExp, path: string])[] = [
  ['wakes', /^rest day/, '/metrics/night/interruptions/count'],
  ['barks', /^bark day/, '/metrics/barkEventCount'],
  ['barks a day', /^bark (week|month)/, '/metrics/averageDailyBarkEventCount'],
  ['in a row', / day$/, '/insightContext/comparison/consecutiveUnusualDays'],
  ['minutes', /^activity day/, '/metrics/activityTime/activityMinutes'],
  ['minutes', /^rest day/, '/metrics/night/nightRest/minutes'],
  ['seconds', /^bark day/, '/metrics/barkDurationSeconds'],
]

const percents = [0, 1000, -99]

/** Returns the valid variants of a payload whose texts are hard to lay out, and to get right: for example, a week cannot have 31 unusual days. */
export function stressPayload(payload: HealthDetailPayload): readonly Variant[] {
  return listStressed(payload).filter(({ payload: stressed }) => validate(stressed).errors.length === 0)
}

/**
 * Returns the variants of a payload with difficult names, with each count at each of `numbers`, and with changes of 0 % and
 * 1000 %, whether they are valid or not.
 */
export function listStressed(payload: HealthDetailPayload): readonly Variant[] {
  const page = `${payload.metric} ${payload.viewWindow}`
  const stress = (words: string, changes: Changes): Variant => ({ words, payload: changePayload(payload, changes) })
  return [
    ...names.map(([words, name]) => stress(words, { '/petProfile/name': name })),
    ...counts.flatMap(([words, pages, path]) =>
      pages.test(page) ? numbers.map((number) => stress(`${words} ${number}`, { [path]: number })) : [],
    ),
    ...stressProgress(payload).map(([words, changes]) => stress(words, changes)),
    ...stressDays(payload).map(([words, changes]) => stress(words, changes)),
    ...(payload.viewWindow === 'day'
      ? []
      : percents.map((percent) =>
          stress(`change ${percent} %`, { '/insightContext/comparison/changePercent': percent }),
        )),
  ]
}

/** Varies the progress towards a personal range, which a text states only before there is a range. */
function stressProgress({ viewWindow }: HealthDetailPayload): (readonly [string, Changes])[] {
  if (viewWindow !== 'day') return []
  return numbers
    .filter((number) => number > 0)
    .flatMap((requiredDays) =>
      [0, requiredDays - 1].map((validDays) => [
        `progress ${validDays} of ${requiredDays}`,
        { '/insightContext/baselineProgress': { validDays, requiredDays } },
      ]),
    )
}

/** Varies the rated, unusual, low and high days or nights of a week or month. */
function stressDays({ metric, suppliedJudgment, viewWindow }: HealthDetailPayload): (readonly [string, Changes])[] {
  if (viewWindow === 'day' || suppliedJudgment == null || suppliedJudgment.rating === null) return []
  const [rated, unusual] = metric === 'rest' ? ['ratedNights', 'lowRestDays'] : ['judgedDays', 'unusualDays']
  return numbers.flatMap((number) => [
    [`rated ${number}`, { [`/suppliedJudgment/${rated}`]: number }] as const,
    [
      `unusual ${number}`,
      {
        [`/suppliedJudgment/${unusual}`]: number,
        '/insightContext/comparison/unusualLowDays': number,
        '/insightContext/comparison/unusualHighDays': 0,
      },
    ] as const,
  ])
}
