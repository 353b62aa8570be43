import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import {
  dateParts,
  daysInMonth,
  formatDate,
  isTimeZone,
  listDates,
  localDateTime,
  localDay,
  parseDate,
  parseDateTime,
  toInstant,
} from '../../src/insight/calendar.js'

const calendar = suite('calendar')

const noDates = [
  '1900-02-29, 2026-02-29, 2026-13-01, 2026-00-01, 2026-04-31, 2026-10-00, 2026-1-01, 2026-10-12T00:00:00Z, 20261012, ',
].flatMap((line) => line.split(', '))
for (const text of noDates) calendar(`does not read "${text}" as a date`, () => assert.is(parseDate(text), undefined))

calendar('agrees with Date on every day of eight centuries', () => {
  for (let day = parseDate('1700-01-01') ?? 0; day < (parseDate('2500-01-01') ?? 0); day++) {
    const date = new Date(day * 86_400_000)
    const text = date.toISOString().slice(0, 10)
    if (parseDate(text) !== day) assert.is(parseDate(text), day, text)
    const { year, month, day: dayOfMonth, weekday } = dateParts(day)
    if (weekday % 7 !== date.getUTCDay()) assert.unreachable(`${text} is not on weekday ${weekday}`)
    const isLast = dateParts(day + 1).day === 1
    if (isLast !== (dayOfMonth === daysInMonth(year, month))) assert.unreachable(text)
  }
})

calendar('reads no date with another character in the place of any', () => {
  const text = '2026-10-12T10:30:00+08:00'
  for (let index = 0; index < text.length; index++) {
    const changed = `${text.slice(0, index)}x${text.slice(index + 1)}`
    assert.is(parseDateTime(changed), undefined, changed)
    if (index < 10) assert.is(parseDate(changed.slice(0, 10)), undefined, changed)
  }
})

calendar('formats a date as it parses it', () => {
  fc.assert(
    fc.property(fc.integer({ min: -719_528, max: 2_932_896 }), (day) => {
      assert.is(parseDate(formatDate(day)), day)
    }),
  )
})

const noon = Date.UTC(2026, 9, 12, 12, 0, 0)
const dateTimes: readonly [text: string, localMs: number, offsetMinutes?: number][] = [
  ['2026-10-12T12:00:00+08:00', noon, 480],
  ['2026-10-12T12:00:00+0800', noon, 480],
  ['2026-10-12T12:00:00+08', noon, 480],
  ['2026-10-12T12:00:00-03:30', noon, -210],
  ['2026-10-12T12:00+08:00', noon, 480],
  ['2026-10-12T12:00:00Z', noon, 0],
  ['2026-10-12T12:00:00z', noon, 0],
  ['2026-10-12t12:00:00Z', noon, 0],
  ['2026-10-12 12:00:00+00:00', noon, 0],
  ['2026-10-12T12:00:00', noon],
  ['2026-10-12T12:00', noon],
  ['2026-10-12T12:00:00.5Z', noon + 500, 0],
  ['2026-10-12T12:00:00,25Z', noon + 250, 0],
  ['2026-10-12T12:00:00.123456789+05:45', noon + 123, 345],
  ['2026-10-12T12:00:00.99999999999999999999Z', noon + 999, 0],
  ['2026-10-12T23:59:59Z', Date.UTC(2026, 9, 12, 23, 59, 59), 0],
]
for (const [text, localMs, offsetMinutes] of dateTimes) {
  calendar(`reads the date-time "${text}" as ${localMs} ${offsetMinutes}`, () => {
    assert.equal(parseDateTime(text), { localMs, offsetMinutes })
  })
}
const noDateTimes = [
  '2026-02-30T10:00:00+08:00, 2026-10-12T24:00:00Z, 2026-10-12T12:60:00Z, 2026-10-12T12:00:60Z, 2026-10-12T12:00:00.Z',
  '2026-10-12T12:00:00+8, 2026-10-12T12:00:00+08:, 2026-10-12T12:00:00+08:0, 2026-10-12T12:00:00+24:00, 2026-10-12',
  '2026-10-12T12:00:00+08:00x, 2026-10-12T12:00:00Zx, 2026-10-12T12:00:00 +08:00, 2026-10-12T12, ',
].flatMap((line) => line.split(', '))
for (const text of noDateTimes) {
  calendar(`does not read "${text}" as a date-time`, () => assert.is(parseDateTime(text), undefined))
}

const zones = 'Asia/Kathmandu, Asia/Katmandu, UTC, Etc/GMT+8, America/Argentina/Buenos_Aires, asia/shanghai'.split(', ')
for (const name of zones) calendar(`takes the time zone name "${name}"`, () => assert.ok(isTimeZone(name)))
for (const name of ['GMT+8', 'UTC+8', '+08:00', 'Asia/Atlantis', 'Asia/Shanghai Asia/Singapore', ' UTC ', 'Asia', '']) {
  calendar(`refuses the time zone name "${name}"`, () => assert.not(isTimeZone(name)))
}

