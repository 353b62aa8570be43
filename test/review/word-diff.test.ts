import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Locale } from '../../src/insight/types.js'
import { diffWords } from '../../src/review/word-diff.js'

const differences = suite('word diff')

const cases: readonly (readonly [locale: Locale, older: string, newer: string, marked: string])[] = [
  ['en-US', 'slept poorly, mainly', 'slept badly, mainly', 'slept [-poorly-]{+badly+}, mainly'],
  ['en-US', 'the same', 'the same', 'the same'],
  ['en-US', 'two  spaces', 'two spaces', 'two[-  -]{+ +}spaces'],
  ['es', 'durmió mal.', 'no durmió bien.', '{+no +}durmió [-mal-]{+bien+}.'],
  ['es', 'descanso', 'descansó', '[-descanso-]{+descansó+}'],
  ['zh-CN', '睡得不太好。', '睡得很好。', '睡得[-不太好-]{+很好+}。'],
]
for (const [locale, older, newer, marked] of cases) {
  differences(`${locale}: ${marked}`, () => {
    const marks = diffWords(older, newer, locale).map(({ kind, text }) =>
      kind === 'same' ? text : kind === 'added' ? `{+${text}+}` : `[-${text}-]`,
    )
    assert.is(marks.join(''), marked)
  })
}

differences('loses nothing of either text', () => {
  const text = fc.oneof(fc.string({ unit: 'grapheme' }), fc.stringMatching(/^[ab ，。，天 ]*$/))
  fc.assert(
    fc.property(text, text, fc.constantFrom<Locale>('zh-CN', 'en-US', 'es'), (older, newer, locale) => {
      const changes = diffWords(older, newer, locale)
      const join = (except: string) =>
        changes
          .filter(({ kind }) => kind !== except)
          .map((change) => change.text)
          .join('')
      assert.is(join('added'), older)
      assert.is(join('removed'), newer)
    }),
  )
})

differences.run()
