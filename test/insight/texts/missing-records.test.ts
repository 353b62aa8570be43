import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { generate, validate } from '../../../src/insight/index.js'
import { metrics } from '../../../src/insight/types.js'
import { buildPayload, changePayload } from '../../helpers/payloads.js'
import { copy, sayAll } from './say.js'

const texts = suite('texts without records')

const insufficient = [
  [
    'a day with a night of 3 samples',
    changePayload(buildPayload({ metric: 'hr', viewWindow: 'day', name: 'Rex', rating: null, comparison: null }), {
      '/metrics/nightRestHrAverage/sampleCount': 3,
      '/metrics/allDayRestHrAverage': undefined,
    }),
    {
      en: "On October 14, there were not enough records to show Rex's resting heart rate.",
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
      en: "This week, there are not enough records to show Rex's average daily activity.",
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
      en: "That month, there were not enough records to show Rex's average nightly rest.",
      es: 'Ese mes no hubo suficientes registros de descanso nocturno de Rex para mostrar un promedio.',
      zh: '当月，Rex的夜间休息记录不足，无法给出平均值。',
    },
  ],
  [
    'today with barks and no duration',
    changePayload(buildPayload({ metric: 'bark', viewWindow: 'day', mode: 'today_so_far', name: 'Rex' }), {
      '/metrics/barkDurationSeconds': null,
    }),
    {
      en: "As of 4:05 PM, there are not enough records to show Rex's barking today.",
      es: 'Según los datos hasta las 16:05, hoy no hay suficientes registros de ladridos de Rex para mostrar una cifra.',
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
      en: 'Last night, too little was recorded to tell how long Rex rested.',
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
      en: 'As of 9:05 AM, too little has been recorded to tell how long Rex has rested overnight.',
      es: 'Según los datos hasta las 9:05, no hay suficientes registros para saber cuánto ha descansado Rex desde anoche.',
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

texts('says of a page of today whose last report is from the day before that nothing has been recorded yet', () => {
  for (const metric of metrics) {
    const today = buildPayload({
      metric,
      viewWindow: 'day',
      name: 'Rex',
      mode: 'today_so_far',
      asOf: '2026-10-14T00:05',
    })
    const { observedThrough } = today.insightContext
    const offset = observedThrough?.slice(19) ?? ''
    const late = changePayload(today, { '/insightContext/observedThrough': `2026-10-13T23:55:00${offset}` })
    assert.equal(validate(late).errors, [], metric)
    assert.equal(sayAll(late), {
      en: 'Nothing has been recorded for Rex yet today.',
      es: 'Hoy no se ha registrado nada de Rex hasta ahora.',
      zh: '今天还没有Rex的记录。',
    })
    const { status } = generate(late, { copy })
    assert.is(status, 'insufficient_data')
    const inTime = changePayload(today, { '/insightContext/observedThrough': `2026-10-14T00:01:00${offset}` })
    assert.match(sayAll(inTime).en, '12:01 AM')
  }
})

texts.run()