const instants: readonly [instant: string, timezone: string, date: string, minuteOfDay: number][] = [
  ['2026-10-12T00:00:00Z', 'UTC', '2026-10-12', 0],
  ['2026-10-12T18:14:59Z', 'Asia/Kathmandu', '2026-10-12', 1439],
  ['2026-10-12T18:15:00Z', 'Asia/Kathmandu', '2026-10-13', 0],
  ['2026-10-12T09:59:00Z', 'Pacific/Kiritimati', '2026-10-12', 1439],
  ['2026-10-12T10:00:00Z', 'Pacific/Kiritimati', '2026-10-13', 0],
  ['2026-10-12T10:59:00Z', 'Pacific/Pago_Pago', '2026-10-11', 1439],
  ['2026-04-04T14:59:00Z', 'Australia/Lord_Howe', '2026-04-05', 119],
  ['2026-04-04T15:00:00Z', 'Australia/Lord_Howe', '2026-04-05', 90],
  ['2026-10-03T15:29:00Z', 'Australia/Lord_Howe', '2026-10-04', 119],
  ['2026-10-03T15:30:00Z', 'Australia/Lord_Howe', '2026-10-04', 150],
  ['2026-03-08T06:59:00Z', 'America/New_York', '2026-03-08', 119],
  ['2026-03-08T07:00:00Z', 'America/New_York', '2026-03-08', 180],
  ['2026-11-01T05:59:00Z', 'America/New_York', '2026-11-01', 119],
  ['2026-11-01T06:00:00Z', 'America/New_York', '2026-11-01', 60],
]
for (const [instant, timezone, date, minuteOfDay] of instants) {
  calendar(`shows ${instant} in ${timezone} as minute ${minuteOfDay} of ${date}`, () => {
    assert.equal(localDateTime(Date.parse(instant), timezone), { day: parseDate(date), minuteOfDay })
  })
}

const wallClocks: readonly [local: string, timezone: string, instant: string][] = [
  ['2026-10-12T12:00:00Z', 'Asia/Kathmandu', '2026-10-12T06:15:00Z'],
  ['2026-03-08T01:59:00Z', 'America/New_York', '2026-03-08T06:59:00Z'],
  ['2026-03-08T02:30:00Z', 'America/New_York', '2026-03-08T07:30:00Z'],
  ['2026-03-08T03:00:00Z', 'America/New_York', '2026-03-08T07:00:00Z'],
  ['2026-11-01T01:30:00Z', 'America/New_York', '2026-11-01T05:30:00Z'],
  ['2026-11-01T02:00:00Z', 'America/New_York', '2026-11-01T07:00:00Z'],
  ['2026-10-04T02:30:00Z', 'Australia/Lord_Howe', '2026-10-03T15:30:00Z'],
  ['2026-04-05T01:45:00Z', 'Australia/Lord_Howe', '2026-04-04T14:45:00Z'],
]
for (const [local, timezone, instant] of wallClocks) {
  calendar(`finds the instant at which clocks in ${timezone} show ${local.slice(0, 16)}`, () => {
    assert.is(new Date(toInstant(Date.parse(local), timezone)).toISOString(), instant.replace('Z', '.000Z'))
  })
}

calendar('agrees with Intl in many zones at any instant of forty years', () => {
  const zones = Intl.supportedValuesOf('timeZone')
  fc.assert(
    fc.property(
      fc.constantFrom(...zones),
      fc.integer({ min: Date.UTC(2000, 0, 1) / 1000, max: Date.UTC(2040, 0, 1) / 1000 }),
      (timezone, seconds) => {
        const shown = new Intl.DateTimeFormat('sv-SE', { timeZone: timezone, dateStyle: 'short', timeStyle: 'short' })
        const { day, minuteOfDay } = localDateTime(seconds * 1000, timezone)
        assert.is(localDay(seconds * 1000, timezone), day)
        const hour = String(Math.floor(minuteOfDay / 60)).padStart(2, '0')
        const minute = String(minuteOfDay % 60).padStart(2, '0')
        assert.is(`${formatDate(day)} ${hour}:${minute}`, shown.format(seconds * 1000))
      },
    ),
    { numRuns: 1000 },
  )
})

calendar('throws a RangeError for a name that is not a time zone', () => {
  assert.throws(() => localDateTime(0, 'Asia/Atlantis'), /is not a time zone/)
})

calendar('lists the dates of a month from any day on', () => {
  const list = listDates(parseDate('2024-02-15') ?? 0)
  assert.is(list.length, 31)
  assert.equal([list[0], list[14], list[15], list[30]], ['2024-02-15', '2024-02-29', '2024-03-01', '2024-03-16'])
})

calendar.run()
