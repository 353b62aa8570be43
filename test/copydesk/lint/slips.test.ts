import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { slips } from '../../../src/copydesk/lint/slips.js'
import type { Locale } from '../../../src/insight/index.js'

const texts = suite('slips of rendered texts')

const rows: readonly (readonly [locale: Locale, text: string, isFound: boolean])[] = [
  ['en-US', 'With breed norms as a guide, on October 8, Rex was active for 2 h.', true],
  ['en-US', 'With breed norms as a guide, on October 8, Rex was active for 2 h, less than expected.', false],
  ['en-US', 'With general norms as a guide, last night, Rex slept well.', false],
  ['en-US', 'This page uses breed norms; on October 8, Rex was active for 2 h.', false],
  ['en-US', 'That week, Rex averaged 2 min of activity a day, 100% less than the week before.', true],
  ['en-US', 'That week, Rex averaged 2 min of activity a day, 100% more than the week before.', false],
  ['es', 'Esa semana, Rex descansó en promedio 2 min por noche, un 100 % menos que la semana anterior.', true],
  ['zh-CN', '当周，Rex平均每天活动2分钟，比前一周少100%。', true],
]
for (const [locale, text, isFound] of rows) {
  texts(`${isFound ? 'finds an empty claim' : 'finds none'} in “${text}”`, () => {
    const found = slips.filter(({ locales, pattern }) => locales.includes(locale) && pattern.test(text))
    assert.is(found.map(({ code }) => code).join(), isFound ? 'claim-empty' : '')
  })
}

texts.run()
