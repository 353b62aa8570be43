import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { generate, locales } from '../../../src/insight/index.js'
import { buildPayload, changePayload } from '../../helpers/payloads.js'
import { copy, sayAll } from './say.js'

const texts = suite('texts with names')

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
    const night = changePayload(
      buildPayload({ metric: 'rest', viewWindow: 'day', mode: 'last_night', name, rating: null }),
      { '/metrics/night/nightRest/minutes': 0 },
    )
    const say = (locale: 'en-US' | 'zh-CN') => generate(night, { copy, locale }).summary
    assert.is(say('en-US'), `Last night, no rest was recorded for ${name}`)
    assert.match(say('zh-CN'), `没有记录到${name}的休息。`)
  }
})

texts('writes a name on one line with single blanks', () => {
  for (const name of [' Luna ', 'Luna\n', '\u00A0\u3000Luna\u2028', '\u200BLuna\uFEFF', '\tLuna']) {
    for (const metric of ['activity', 'hr'] as const) {
      const said = (written: string) => sayAll(buildPayload({ metric, viewWindow: 'day', name: written }))
      assert.equal(said(name), said('Luna'), JSON.stringify(name))
    }
  }
  const { summary } = generate(buildPayload({ metric: 'hr', viewWindow: 'day', name: 'Little \n  Bear' }), { copy })
  assert.match(summary, "Little Bear's resting heart rate")
})

texts('adds no "s" to the genitive of a name that ends in an apostrophe', () => {
  for (const name of ["Mo'", 'Ross’']) {
    const { summary } = generate(buildPayload({ metric: 'hr', viewWindow: 'day', name }), { copy })
    assert.match(summary, `${name} resting heart rate`)
  }
})

texts.run()
