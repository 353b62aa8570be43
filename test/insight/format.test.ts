import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { parseDate } from '../../src/insight/calendar.js'
import {
  formatClock,
  formatDay,
  formatNight,
  formatVital,
  roundHalfUp,
  splitDuration,
} from '../../src/insight/format.js'
import { locales } from '../../src/insight/types.js'

const format = suite('format')
const toDay = (text: string) => parseDate(text) ?? Number.NaN

const durations = [
  [0, 'm', 0, 0],
  [0.49, 'm', 0, 0],
  [0.5, 'm', 0, 1],
  [59.4, 'm', 0, 59],
  [59.5, 'h', 1, 0],
  [60, 'h', 1, 0],
  [119.5, 'h', 2, 0],
  [210, 'hm', 3, 30],
  [300.5, 'hm', 5, 1],
  [1440, 'h', 24, 0],
] as const
for (const [minutes, form, hours, rest] of durations) {
  format(`splits ${minutes} minutes into ${hours} h ${rest} min`, () => {
    assert.equal(splitDuration(minutes), { form, hours, minutes: rest })
  })
}

format('rounds half up where toFixed does not', () => {
  assert.equal([1.005 * 100, 0.5, 1.5, 2.5, 12.5].map(roundHalfUp), [100, 1, 2, 3, 13])
})

/** The date, the year in which it is written, and what is written in English, Chinese and Spanish. */
const dates = [
  ['2026-10-14', 2026, 'October 14', '10月14日', '14 de octubre'],
  ['2025-10-14', 2026, 'October 14, 2025', '2025年10月14日', '14 de octubre de 2025'],
  ['2026-12-31', 2027, 'December 31, 2026', '2026年12月31日', '31 de diciembre de 2026'],
] as const
/** The nights before these mornings. */
const nights = [
  ['2026-10-14', 2026, 'October 13-14', '10月13日夜间至14日清晨', '13 al 14 de octubre'],
  ['2026-10-01', 2026, 'September 30-October 1', '9月30日夜间至10月1日清晨', '30 de septiembre al 1 de octubre'],
  ['2025-10-14', 2026, 'October 13-14, 2025', '2025年10月13日夜间至14日清晨', '13 al 14 de octubre de 2025'],
  [
    '2025-10-01',
    2026,
    'September 30-October 1, 2025',
    '2025年9月30日夜间至10月1日清晨',
    '30 de septiembre al 1 de octubre de 2025',
  ],
  ['2026-01-01', 2026, 'December 31-January 1', '12月31日夜间至1月1日清晨', '31 de diciembre al 1 de enero'],
  [
    '2025-01-01',
    2026,
    'December 31, 2024-January 1, 2025',
    '2024年12月31日夜间至2025年1月1日清晨',
    '31 de diciembre de 2024 al 1 de enero de 2025',
  ],
] as const
for (const [write, rows] of [[formatDay, dates] as const, [formatNight, nights] as const]) {
  for (const [date, year, en, zh, es] of rows) {
    format(`${write.name} writes ${date} in ${year}`, () => {
      const found = locales.map((locale) => write(locale, toDay(date), toDay(`${year}-01-02`)))
      assert.equal(found, [zh, en, es])
    })
  }
}

const clocks = [
  [0, '12:00 AM', '0:00'],
  [5, '12:05 AM', '0:05'],
  [65, '1:05 AM', '1:05'],
  [720, '12:00 PM', '12:00'],
  [965, '4:05 PM', '16:05'],
  [1439, '11:59 PM', '23:59'],
] as const
for (const [minute, english, other] of clocks) {
  format(`writes minute ${minute} of the day as ${english} and ${other}`, () => {
    const found = locales.map((locale) => formatClock(locale, minute))
    assert.equal(found, [other, english, other])
  })
}

format('writes vitals whole or with one decimal, half up, with a decimal comma in Spanish', () => {
  assert.is(formatVital('en-US', 72.5, 0), '73')
  assert.is(formatVital('en-US', 61.95, 1), '62.0')
  assert.is(formatVital('es', 61.74, 1), '61,7')
  assert.is(formatVital('zh-CN', 62, 1), '62.0')
})

format.run()
