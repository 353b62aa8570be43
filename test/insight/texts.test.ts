import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { loadInsightCopy } from '../../src/catalog/catalog.js'
import { generate, locales, scenarios, validate } from '../../src/insight/index.js'
import { insightFixtures } from '../helpers/fixtures.js'
import { assertGolden } from '../helpers/golden.js'
import { buildPayload, changePayload } from '../helpers/payloads.js'

const texts = suite('insight texts')
const copy = await loadInsightCopy()
const comparison = (member: string) => `/insightContext/comparison/${member}`

for (const { name, payload, scenario } of insightFixtures) {
  texts(`${name} is valid without a warning and gets its scenario`, () => {
    assert.equal(validate(payload), { errors: [], warnings: [] })
    assert.is(generate(payload, { copy }).scenario, scenario)
  })
}

texts('every scenario has a fixture of its own name', () => {
  const names = new Set(insightFixtures.map(({ name }) => name))
  assert.equal(
    scenarios.map(({ id }) => id).filter((id) => !names.has(id)),
    [],
  )
})

texts('the texts of all fixtures in all languages are the approved ones', () => {
  const lines = insightFixtures.flatMap(({ name, payload }) => {
    const { generation, status } = generate(payload, { copy })
    const paragraphs = locales.map((locale) => `  ${locale}  ${generate(payload, { copy, locale }).summary}`)
    return [`${name}: ${status}, ${generation.ruleId}`, ...paragraphs]
  })
  assertGolden('insight-texts.txt', `${lines.join('\n')}\n`)
})

