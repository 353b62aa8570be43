import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { readEntries } from '../../../src/copydesk/entries.js'
import { parseWording } from '../../../src/copydesk/lint/wording.js'
import { lintWords } from '../../../src/copydesk/lint/words.js'
import { isSvcError } from '../../../src/errors.js'
import { locales } from '../../../src/insight/types.js'
import { baseline } from '../../helpers/review-input.js'

const wording = suite('wording')

/** Returns the codes of the findings on one text in one language. */
function lintText(locale: (typeof locales)[number], text: string): string[] {
  const members = locales.map((name) => ({ name, offset: 0, value: name === locale ? text : 'x' }))
  const { texts } = readEntries([{ file: 'insight/x.json', entries: [{ id: 'X', offset: 0, members }] }])
  return lintWords(texts, baseline.wording)
    .filter((finding) => finding.locale === locale)
    .map(({ code }) => code)
}

for (const locale of locales) {
  wording(`finds every forbidden word of ${locale}, also in capitals and at the beginning of a longer word`, () => {
    for (const [reason, words] of Object.entries(baseline.wording.bannedWords)) {
      for (const word of words[locale]) {
        const joint = locale === 'zh-CN' ? '' : ' '
        const longer = word.replace('*', 'abc')
        const text = `${'{name}'}${joint}${locale === 'zh-CN' ? longer : longer.toUpperCase()}${joint}{name}`
        assert.ok(lintText(locale, text).includes('word-banned'), `${reason}: ${word}`)
      }
    }
  })
}

wording('allows a word that contains a forbidden one', () => {
  assert.equal(lintText('en-US', 'It awaits the soonest later-day lateral sooner thing.'), ['word-banned'])
  assert.equal(lintText('en-US', 'It awaits the soonest lateral sooner thing.'), [])
  assert.equal(lintText('es', 'Más actividad de lo esperado.'), [])
})

wording('finds nothing in correct texts', () => {
  assert.equal(lintText('en-US', "{name}''s usual range ({range}), e.g. 1.5 h: “calm” days; it didn''t bark."), [])
  assert.equal(lintText('es', '¿Ladró? ¡No! (rango: {range}); «tranquilo», 1,5 h.'), [])
  assert.equal(lintText('zh-CN', '{name}今天活动了1.5小时（约90%），“不错”！动一动、常常休息。'), [])
})

for (const [change, expected] of [
  [{ maxLength: { 'zh-CN': 0, 'en-US': 1, es: 1 } }, 'maxLength, zh-CN must be a number'],
  [{ bannedWords: { x: { 'zh-CN': [], es: [] } } }, 'bannedWords, x, en-US must be an array'],
  [{ units: [{ 'zh-CN': [''], 'en-US': [], es: [] }] }, 'units, 0, zh-CN must be an array of words'],
  [{ units: {} }, 'units must be an array'],
  [{ sameCases: { X: { fr: [] } } }, 'sameCases, X, fr must be an array'],
  [{ placeholderOrder: { X: { es: 'a' } } }, 'placeholderOrder, X, es must be an array'],
  [{ numberWords: { 'zh-CN': {}, 'en-US': { once: 'one' }, es: {} } }, 'numberWords, en-US'],
] as const) {
  wording(`refuses a member and names it: ${expected}`, () => {
    const isExpected = (error: unknown) =>
      isSvcError(error) && error.message.includes(`catalog/insight/wording.json: ${expected}`)
    assert.throws(() => parseWording({ ...baseline.wording, ...change }), isExpected)
  })
}

wording.run()
