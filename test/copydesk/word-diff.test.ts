import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { compareWords, diffWords, type WordChange } from '../../src/copydesk/word-diff.js'
import type { Locale } from '../../src/insight/types.js'

const differences = suite('word diff')

const cases: readonly (readonly [locale: Locale, older: string, newer: string, marked: string])[] = [
  ['en-US', 'slept poorly, mainly', 'slept badly, mainly', 'slept [-poorly-]{+badly+}, mainly'],
  ['en-US', 'the same', 'the same', 'the same'],
  ['en-US', 'two  spaces', 'two spaces', 'two[-  -]{+ +}spaces'],
  ['es', 'durmió mal.', 'no durmió bien.', '{+no +}durmió [-mal-]{+bien+}.'],
  ['es', 'descanso', 'descansó', '[-descanso-]{+descansó+}'],
  ['zh-CN', '睡得不太好。', '睡得很好。', '睡得[-不太好-]{+很好+}。'],
  // Whole phrases: one removal and one addition absorb the short words between them.
  ['en-US', 'It slept poorly mainly.', 'It had a bad night.', 'It [-slept poorly mainly-]{+had a bad night+}.'],
  ['en-US', 'in bed of waking', 'on top of barking', '[-in bed of waking-]{+on top of barking+}'],
  ['es', 'ya 2 noches seguidas', 'y van 2 días más', '[-ya 2 noches seguidas-]{+y van 2 días más+}'],
  ['zh-CN', '中途醒了1次', '其间醒过1次', '[-中途醒了-]{+其间醒过+}1次'],
  ['zh-CN', '昨晚，小满睡得好', '昨夜，豆豆睡得好', '[-昨晚，小满-]{+昨夜，豆豆+}睡得好'],
  ['en-US', 'was bad today.', 'was very good today.', 'was [-bad-]{+very good+} today.'],
  ['es', 'ladró hoy unos 9 min', 'ladró en el día unos 9 min', 'ladró [-hoy-]{+en el día+} unos 9 min'],
  // A long word stays, and so does a short one if nothing is replaced.
  ['en-US', 'bad nights again', 'good nights twice', '[-bad-]{+good+} nights [-again-]{+twice+}'],
  ['en-US', 'slept a lot', 'hardly slept a whole lot', '{+hardly +}slept a {+whole +}lot'],
]
const mark = (changes: readonly WordChange[]) =>
  changes.map(({ kind, text }) => (kind === 'same' ? text : kind === 'added' ? `{+${text}+}` : `[-${text}-]`)).join('')
for (const [locale, older, newer, marked] of cases) {
  differences(`${locale}: ${marked}`, () => {
    assert.is(mark(diffWords(older, newer, locale)), marked)
  })
}

differences('compares word by word on request', () => {
  assert.is(
    mark(compareWords('in bed of waking', 'on top of barking', 'en-US')),
    '[-in-]{+on+} [-bed-]{+top+} of [-waking-]{+barking+}',
  )
})

differences('never returns two adjacent changes of the same kind', () => {
  const text = fc.stringMatching(/^[abc ,]*$/)
  fc.assert(
    fc.property(text, text, (older, newer) => {
      const kinds = diffWords(older, newer, 'en-US').map(({ kind }) => kind[0])
      assert.not.match(kinds.join(''), /ss|rr|aa|ar/)
    }),
  )
})

for (const compare of [compareWords, diffWords])
  differences(`${compare.name} keeps both texts complete`, () => {
    const text = fc.oneof(fc.string({ unit: 'grapheme' }), fc.stringMatching(/^[ab ，。，天 ]*$/))
    fc.assert(
      fc.property(text, text, fc.constantFrom<Locale>('zh-CN', 'en-US', 'es'), (older, newer, locale) => {
        const changes = compare(older, newer, locale)
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