texts('a text is one paragraph of one or two sentences without leftovers', () => {
  for (const { name, payload } of insightFixtures) {
    for (const locale of locales) {
      const { summary } = generate(payload, { copy, locale })
      assert.not.match(summary, /[{}#]|undefined|null|NaN|\s{2}|\s[,.;]|，，|。。|^\s|\s$|\n/, `${name} ${locale}`)
      const ends = summary.match(locale === 'zh-CN' ? /。/g : /\.(?= |$)/g) ?? []
      assert.ok(ends.length === 1 || ends.length === 2, `${name} ${locale} has ${ends.length} sentences: ${summary}`)
      assert.match(summary, locale === 'zh-CN' ? /。$/ : /\.$/)
    }
  }
})

/** The shapes that the contract shows, word for word. Source: health detail contract, 2.6.7. */
const day = { metric: 'activity', viewWindow: 'day', name: 'Rex', timezone: 'America/New_York' } as const
const week = { metric: 'activity', viewWindow: 'week', name: 'Rex', asOf: '2026-10-17T10:00' } as const
const ranges = { usualLower: 180, usualUpper: 300 }
const shapes: readonly (readonly [string, Parameters<typeof buildPayload>[0], Record<string, unknown>, string])[] = [
  [
    'activity, today, below goal',
    { ...day, mode: 'today_so_far', judgment: null },
    { '/metrics/activityTime/activityMinutes': 210, '/metrics/activityTime/activityMinutesGoal': 300 },
    'As of 4:05 PM, Rex has been active for 3 h 30 min today, 1 h 30 min short of its 5 h daily goal.',
  ],
  [
    'activity, today, goal met',
    { ...day, mode: 'today_so_far', judgment: null },
    { '/metrics/activityTime/activityMinutes': 300.5, '/metrics/activityTime/activityMinutesGoal': 300 },
    'As of 4:05 PM, Rex has been active for 5 h 1 min today, already meeting its 5 h daily goal.',
  ],
  [
    'activity, past day, high',
    { ...day, rating: 'high', attentionDays: 1, comparison: ranges },
    { '/metrics/activityTime/activityMinutes': 372 },
    'On October 14, Rex was active for 6 h 12 min, more than its usual range (3 h-5 h). Make time for calm breaks and keep fresh water within reach.',
  ],
  [
    'activity, past day, in range',
    { ...day, comparison: ranges },
    {},
    'On October 14, Rex was active for 3 h 30 min, within its usual range (3 h-5 h).',
  ],
  [
    'activity, week, mixed low and high days',
    {
      ...week,
      rating: 'fluctuating',
      attentionDays: 2,
      comparison: { changePercent: 6, unusualLowDays: 1, unusualHighDays: 1 },
    },
    {},
    'This week, Rex was less active than usual on 1 day and more active on 1 day, averaging 3 h 50 min a day, 6% more than last week. Keeping play and rest at similar times each day can help it settle into an even rhythm.',
  ],
  [
    'activity, week, all judged days in range',
    { ...week, comparison: { changePercent: 12.4 } },
    {},
    "This week, Rex's activity stayed within its usual range on all 5 days, averaging 3 h 50 min a day, 12% more than last week.",
  ],
  [
    'activity, week, few days with records',
    { ...week, asOf: '2026-10-14T10:00', judgment: null, comparison: { changePercent: 12.4 } },
    {},
    'This week, Rex averaged 3 h 39 min of activity a day (only 2 days with records).',
  ],
  [
    'activity, month, low days',
    {
      metric: 'activity',
      viewWindow: 'month',
      name: 'Rex',
      rating: 'low',
      attentionDays: 1,
      comparison: { changePercent: -9, unusualLowDays: 1, unusualHighDays: 0 },
    },
    {},
    'That month, Rex was less active than usual on 1 day, averaging 4 h a day, 9% less than the month before. A little extra gentle play can help it stay active.',
  ],
  [
    'rest, last night, Poor, 2 consecutive',
    {
      metric: 'rest',
      viewWindow: 'day',
      name: 'Rex',
      mode: 'last_night',
      rating: 'Poor',
      attentionDays: 1,
      comparison: { restRatingFactors: ['duration'], consecutiveUnusualDays: 2 },
    },
    { '/metrics/night/nightRest/minutes': 278, '/metrics/night/interruptions/count': 7 },
    'Last night, Rex rested 4 h 38 min, woke 7 times, and slept poorly mainly because rest was shorter than usual, already 2 nights in a row. A quiet, dark corner and a calm evening can help it rest better.',
  ],
  [
    'bark, past day, frequent',
    {
      metric: 'bark',
      viewWindow: 'day',
      name: 'Rex',
      rating: 'frequent',
      attentionDays: 1,
      comparison: { usualUpper: 900 },
    },
    { '/metrics/barkDurationSeconds': 2460, '/metrics/barkEventCount': 47 },
    'On October 14, Rex barked about 41 min (47 times), clearly more than usual (usually not above about 15 min a day). Notice what sets it off, such as noises outside or time alone, and offer some quiet company.',
  ],
]

for (const [title, options, changes, expected] of shapes) {
  texts(`says what the contract shows: ${title}`, () => {
    const payload = changePayload(buildPayload(options), changes)
    assert.equal(validate(payload).errors, [])
    assert.is(generate(payload, { copy, locale: 'en-US' }).summary, expected)
  })
}

const names = [
  '{name}',
  "O''Malley",
  "L'Été",
  '#1',
  '<b>Max</b>',
  '&amp; Co',
  '100% Rex',
  '小满',
  'usual',
  '$&',
  '  ',
  '"',
]
for (const name of names) {
  texts(`says the name ${JSON.stringify(name)} unchanged`, () => {
    for (const { metric, viewWindow } of [
      { metric: 'activity', viewWindow: 'week' },
      { metric: 'bark', viewWindow: 'day' },
      { metric: 'hr', viewWindow: 'day' },
    ] as const) {
      for (const locale of locales) {
        const { summary } = generate(buildPayload({ metric, viewWindow, name }), { copy, locale })
        const plain = generate(buildPayload({ metric, viewWindow, name: 'PET' }), { copy, locale }).summary
        assert.is(
          summary,
          plain.replace('PET', () => name),
        )
      }
    }
  })
}

texts('ends a sentence once where a name ends in a full stop', () => {
  for (const name of ['Toby Jr.', 'Hmm...', '$&.']) {
    const payload = changePayload(buildPayload({ metric: 'bark', viewWindow: 'day', name, judgment: null }), {
      '/metrics/barkDurationSeconds': null,
    })
    const say = (locale: 'en-US' | 'zh-CN') => generate(payload, { copy, locale }).summary
    assert.is(say('en-US'), `On October 14, there were not enough barking records to show a figure for ${name}`)
    assert.match(say('zh-CN'), `${name}的吠叫记录不足，`)
  }
})

texts('omits the advice of a day that does not count as worse, and states only', () => {
  const payload = buildPayload({
    metric: 'activity',
    viewWindow: 'day',
    rating: 'high',
    attentionDays: 1,
    deteriorating: false,
  })
  const { severity, status, summary } = generate(payload, { copy })
  assert.equal([status, severity], ['observation', 'none'])
  assert.not.match(summary, 'calm breaks')
})

texts('omits the advice of a week that does not count as worse, and keeps attention', () => {
  const payload = buildPayload({
    metric: 'bark',
    viewWindow: 'week',
    rating: 'frequent',
    attentionDays: 2,
    deteriorating: false,
  })
  const { severity, status, summary } = generate(payload, { copy })
  assert.equal([status, severity], ['attention', 'low'])
  assert.not.match(summary, 'sets it off')
})

texts('names at most two factors and skips unknown ones', () => {
  const say = (restRatingFactors: string[]) =>
    generate(
      buildPayload({
        metric: 'rest',
        viewWindow: 'day',
        rating: 'Poor',
        attentionDays: 1,
        comparison: { restRatingFactors },
      }),
      { copy },
    ).summary
  assert.match(
    say(['constructor', 'duration', 'interruptions', 'nightActivity']),
    'because rest was shorter than usual and it woke more often than usual.',
  )
  assert.not.match(say(['somethingNew', '__proto__']), 'because')
})

const restless = [
  { mode: 'today_so_far', rating: null },
  { mode: 'last_night', rating: null },
  { mode: 'last_night', rating: 'Poor', attentionDays: 1 },
] as const
for (const [minutes, wakes] of [
  [0, 0],
  [0.4, 0],
  [0, 3],
] as const) {
  texts(`says nothing of ${wakes} wakes in ${minutes} minutes of rest`, () => {
    for (const options of restless) {
      const night = changePayload(buildPayload({ metric: 'rest', viewWindow: 'day', name: 'Rex', ...options }), {
        '/metrics/night/nightRest/minutes': minutes,
        '/metrics/night/interruptions/count': wakes,
      })
      assert.equal(validate(night).errors, [])
      assert.not.match(generate(night, { copy, locale: 'en-US' }).summary, /wake|woke/)
      assert.not.match(generate(night, { copy, locale: 'es' }).summary, 'despert')
      assert.not.match(generate(night, { copy, locale: 'zh-CN' }).summary, '醒')
    }
  })
}

texts('never tells a vital or the rest of a week as 0', () => {
  const zero = { value: 0, sampleCount: 0 }
  const day = buildPayload({ metric: 'hr', viewWindow: 'day', name: 'Rex', comparison: null })
  assert.is(
    sayAll(changePayload(day, { '/metrics/nightRestHrAverage': zero, '/metrics/allDayRestHrAverage/value': 74 })).en,
    "On October 14, Rex's resting heart rate was 74 beats per minute, within its usual range.",
  )
  assert.is(
    sayAll(changePayload(day, { '/metrics/nightRestHrAverage': zero, '/metrics/allDayRestHrAverage': zero })).en,
    "On October 14, Rex's resting heart rate was within its usual range.",
  )
  const week = buildPayload({ metric: 'rest', viewWindow: 'week', name: 'Rex', comparison: { changePercent: 4 } })
  assert.equal(sayAll(changePayload(week, { '/metrics/nightRest/averageMinutes': 0 })), {
    en: "That week, Rex's rest stayed within its usual range on all 7 nights.",
    es: 'Esa semana, el descanso de Rex se mantuvo dentro de su rango habitual las 7 noches.',
    zh: '那一周，Rex的夜间休息7晚都保持在平时范围内。',
  })
})

texts('says 0 minutes of rest only of a night that may have been so', () => {
  const say = (rating: string) =>
    sayAll(
      changePayload(
        buildPayload({ metric: 'rest', viewWindow: 'day', mode: 'last_night', name: 'Rex', rating, attentionDays: 0 }),
        { '/metrics/night/nightRest/minutes': 0, '/metrics/night/interruptions/count': 0 },
      ),
    ).en
  assert.is(say('Good'), 'Last night, Rex slept well.')
  assert.is(say('Fair'), 'Last night, Rex slept only fairly well.')
  assert.match(say('Poor'), /^Last night, Rex rested 0 min and slept poorly\b/)
})

texts('tells wakes from a minute of rest on', () => {
  const night = changePayload(
    buildPayload({ metric: 'rest', viewWindow: 'day', name: 'Rex', rating: 'Poor', attentionDays: 1 }),
    {
      '/metrics/night/nightRest/minutes': 0.5,
      '/metrics/night/interruptions/count': 0,
    },
  )
  assert.match(generate(night, { copy }).summary, 'Rex rested 1 min, did not wake, and slept poorly')
})

texts('states consecutive days from 2 on only', () => {
  const say = (consecutiveUnusualDays: number) =>
    generate(
      buildPayload({
        metric: 'hr',
        viewWindow: 'day',
        rating: 'high',
        attentionDays: 1,
        comparison: { consecutiveUnusualDays },
      }),
      { copy },
    ).summary
  assert.not.match(say(1), 'in a row')
  assert.match(say(2), 'already 2 days in a row')
})

const percents = [
  [-22.4, '22% less than'],
  [12.5, '13% more than'],
  [-12.5, '13% less than'],
  [0.49, 'about the same as'],
  [-0.49, 'about the same as'],
  [0, 'about the same as'],
  [-0, 'about the same as'],
  [1000, '1000% more than'],
] as const
for (const [changePercent, expected] of percents) {
  texts(`says a change of ${Object.is(changePercent, -0) ? '-0' : changePercent} percent as "${expected}"`, () => {
    const payload = changePayload(buildPayload({ metric: 'activity', viewWindow: 'week' }), {
      [comparison('changePercent')]: changePercent,
    })
    assert.match(generate(payload, { copy }).summary, expected)
  })
}

texts('says "less than 1 min" for a few seconds of barking, and never of a limit', () => {
  const payload = buildPayload({ metric: 'bark', viewWindow: 'day', comparison: { usualUpper: 12 } })
  const { summary } = generate(changePayload(payload, { '/metrics/barkDurationSeconds': 29 }), { copy })
  assert.match(summary, 'barked less than 1 min (14 times)')
  assert.match(summary, 'not above about 1 min a day')
})

/** Weeks and months without barking: averages, days with records and rating; then what is said. */
const silence = { en: 'That week, Rex did not bark.', zh: '那一周，Rex没有吠叫。', es: 'Esa semana, Rex no ladró.' }
const barkPeriods: readonly (readonly [
  title: string,
  options: Partial<Parameters<typeof buildPayload>[0]>,
  average: number | null,
  barks: number | null,
  expected: { readonly en: string; readonly zh: string; readonly es: string },
])[] = [
  ['a calm week', {}, 0, 0, silence],
  ['a calm week without a count', {}, 0, null, silence],
  ['a calm week in which 4 days are rated', { count: 4 }, 0, 0, silence],
  ['a week rated active without an unusual day', { rating: 'active' }, 0, 0, silence],
  ['a week that is not rated', { rating: null }, 0, 0, silence],
  [
    'a calm week so far',
    { asOf: '2026-10-16T10:00' },
    0,
    0,
    { en: 'This week, Rex did not bark.', zh: '本周，Rex没有吠叫。', es: 'Esta semana, Rex no ladró.' },
  ],
  [
    'a calm month',
    { viewWindow: 'month' },
    0,
    0,
    { en: 'That month, Rex did not bark.', zh: '那个月，Rex没有吠叫。', es: 'Ese mes, Rex no ladró.' },
  ],
  [
    'a calm week with barks too short to measure',
    {},
    0,
    2,
    {
      en: 'That week, Rex averaged less than 1 min of barking a day (2 times) and did not bark clearly more than usual on any of the 7 days.',
      zh: '那一周，Rex平均每天吠叫不到1分钟（2次），在7天中没有一天吠叫明显比平时多。',
      es: 'Esa semana, Rex promedió menos de 1 min de ladridos al día (2 veces) y no ladró claramente más de lo habitual en ninguno de los 7 días.',
    },
  ],
  [
    'a week that is not rated, with barks too short to measure',
    { rating: null },
    0,
    0.3,
    {
      en: 'That week, Rex averaged less than 1 min of barking a day (less than once).',
      zh: '那一周，Rex平均每天吠叫不到1分钟（不到1次）。',
      es: 'Esa semana, Rex promedió menos de 1 min de ladridos al día (menos de una vez).',
    },
  ],
  [
    'a week with unusual days, whose average says nothing',
    { rating: 'frequent', attentionDays: 2, deteriorating: false },
    0,
    0,
    {
      en: 'That week, Rex barked clearly more than usual on 2 of 7 days.',
      zh: '那一周，Rex在7天中有2天吠叫明显比平时多。',
      es: 'Esa semana, Rex ladró claramente más de lo habitual en 2 de los 7 días.',
    },
  ],
  [
    'a calm week without an average',
    {},
    null,
    null,
    {
      en: 'That week, Rex did not bark clearly more than usual on any of the 7 days.',
      zh: '那一周，Rex在7天中没有一天吠叫明显比平时多。',
      es: 'Esa semana, Rex no ladró claramente más de lo habitual en ninguno de los 7 días.',
    },
  ],
]
for (const [title, options, average, barks, expected] of barkPeriods) {
  texts(`says of ${title}, average ${average} s, ${barks} barks: "${expected.en}"`, () => {
    const comparison = { changePercent: -100 }
    const payload = changePayload(
      buildPayload({ metric: 'bark', viewWindow: 'week', name: 'Rex', comparison, ...options }),
      {
        '/metrics/averageDailyBarkDurationSeconds': average,
        '/metrics/averageDailyBarkEventCount': barks,
        '/metrics/barkEventCount': undefined,
        '/metrics/dailyBarkDurations': undefined,
      },
    )
    assert.equal(validate(payload).errors, [])
    assert.equal(sayAll(payload), expected)
  })
}

texts('says that a calm week was silent only of enough days with records', () => {
  const { metrics } = buildPayload({ metric: 'bark', viewWindow: 'week' }) as unknown as {
    metrics: { dailyBarkDurations: { date: string }[] }
  }
  const days = (known: number) =>
    metrics.dailyBarkDurations.map(({ date }, index) => ({ date, barkDurationSeconds: index < known ? 0 : null }))
  const say = (known: number, rating: string | null) => {
    const payload = changePayload(buildPayload({ metric: 'bark', viewWindow: 'week', name: 'Rex', rating }), {
      '/metrics/averageDailyBarkDurationSeconds': 0,
      '/metrics/averageDailyBarkEventCount': 0,
      '/metrics/dailyBarkDurations': days(known),
    })
    assert.equal(validate(payload).errors, [])
    return sayAll(payload).en
  }
  assert.is(say(3, 'calm'), 'That week, Rex did not bark.')
  assert.is(say(2, 'calm'), 'That week, Rex did not bark clearly more than usual on any of the 7 days.')
  assert.is(say(2, null), 'That week, Rex did not bark, with records on only 2 days.')
})

texts('says of a day with barks too short to measure that they took less than 1 min', () => {
  for (const [options, expected] of [
    [{}, 'On October 14, Rex barked less than 1 min (4 times), no more than usual.'],
    [{ judgment: null }, 'On October 14, Rex barked less than 1 min (4 times).'],
    [{ judgment: null, mode: 'today_so_far' }, 'As of 4:05 PM, Rex has barked less than 1 min (4 times) today.'],
  ] as const) {
    const day = buildPayload({ metric: 'bark', viewWindow: 'day', name: 'Rex', comparison: null, ...options })
    const payload = changePayload(day, { '/metrics/barkDurationSeconds': 0, '/metrics/barkEventCount': 4 })
    assert.equal(validate(payload).errors, [])
    assert.is(sayAll(payload).en, expected)
  }
})

/** Averages of activity that would be told as 0; then what is said of them. */
const stillPeriods: readonly (readonly [
  average: number,
  options: Partial<Parameters<typeof buildPayload>[0]>,
  expected: { readonly en: string; readonly zh: string; readonly es: string },
])[] = [
  [
    0,
    { rating: null },
    {
      en: 'That week, no activity was recorded for Rex.',
      zh: '那一周没有记录到Rex的活动。',
      es: 'Esa semana no se registró actividad de Rex.',
    },
  ],
  [
    0.4,
    { rating: null },
    {
      en: 'That week, Rex averaged less than 1 min of activity a day, 80% less than the week before.',
      zh: '那一周，Rex平均每天活动不到1分钟，比前一周少80%。',
      es: 'Esa semana, Rex promedió menos de 1 min de actividad al día, un 80% menos que la semana anterior.',
    },
  ],
  [
    0,
    {},
    {
      en: "That week, Rex's activity stayed within its usual range on all 7 days.",
      zh: '那一周，Rex的活动量7天都保持在平时范围内。',
      es: 'Esa semana, la actividad de Rex se mantuvo dentro de su rango habitual los 7 días.',
    },
  ],
  [
    0.4,
    {},
    {
      en: "That week, Rex's activity stayed within its usual range on all 7 days, averaging less than 1 min a day, 80% less than the week before.",
      zh: '那一周，Rex的活动量7天都保持在平时范围内，平均每天活动不到1分钟，比前一周少80%。',
      es: 'Esa semana, la actividad de Rex se mantuvo dentro de su rango habitual los 7 días; el promedio fue de menos de 1 min al día, un 80% menos que la semana anterior.',
    },
  ],
]
for (const [average, options, expected] of stillPeriods) {
  texts(`says of an average of ${average} minutes of activity: "${expected.en}"`, () => {
    const comparison = { changePercent: -80 }
    const payload = changePayload(
      buildPayload({ metric: 'activity', viewWindow: 'week', name: 'Rex', comparison, ...options }),
      {
        '/metrics/activityTime/averageDailyActivityMinutes': average,
        '/metrics/activityTime/dailyActivityMinutes': undefined,
      },
    )
    assert.equal(validate(payload).errors, [])
    assert.equal(sayAll(payload), expected)
  })
}

texts('never gives wakes as the reason of a night without any', () => {
  const say = (wakes: number, restRatingFactors: string[]) =>
    sayAll(
      changePayload(
        buildPayload({
          metric: 'rest',
          viewWindow: 'day',
          name: 'Rex',
          rating: 'Poor',
          attentionDays: 1,
          deteriorating: false,
          comparison: { restRatingFactors },
        }),
        { '/metrics/night/nightRest/minutes': 300, '/metrics/night/interruptions/count': wakes },
      ),
    ).en
  assert.match(say(0, ['interruptions']), 'Rex rested 5 h, did not wake, and slept poorly.')
  assert.match(say(0.4, ['interruptions', 'duration']), 'slept poorly mainly because rest was shorter than usual.')
  assert.match(say(7, ['interruptions']), 'slept poorly mainly because it woke more often than usual.')
})

texts('leaves out a count of barks that rounds to 0, of a day', () => {
  const day = changePayload(buildPayload({ metric: 'bark', viewWindow: 'day', comparison: null }), {
    '/metrics/barkEventCount': 0.3,
  })
  assert.match(sayAll(day).en, /barked about \d+ min, no more than usual\./)
  const today = changePayload(
    buildPayload({ metric: 'bark', viewWindow: 'day', mode: 'today_so_far', comparison: null }),
    { '/metrics/barkEventCount': 0.49 },
  )
  for (const text of Object.values(sayAll(today))) assert.not.match(text, /[(（]/)
  const week = changePayload(buildPayload({ metric: 'bark', viewWindow: 'week' }), {
    '/metrics/averageDailyBarkEventCount': 0.3,
  })
  assert.match(sayAll(week).en, '(less than once)')
})

texts('writes a large count of barks as the language does', () => {
  const day = changePayload(buildPayload({ metric: 'bark', viewWindow: 'day' }), { '/metrics/barkEventCount': 1234 })
  const say = (locale: 'en-US' | 'zh-CN' | 'es') => generate(day, { copy, locale }).summary
  assert.match(say('en-US'), '(1,234 times)')
  assert.match(say('zh-CN'), '（1,234次）')
  assert.match(say('es'), '(1234 veces)')
})

texts('keeps a gap of at least a minute while the goal is not met', () => {
  const payload = changePayload(
    buildPayload({ metric: 'activity', viewWindow: 'day', mode: 'today_so_far', judgment: null }),
    {
      '/metrics/activityTime/activityMinutes': 239.8,
      '/metrics/activityTime/activityMinutesGoal': 240,
    },
  )
  assert.match(generate(payload, { copy }).summary, 'for 3 h 59 min today, 1 min short of its 4 h daily goal')
})

const belowGoals = [
  [239.4, 240, 'for 3 h 59 min today, 1 min short of its 4 h'],
  [240.2, 240.4, 'for 3 h 59 min today, 1 min short of its 4 h'],
  [238.6, 240, 'for 3 h 59 min today, 1 min short of its 4 h'],
  [0.9, 1, 'for 0 min today, 1 min short of its 1 min'],
  [180, 240, 'for 3 h today, 1 h short of its 4 h'],
] as const
for (const [minutes, goal, expected] of belowGoals) {
  texts(`says ${minutes} minutes below a goal of ${goal} as "${expected}"`, () => {
    const payload = changePayload(
      buildPayload({ metric: 'activity', viewWindow: 'day', mode: 'today_so_far', judgment: null }),
      { '/metrics/activityTime/activityMinutes': minutes, '/metrics/activityTime/activityMinutesGoal': goal },
    )
    assert.match(generate(payload, { copy }).summary, expected)
  })
}

/** The words after the value, up to the advice. */
const activityRanges = [
  ['high', 300.4, [180, 300], 'for 5 h, more than its usual range.'],
  ['high', 300, [180, 300], 'for 5 h, more than its usual range.'],
  ['high', 300.5, [180, 300], 'for 5 h 1 min, more than its usual range (3 h-5 h).'],
  ['low', 180, [180.3, 300], 'for 3 h, less than its usual range.'],
  ['low', 179.4, [180, 300], 'for 2 h 59 min, less than its usual range (3 h-5 h).'],
  ['high', 400, [299.6, 300.4], 'for 6 h 40 min, more than its usual range.'],
  ['normal', 300.4, [180, 300.4], 'for 5 h, within its usual range (3 h-5 h).'],
  ['normal', 300, [299.6, 300.4], 'for 5 h, within its usual range.'],
  ['normal', 0, [-5, 0.4], 'for 0 min, within its usual range.'],
  [null, 200, [300, 300], 'for 3 h 20 min.'],
  [null, 200, [180, 300], 'for 3 h 20 min (usual range 3 h-5 h).'],
] as const
for (const [rating, minutes, [usualLower, usualUpper], expected] of activityRanges) {
  texts(`says ${minutes} minutes rated ${rating} of ${usualLower} to ${usualUpper} as "${expected}"`, () => {
    const payload = changePayload(
      buildPayload({ metric: 'activity', viewWindow: 'day', rating, comparison: { usualLower, usualUpper } }),
      { '/metrics/activityTime/activityMinutes': minutes },
    )
    const { en, es, zh } = sayAll(payload)
    assert.ok(en.includes(expected), en)
    const hasRange = expected.includes('(')
    assert.is(es.includes('('), hasRange, es)
    assert.is(zh.includes('（'), hasRange, zh)
  })
}

const barkLimits = [
  ['frequent', 901, 900, 'barked about 15 min (14 times), clearly more than usual.'],
  [
    'frequent',
    930,
    900,
    'barked about 16 min (14 times), clearly more than usual (usually not above about 15 min a day).',
  ],
  ['active', 901, 900, 'barked about 15 min (14 times), a little more than usual.'],
  ['frequent', 25, 20, 'barked less than 1 min (14 times), clearly more than usual.'],
  ['frequent', 60, 0, 'barked about 1 min (14 times), clearly more than usual.'],
  ['frequent', 90, 20, 'barked about 2 min (14 times), clearly more than usual (usually not above about 1 min a day).'],
  ['frequent', null, 900, 'barked clearly more than usual (usually not above about 15 min a day).'],
  ['calm', 900, 900, 'barked about 15 min (14 times), no more than usual (usually not above about 15 min a day).'],
] as const
for (const [rating, seconds, usualUpper, expected] of barkLimits) {
  texts(`says ${seconds} seconds of barking rated ${rating} above ${usualUpper} as "${expected}"`, () => {
    const payload = changePayload(
      buildPayload({ metric: 'bark', viewWindow: 'day', rating, attentionDays: 0, comparison: { usualUpper } }),
      { '/metrics/barkDurationSeconds': seconds },
    )
    const { en, es, zh } = sayAll(payload)
    assert.ok(en.includes(expected), en)
    const hasLimit = expected.includes('usually')
    assert.is(es.includes('máximo habitual'), hasLimit, es)
    assert.is(zh.includes('平时每天'), hasLimit, zh)
  })
}

const vitalRanges = [
  ['normal', 72, [71.6, 72.4], 'was 72 beats per minute, within its usual range.'],
  ['high', 73, [71.6, 72.4], 'was 73 beats per minute, above its usual range.'],
  ['high', 72.44, [71.6, 72.3], 'was 72.4 beats per minute, above its usual range (71.6-72.3).'],
  ['high', 72.6, [72.46, 72.54], 'was 73 beats per minute, above its usual range.'],
  [null, 72, [72, 72], 'was 72 beats per minute.'],
] as const
for (const [rating, value, [usualLower, usualUpper], expected] of vitalRanges) {
  texts(`says a vital of ${value} rated ${rating} of ${usualLower} to ${usualUpper} as "${expected}"`, () => {
    const payload = changePayload(
      buildPayload({ metric: 'hr', viewWindow: 'day', rating, comparison: { usualLower, usualUpper } }),
      { '/metrics/nightRestHrAverage/value': value },
    )
    assert.ok(sayAll(payload).en.includes(expected), sayAll(payload).en)
  })
}

texts('shows a decimal where a rounded out-of-range value would look like in range', () => {
  const say = (value: number, locale: 'en-US' | 'es') =>
    generate(
      changePayload(
        buildPayload({
          metric: 'hr',
          viewWindow: 'day',
          rating: 'low',
          attentionDays: 1,
          comparison: { usualLower: 62, usualUpper: 84 },
        }),
        { '/metrics/nightRestHrAverage/value': value },
      ),
      { copy, locale },
    ).summary
  assert.match(say(61.7, 'en-US'), 'was 61.7 beats per minute, below its usual range (62.0-84.0)')
  assert.match(say(61.7, 'es'), 'fue de 61,7 latidos por minuto, por debajo de su rango habitual (62,0-84,0)')
  assert.match(say(61.4, 'en-US'), 'was 61 beats per minute, below its usual range (62-84)')
})

texts('leaves the range out where even a decimal would make an out-of-range value look like in range', () => {
  const payload = changePayload(
    buildPayload({
      metric: 'hr',
      viewWindow: 'day',
      rating: 'high',
      attentionDays: 1,
      comparison: { usualLower: 62, usualUpper: 84 },
    }),
    { '/metrics/nightRestHrAverage/value': 84.04 },
  )
  assert.match(generate(payload, { copy }).summary, 'was 84 beats per minute, above its usual range. Keep')
})

texts('names a factor once', () => {
  const night = buildPayload({
    metric: 'rest',
    viewWindow: 'day',
    rating: 'Poor',
    attentionDays: 1,
    comparison: { restRatingFactors: ['duration', 'duration'] },
  })
  assert.match(generate(night, { copy }).summary, 'because rest was shorter than usual.')
})

texts('adds no range to a breed or general basis, and drops a range out of order', () => {
  const say = (more: object) =>
    generate(
      buildPayload({ metric: 'hr', viewWindow: 'day', comparison: { usualLower: 62, usualUpper: 84, ...more } }),
      { copy },
    ).summary
  assert.not.match(say({ pageEvaluationBasis: 'breed' }), '62')
  assert.not.match(say({ usualLower: 90 }), '84')
  assert.match(say({ usualLower: -5 }), '(0-84)')
})

texts('calls nothing usual with a breed or general basis and any rating', () => {
  const judged = insightFixtures.filter(
    ({ payload }) => payload.viewWindow === 'day' && typeof payload.suppliedJudgment?.rating === 'string',
  )
  assert.ok(judged.length > 20)
  for (const { name, payload } of judged) {
    for (const basis of ['breed', 'general']) {
      const changed = changePayload(payload, { [comparison('pageEvaluationBasis')]: basis })
      const { en, es, zh } = sayAll(changed)
      assert.match(
        en,
        basis === 'breed' ? /^Its breed's typical range is the guide here; / : /^General reference /,
        name,
      )
      assert.not.match(en, /usual/, name)
      assert.not.match(es, /habitual/, name)
      assert.not.match(zh, /平时/, name)
    }
  }
})

const sayAll = (payload: Parameters<typeof generate>[0]) => ({
  en: generate(payload, { copy, locale: 'en-US' }).summary,
  es: generate(payload, { copy, locale: 'es' }).summary,
  zh: generate(payload, { copy, locale: 'zh-CN' }).summary,
})

texts('never calls a week silent that has no full day of records', () => {
  const week = changePayload(
    buildPayload({ metric: 'bark', viewWindow: 'week', name: 'Rex', asOf: '2026-10-12T10:00', judgment: null }),
    { '/metrics': { averageDailyBarkDurationSeconds: 0, dailyBarkDurations: Array(7).fill(null) } },
  )
  assert.equal(sayAll(week), {
    en: 'This week, no barking was recorded for Rex, and no day has full records.',
    es: 'Esta semana no se registraron ladridos de Rex, y ningún día tiene registros completos.',
    zh: '本周没有记录到Rex吠叫，也没有完整一天的记录。',
  })
})

const insufficient = [
  [
    'a day with a night of 3 samples',
    changePayload(buildPayload({ metric: 'hr', viewWindow: 'day', name: 'Rex', rating: null, comparison: null }), {
      '/metrics/nightRestHrAverage/sampleCount': 3,
      '/metrics/allDayRestHrAverage': undefined,
    }),
    {
      en: 'On October 14, there were not enough resting heart rate records to show a figure for Rex.',
      es: 'El 14 de octubre no hubo suficientes registros de frecuencia cardíaca en reposo de Rex para mostrar una cifra.',
      zh: '10月14日，Rex的静息心率记录不足，无法给出具体数值。',
    },
  ],
  [
    'a week with finished days and no average',
    changePayload(
      buildPayload({ metric: 'activity', viewWindow: 'week', name: 'Rex', asOf: '2026-10-16T10:00', judgment: null }),
      { '/metrics/activityTime/averageDailyActivityMinutes': null },
    ),
    {
      en: 'This week, there are not enough activity records to show an average for Rex.',
      es: 'Esta semana no hay suficientes registros de actividad de Rex para mostrar un promedio.',
      zh: '本周，Rex的活动记录不足，无法给出平均值。',
    },
  ],
  [
    'a month that is over, with nights and no average',
    changePayload(buildPayload({ metric: 'rest', viewWindow: 'month', name: 'Rex', rating: null }), {
      '/metrics/nightRest/averageMinutes': null,
    }),
    {
      en: 'That month, there were not enough night rest records to show an average for Rex.',
      es: 'Ese mes no hubo suficientes registros de descanso nocturno de Rex para mostrar un promedio.',
      zh: '那个月，Rex的夜间休息记录不足，无法给出平均值。',
    },
  ],
  [
    'today with barks and no duration',
    changePayload(buildPayload({ metric: 'bark', viewWindow: 'day', mode: 'today_so_far', name: 'Rex' }), {
      '/metrics/barkDurationSeconds': null,
    }),
    {
      en: 'As of 4:05 PM, there are not enough barking records to show a figure for Rex today.',
      es: 'Hasta las 16:05, hoy no hay suficientes registros de ladridos de Rex para mostrar una cifra.',
      zh: '截至16:05，Rex今天的吠叫记录不足，无法给出具体数值。',
    },
  ],
  [
    'last night with a block of rest and no rest as a whole',
    changePayload(
      buildPayload({
        metric: 'rest',
        viewWindow: 'day',
        mode: 'last_night',
        name: 'Rex',
        rating: null,
        comparison: null,
      }),
      { '/metrics/night/nightRest': undefined, '/metrics/night/longestRestBlockMinutes': 95 },
    ),
    {
      en: 'Last night, there were not enough records to tell how long Rex rested.',
      es: 'Anoche no hubo suficientes registros para saber cuánto descansó Rex.',
      zh: '昨晚的记录不足，无法得知Rex休息了多久。',
    },
  ],
  [
    'the night so far with a block of rest and no rest as a whole',
    changePayload(
      buildPayload({ metric: 'rest', viewWindow: 'day', mode: 'today_so_far', name: 'Rex', rating: null }),
      {
        '/metrics/night/nightRest': undefined,
        '/metrics/night/longestRestBlockMinutes': 95,
      },
    ),
    {
      en: 'As of 9:05 AM, there are not enough records to tell how long Rex has rested since last night.',
      es: 'Hasta las 9:05, no hay suficientes registros para saber cuánto ha descansado Rex desde anoche.',
      zh: '截至9:05，记录不足，无法得知Rex从昨晚起休息了多久。',
    },
  ],
] as const
for (const [title, payload, expected] of insufficient) {
  texts(`does not deny the records of ${title}`, () => {
    assert.equal(validate(payload).errors, [])
    assert.equal(sayAll(payload), expected)
  })
}

texts('writes the time of observedThrough in the time zone of the pet', () => {
  const payload = changePayload(
    buildPayload({
      metric: 'bark',
      viewWindow: 'day',
      mode: 'today_so_far',
      timezone: 'Asia/Kathmandu',
      asOf: '2026-10-14T17:00',
    }),
    { '/insightContext/observedThrough': '2026-10-14T10:20:59.999Z' },
  )
  assert.match(generate(payload, { copy }).summary, 'As of 4:05 PM,')
  assert.match(generate(payload, { copy, locale: 'es' }).summary, 'Hasta las 16:05,')
})

texts.run()
