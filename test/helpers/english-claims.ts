import * as assert from 'uvu/assert'
import type { HealthDetailPayload } from '../../src/insight/index.js'
import { memberAt as at, type EnglishPage as Page, readPage, round } from './english-page.js'

/**
 * Reads an English text sentence part by sentence part, without any code of the program, and compares each part with the
 * payload. A number that no part accounts for is a fault.
 */
export function checkClaims(summary: string, payload: HealthDetailPayload): void {
  const page = readPage(payload)
  const named = namePet(summary.replaceAll('\u00A0', ' '), page.name)
  let rest = named.replace(/vocaliz(?:e(?!d)|(?=ed|ing))/g, 'bark')
  for (const [pattern, check] of claims) {
    rest = rest.replaceAll(pattern, (...match: unknown[]) => {
      const groups = (match.at(-1) ?? {}) as Record<string, string | undefined>
      check(groups, page)
      return '·'
    })
  }
  assert.not.match(
    rest,
    /\d|usual|expected|more|less|above|below|short of|basis|guide|norms/,
    `not accounted for: ${rest}`,
  )
}

/** Calls the pet PET. Of a name that ends in an apostrophe, English writes the genitive without a further one. */
function namePet(text: string, name: string): string {
  const plain = text.replaceAll(name, 'PET')
  return /['’]$/.test(name)
    ? plain.replace(/PET(?= (?:activity|average|barking|daily|nightly|rest(?:ing)?|heart)\b)/g, "PET's")
    : plain
}

type Groups = Readonly<Record<string, string | undefined>>

// Words

const duration = (name: string) => `(?<${name}>(?:less than|under) 1 min|\\d+ h(?: \\d+ min)?|\\d+ min)`
const month = '(?:January|February|March|April|May|June|July|August|September|October|November|December)'

/** Minutes as they are printed; 0 for less than a minute. */
function readDuration(text = ''): number {
  if (/(?:than|under) 1 min/.test(text)) return 0
  const [, hours = '0', minutes = '0'] = /^(?:(\d+) h)? ?(?:(\d+) min)?$/.exec(text) ?? []
  return Number(hours) * 60 + Number(minutes)
}

const readCount = (text = '') => Number(text.replaceAll(',', ''))

function saysMain(text: string | undefined, { main, metric, events }: Page): void {
  assert.is.not(main, undefined, 'a duration was said and no duration was sent')
  assert.is(readDuration(text), round(main ?? 0))
  if (readDuration(text) > 0 || text === '0 min') return
  assert.ok((main ?? 0) > 0 || (metric === 'bark' && (events ?? 0) > 0), 'nothing is not less than a minute')
}

/** The side of the range that the rating means. */
function sideOf({ direction, rating }: Page): string {
  const turned = { '-1': 'low', '1': 'high' }[String(direction)]
  return rating === 'fluctuating' ? (turned ?? 'none') : String(rating)
}

function saysRange(value: number, lower: number, upper: number, word: string): void {
  if (/more|above/.test(word)) assert.ok(value > upper, `${value} is not above ${upper}`)
  else if (/less|below/.test(word)) assert.ok(value < lower, `${value} is not below ${lower}`)
  else assert.ok(lower <= value && value <= upper, `${value} is not within ${lower} and ${upper}`)
}

function saysBounds(lower: number, upper: number, page: Page, decimals = 0): void {
  const print = (bound = 0) => Math.round(Math.max(0, bound) * 10 ** decimals) / 10 ** decimals
  assert.is(lower, print(page.lower))
  assert.is(upper, print(page.upper))
  assert.ok(lower < upper)
  assert.not.ok(page.basis === 'breed' || page.basis === 'general', 'a range is personal')
}

function saysVerdict(word: string, page: Page): void {
  const sides = { within: /normal|balanced/, more: /high/, above: /high/, less: /low/, below: /low/ }
  assert.match(sideOf(page), sides[word as 'within'])
}

function saysShare(groups: Groups, page: Page): void {
  const { some, all, base = '' } = groups
  const days = Number(all ?? groups.days)
  assert.is(days, page.rated)
  if (all === undefined) assert.is(Number(some), page.unusual)
  assert.ok((page.unusual ?? 0) <= page.rated)
  saysBase(base, page)
}

function saysBase(base: string, page: Page): void {
  assert.is(base.endsWith('compared'), page.rated < page.daysOver, 'the days that were rated')
  assert.is(base.startsWith('nights'), page.metric === 'rest')
}

const share =
  '(?:(?<some>\\d+) of (?<days>\\d+)|(?:all|any of the) (?<all>\\d+)) (?<base>(?:days|nights)(?: compared)?)'
const yardstick = '(?:its usual range|the expected range|expected)'

/** Parts of a text, the longer ones first. */
const claims: readonly (readonly [pattern: RegExp, check: (groups: Groups, page: Page) => void])[] = [
  // Openings
  [
    /^(?:With (?<guide>breed|general) norms as a guide, (?=.*(?:expected|slept))|This page uses (?<basis>breed|general) norms; (?!.*(?:expected|slept)))/g,
    ({ basis, guide = basis }, page) => assert.is(guide, page.basis),
  ],
  [
    /(?:^|·)[Aa]s of (?<time>\d+:\d\d [AP]M)/g,
    ({ time }, { mode, observedOn, payload, today }) => {
      const { observedThrough } = payload.insightContext
      const clock = new Intl.DateTimeFormat('en-US', {
        hour: 'numeric',
        minute: '2-digit',
        timeZone: payload.period.timezone,
      })
      assert.is(time, clock.format(new Date(observedThrough ?? '')).replace(/\s/u, ' '))
      assert.is(mode, 'today_so_far')
      assert.is(observedOn, today, 'a report of yesterday says nothing about today')
    },
  ],
  [
    new RegExp(
      `(?:^|·)[Oo]n the night of (?<from>${month} \\d+(?:, \\d{4})?)-(?<to>(?:${month} )?\\d+(?:, \\d{4})?)`,
      'g',
    ),
    ({ from = '', to = '' }, page) => {
      const end = page.start
      const [monthName] = from.split(' ')
      const year = /\d{4}$/.exec(to)?.[0] ?? page.today.slice(0, 4)
      const written = /^\d/.test(to) ? `${monthName} ${to}` : to
      assert.is(toDate(written, year), end)
      assert.is(toDate(from, /\d{4}$/.exec(from)?.[0] ?? previousDay(end).slice(0, 4)), previousDay(end))
    },
  ],
  [
    new RegExp(`(?:^|·)[Oo]n (?<date>${month} \\d+(?:, \\d{4})?)`, 'g'),
    ({ date = '' }, page) => {
      const hasYear = /\d{4}$/.test(date)
      assert.is(toDate(date, page.today.slice(0, 4)), page.start)
      assert.is(hasYear, page.start.slice(0, 4) !== page.today.slice(0, 4))
    },
  ],
  [/(?:^|·)[Ll]ast night/g, (_, { mode, start, today }) => assert.equal([mode, start], ['last_night', today])],
  [
    /^(?<word>This|That) (?<window>week|month)/g,
    ({ word, window }, { isCurrent, payload }) =>
      assert.equal([word === 'This', window], [isCurrent, payload.viewWindow]),
  ],

  // Supplements
  [
    /Learning its usual range takes (?<required>\d+) days? of records, with (?:(?<valid>\d+) so far|none yet)\./g,
    ({ required, valid = '0' }, { progress }) =>
      assert.equal({ validDays: Number(valid), requiredDays: Number(required) }, progress),
  ],
  [
    new RegExp(`The tracker was worn for only ${duration('worn')} of the night, so some rest may be missing\\.`, 'g'),
    ({ worn }, { main, wearing }) => {
      assert.is(readDuration(worn), round(wearing ?? -1))
      assert.ok(round(main ?? 0) <= readDuration(worn), 'rest of a device that was not worn')
    },
  ],
  [
    /The tracker was not worn that night\./g,
    (_, { main, wearing = -1 }) => assert.equal([round(wearing), main], [0, undefined]),
  ],
  [
    /(?:A little extra gentle play|Make time for calm|Keeping play and rest|A quiet, dark spot|Keep activities gentle|Notice what sets off)[^.]*\./g,
    (_, { payload }) => assert.is.not(at(payload, 'suppliedJudgment/deteriorating'), false),
  ],

  // Nothing
  [
    /no activity (?:has been|was) recorded for PET(?: today)?(?: toward its (?<goal>\d+ h(?: \d+ min)?|\d+ min) daily goal)?/g,
    ({ goal }, page) => {
      assert.is(page.main, 0)
      if (goal !== undefined) assert.is(readDuration(goal), round(page.goal))
    },
  ],
  [/no rest (?:has been|was) recorded for PET(?: overnight)?/g, (_, { main }) => assert.is(main, 0)],
  [
    /PET (?:did not bark|has not barked today)/g,
    (_, page) => {
      assert.is(page.main, 0)
      if (!page.isDay) assert.ok((page.records ?? page.daysOver) >= page.daysOver && page.daysOver > 0, 'a day unheard')
      assert.is(round(page.events ?? 0), 0)
    },
  ],
  [
    /no barking was recorded for PET(?:, though no full day was recorded)?/g,
    (_, { daysOver, main, records = daysOver }) => {
      assert.is(main, 0)
      assert.ok(records < daysOver || daysOver === 0)
    },
  ],
  [
    /there (?:were|are) not enough records to show|too little (?:was|has been) recorded to tell/g,
    (_, { main }) => assert.is(main, undefined),
  ],
  [
    /Nothing has been recorded for PET yet today/g,
    (_, { mode, observedOn, today }) => assert.equal([mode, observedOn < today], ['today_so_far', true]),
  ],

  // A range of a day
  [
    new RegExp(
      `PET (?:had no recorded activity|was active for ${duration('main')}), (?<word>within|more|less)(?: than)? ${yardstick}(?: \\((?<lower>[^()-]+)-(?<upper>[^()]+)\\))?`,
      'g',
    ),
    ({ lower, main, upper, word = '' }, page) => {
      if (main === undefined) assert.is(page.main, 0)
      else saysMain(main, page)
      saysVerdict(word, page)
      if (lower === undefined) return
      saysRange(readDuration(main), readDuration(lower), readDuration(upper), word)
      saysBounds(readDuration(lower), readDuration(upper), page)
    },
  ],
  [/PET's activity was above (?:its usual range|the expected range)/g, (_, page) => saysVerdict('more', page)],
  [
    new RegExp(
      `was (?:(?<value>[\\d.]+) (?:beats?|breaths?|ms)(?: per minute)?, )?(?<word>within|above|below) ${yardstick}(?: \\((?<lower>[\\d.]+)-(?<upper>[\\d.]+)\\))?`,
      'g',
    ),
    ({ lower, upper, value, word = '' }, page) => {
      saysVerdict(word, page)
      if (value !== undefined) saysVital(value, page)
      if (lower === undefined) return
      const decimals = /\.\d/.test(lower) ? 1 : 0
      if (value !== undefined) saysRange(Number(value), Number(lower), Number(upper), word)
      saysBounds(Number(lower), Number(upper), page, decimals)
    },
  ],
  [
    / \(usual range (?<lower>[^()-]+)-(?<upper>[^()]+)\)/g,
    ({ lower = '', upper = '' }, page) => {
      const read = /[hm]/.test(lower) ? readDuration : Number
      saysBounds(read(lower), read(upper), page)
    },
  ],

  // Amounts
  [
    new RegExp(
      `PET has been active for ${duration('main')} today, ${duration('gap')} short of its ${duration('goal')} daily goal`,
      'g',
    ),
    ({ gap, goal, main }, page) => {
      assert.is(readDuration(goal), round(page.goal))
      assert.is(readDuration(main), Math.min(round(page.main ?? 0), round(page.goal) - 1))
      assert.is(readDuration(main) + readDuration(gap), readDuration(goal))
      assert.ok(readDuration(gap) > 0)
    },
  ],
  [
    new RegExp(
      `PET has been active for ${duration('main')} today, already meeting its ${duration('goal')} daily goal`,
      'g',
    ),
    ({ goal, main }, page) => {
      saysMain(main, page)
      assert.is(readDuration(goal), round(page.goal))
      assert.ok(readDuration(main) >= readDuration(goal))
    },
  ],
  [
    new RegExp(
      `(?<verb>barked|averaged) (?:about )?${duration('main')}(?: of barking a day)?(?: \\((?:(?<events>[\\d,]+) times|(?<once>once)|(?<rarely>not every day))\\))?(?: today)?`,
      'g',
    ),
    ({ events, main, once, rarely, ...groups }, page) => {
      saysMain(main, page)
      if (rarely !== undefined) assert.ok((page.events ?? 0) > 0 && round(page.events ?? 0) === 0)
      const said = events !== undefined || once !== undefined
      if (said) assert.is(once === undefined ? readCount(events) : 1, round(page.events ?? -1))
      assert.is(groups.verb === 'averaged', !page.isDay)
    },
  ],
  [
    new RegExp(`(?:has been active|was active|averaging|averaged|has rested|rested)(?: for)? ${duration('main')}`, 'g'),
    ({ main }, page) => saysMain(main, page),
  ],
  [
    /(?:averaged|is|was) (?<value>\d[\d.]*) (?:beats?|breaths?|ms)(?: per minute)?/g,
    ({ value = '' }, page) => saysVital(value, page),
  ],

  // Barking against its limit
  [
    /(?:·,)? ?(?:barked )?(?<word>no|a little|clearly) more than (?:usual|expected)(?: \((?:usually not above about (?<limit>[^()]+)|usually (?<under>less than 1 min)) a day\))?(?! on| over)/g,
    ({ limit, under, word = '' }, page) => {
      assert.is(page.rating, { no: 'calm', 'a little': 'active', clearly: 'frequent' }[word])
      const said = limit ?? under
      if (said === undefined) return
      assert.is(readDuration(said), round(page.upper ?? -1))
      const isAbove = round(page.main ?? 0) > readDuration(said)
      if (page.main !== undefined) assert.is(isAbove, word !== 'no')
    },
  ],
  [
    /; (?:up to about (?<limit>[^;.]+)|(?<under>less than 1 min)) a day is usual/g,
    ({ limit, under }, page) => assert.is(readDuration(limit ?? under), round(page.upper ?? -1)),
  ],

  // Nights
  [/, (?:woke (?:(?<count>[\d,]+) times|(?<once>once))|did not wake),/g, saysWakes],
  [/ and (?:wok(?:e|en) (?:(?<count>[\d,]+) times|(?<once>once))|did not wake)/g, saysWakes],
  [/ without waking/g, saysWakes],
  [
    /slept (?<word>well|just okay|poorly)/g,
    ({ word = '' }, { rating }) => assert.is(rating, { well: 'Good', 'just okay': 'Fair', poorly: 'Poor' }[word]),
  ],
  [
    / mainly because (?<first>rest was shorter|there were more wake-ups|there was more movement|rest came in short stretches)[^.,]*?(?: and (?<second>rest was shorter|there were more wake-ups|there was more movement|rest came in short stretches)[^.,]*)?(?=[.,])/g,
    ({ first = '', second }, page) => {
      for (const reason of [first, second ?? first]) saysReason(reason, page)
      assert.is.not(first, second)
    },
  ],
  [
    /, (?:already (?<nights>\d+) nights in a row|making (?<days>\d+) (?:unusual days in a row|days in a row outside the norm))/g,
    ({ nights, days = nights }, { streak }) => {
      assert.is(Number(days), streak)
      assert.ok(Number(days) >= 2)
    },
  ],

  // Weeks and months
  [
    /was less active than usual on (?<low>\d+) days?(?: and more active on (?<high>\d+) days?)?/g,
    ({ high, low }, page) => {
      assert.is(Number(low), page.low)
      assert.is(Number(high ?? 0), page.high)
      assert.is(page.low + page.high, page.unusual)
      assert.ok(high !== undefined || page.low < page.rated)
    },
  ],
  [
    new RegExp(`was (?<word>less|more) active than usual on ${share}`, 'g'),
    (groups, page) => {
      saysShare(groups, page)
      assert.equal([page.unusual, groups.word === 'less' ? page.low : page.high], [page.rated, page.rated])
    },
  ],
  [
    /was more active than usual on (?<high>\d+) days?/g,
    ({ high }, page) => assert.equal([Number(high), page.unusual], [page.high, page.high]),
  ],
  [
    // The contract has this shape for every number of days; the other languages name the days that were compared.
    /PET's activity stayed within its usual range on all (?<days>\d+) days(?<compared> compared)?/g,
    ({ compared, days }, page) => {
      assert.equal([Number(days), page.unusual], [page.rated, 0])
      if (compared !== undefined) assert.ok(page.rated < page.daysOver)
    },
  ],
  [
    new RegExp(`stayed within its usual range on ${share}`, 'g'),
    (groups, page) => {
      saysShare(groups, page)
      assert.is(page.unusual, 0)
    },
  ],
  [
    new RegExp(
      `(?:was outside its usual range|did not rest as well as usual|barked clearly more than usual) on ${share}`,
      'g',
    ),
    (groups, page) => {
      saysShare(groups, page)
      assert.ok((page.unusual ?? 0) > 0)
      assert.is(groups.all !== undefined, page.unusual === page.rated)
    },
  ],
  [
    /(?:was never (?:far from|much worse than) usual|never barked clearly more than usual) over the (?<days>\d+) (?<base>(?:days|nights)(?: compared)?)/g,
    ({ base = '', days }, page) => {
      assert.is(Number(days), page.rated)
      assert.is(page.unusual, 0)
      saysBase(base, page)
    },
  ],
  [
    /(?<percent>[\d,]+)% (?<word>more|less|higher|lower) than (?<before>last week|last month|the week before|the month before)/g,
    ({ before, percent, word = '' }, page) => {
      const { change = 0 } = page
      assert.is(readCount(percent), Math.floor(Math.abs(change) + 0.5))
      assert.is(/more|higher/.test(word), change > 0)
      assert.ok(change > 0 || readCount(percent) <= 100)
      saysBefore(before, page)
    },
  ],
  [
    /about the same as (?<before>last week|last month|the week before|the month before)/g,
    ({ before }, page) => {
      assert.ok(Math.abs(page.change ?? 9) < 0.5)
      saysBefore(before, page)
    },
  ],
  [
    /(?:only|with records on only) (?<count>\d+) (?<unit>day|night)s?(?: with records)?/g,
    ({ count, unit }, { metric, payload, records }) => {
      assert.is(Number(count), records)
      assert.is(unit === 'day', metric === 'activity' || metric === 'bark')
      assert.ok(Number(count) < { day: 1, week: 3, month: 10 }[payload.viewWindow])
    },
  ],
  [/(?:no full (?:days|nights) recorded|though no full day was recorded)/g, (_, { records }) => assert.is(records, 0)],
]

function saysVital(value: string, { main }: Page): void {
  const scale = value.includes('.') ? 10 : 1
  assert.is(Number(value), Math.floor((main ?? 0) * scale + 0.5) / scale)
}

function saysWakes({ count, once }: Groups, { events, main }: Page): void {
  assert.is(once === undefined ? readCount(count ?? '0') : 1, round(events ?? -1))
  assert.ok(round(main ?? 0) > 0, 'nothing to wake from')
}

function saysReason(reason: string, page: Page): void {
  const { basis, events, factors, lower, main, upper } = page
  const [, name = ''] = Object.entries(reasons).find(([words]) => reason.startsWith(words)) ?? []
  assert.ok(factors.includes(name), `${name} was not sent`)
  if (name === 'interruptions') assert.ok(round(events ?? 1) > 0, 'wakes of a night without any')
  const isPersonal = basis !== 'breed' && basis !== 'general'
  if (name !== 'duration' || !isPersonal || lower === undefined || upper === undefined || lower > upper) return
  assert.ok((main ?? 0) <= Math.max(0, upper), 'short rest of a night above its usual range')
}

const reasons: Readonly<Record<string, string>> = {
  'rest was shorter': 'duration',
  'there were more wake-ups': 'interruptions',
  'there was more movement': 'nightActivity',
  'rest came in short stretches': 'longestRestBlock',
}

function saysBefore(before: string | undefined, { isCurrent, payload }: Page): void {
  const window = payload.viewWindow
  assert.is(before, isCurrent ? `last ${window}` : `the ${window} before`)
}

const toDate = (words: string, year: string) =>
  new Date(`${/\d{4}$/.test(words) ? words : `${words}, ${year}`} UTC`).toISOString().slice(0, 10)
const previousDay = (date: string) => new Date(Date.parse(date) - 86_400_000).toISOString().slice(0, 10)
