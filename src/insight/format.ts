import { dateParts } from './calendar.js'
import type { Locale } from './types.js'

/** Rounds to a whole number, a half upwards (0.5 is 1, 300.5 is 301). Source: health detail contract, 2.6.2. */
export function roundHalfUp(value: number): number {
  return Math.floor(value + 0.5)
}

/** Checks whether two numbers are the same text after rounding. */
export function roundsToSameText(one: number, other: number, decimals: 0 | 1 = 0): boolean {
  const scale = 10 ** decimals
  return roundHalfUp(one * scale) === roundHalfUp(other * scale)
}

/**
 * Splits minutes into what the DURATION text says: rounded half up as a whole, then split, a zero part left out.
 * 300.5 is 5 h 1 min; 59.5 is 1 h; 0 is 0 min. Source: health detail contract, 2.6.2.
 */
export function splitDuration(durationMinutes: number): { form: 'hm' | 'h' | 'm'; hours: number; minutes: number } {
  const total = roundHalfUp(durationMinutes)
  const hours = Math.floor(total / 60)
  const minutes = total % 60
  return { form: hours === 0 ? 'm' : minutes === 0 ? 'h' : 'hm', hours, minutes }
}

/**
 * A vital value as text: a whole number, or one decimal where `decimals` is 1, rounded half up.
 * Spanish writes a decimal comma.
 */
export function formatVital(locale: Locale, value: number, decimals: 0 | 1): string {
  if (decimals === 0) return String(roundHalfUp(value))
  return (roundHalfUp(value * 10) / 10).toFixed(1).replace('.', decimalMarks[locale])
}

const decimalMarks: Readonly<Record<Locale, string>> = { 'en-US': '.', 'zh-CN': '.', es: ',' }

/** A whole number as text, with the separators of the language: 1,234 in English, 1234 and 12.345 in Spanish. */
export function formatCount(locale: Locale, count: number): string {
  if (count < 1000) return String(count)
  countFormats[locale] ??= new Intl.NumberFormat(locale)
  return countFormats[locale].format(count)
}

/** Made on need: the first one loads the tables of ICU, which is a tenth of the time that a server takes to start. */
const countFormats: Partial<Record<Locale, Intl.NumberFormat>> = {}

/** Characters that break a line or reverse the text around a name, and lone surrogates. Joiners in emoji are kept. */
const breaking = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u202A-\u202E\u2066-\u2069\u200B\u2060]/gu

/** A name as texts write it: on one line, without blanks at its ends and with one blank between its words. */
export function cleanName(name: string): string {
  return name.replaceAll(breaking, ' ').replaceAll(/\s+/g, ' ').trim()
}

/**
 * A text with the name filled in, without the second full stop where a sentence closes with a name such as "Toby Jr.", and
 * without the "s" of an English genitive where the name ends in an apostrophe, such as "Ross’".
 */
export function joinName(text: string, name: string): string {
  const whole = name.endsWith('.') ? text.replaceAll(`${name}.`, () => name) : text
  return /['’]$/.test(name) ? whole.replaceAll(`${name}'s`, () => name) : whole
}

/**
 * A local clock time: "4:05 PM" in en-US, "16:05" elsewhere. By hand: the spaces of Intl differ between ICU versions.
 */
export function formatClock(locale: Locale, minuteOfDay: number): string {
  const hour = Math.floor(minuteOfDay / 60)
  const minute = String(minuteOfDay % 60).padStart(2, '0')
  return clocks[locale] === 24 ? `${hour}:${minute}` : `${hour % 12 || 12}:${minute} ${hour < 12 ? 'AM' : 'PM'}`
}

const clocks: Readonly<Record<Locale, 12 | 24>> = { 'en-US': 12, 'zh-CN': 24, es: 24 }

/**
 * A calendar date: "October 14", "10月14日", "14 de octubre"; with its year when that is not the year of `today`. Both
 * are day numbers.
 */
export function formatDay(locale: Locale, day: number, today: number): string {
  const date = dateParts(day)
  return dayTexts[locale](date, date.year !== dateParts(today).year)
}

/**
 * The night that ends in the morning of `day`: "October 13-14", "10月13日夜间至14日清晨", "13 al 14 de octubre".
 * Both months are written where they differ, the year as in `formatDay`.
 */
export function formatNight(locale: Locale, day: number, today: number): string {
  const end = dateParts(day)
  return nightTexts[locale](dateParts(day - 1), end, end.year !== dateParts(today).year)
}

type Date = ReturnType<typeof dateParts>

const englishMonths = [
  ...['January', 'February', 'March', 'April', 'May', 'June'],
  ...['July', 'August', 'September', 'October', 'November', 'December'],
]
const spanishMonths = [
  ...['enero', 'febrero', 'marzo', 'abril', 'mayo', 'junio'],
  ...['julio', 'agosto', 'septiembre', 'octubre', 'noviembre', 'diciembre'],
]

const english = (date: Date) => `${englishMonths[date.month - 1]} ${date.day}`
const chinese = (date: Date) => `${date.month}月${date.day}日`
const spanish = (date: Date) => `${date.day} de ${spanishMonths[date.month - 1]}`

const dayTexts: Record<Locale, (date: Date, withYear: boolean) => string> = {
  'en-US': (date, withYear) => (withYear ? `${english(date)}, ${date.year}` : english(date)),
  'zh-CN': (date, withYear) => (withYear ? `${date.year}年${chinese(date)}` : chinese(date)),
  es: (date, withYear) => (withYear ? `${spanish(date)} de ${date.year}` : spanish(date)),
}

const nightTexts: Record<Locale, (start: Date, end: Date, withYear: boolean) => string> = {
  'en-US': (start, end, withYear) => {
    const from = withYear && start.year !== end.year ? dayTexts['en-US'](start, true) : english(start)
    const to = start.month === end.month ? String(end.day) : english(end)
    return withYear ? `${from}-${to}, ${end.year}` : `${from}-${to}`
  },
  'zh-CN': (start, end, withYear) => {
    const to = start.month === end.month ? `${end.day}日` : dayTexts['zh-CN'](end, withYear && start.year !== end.year)
    return `${dayTexts['zh-CN'](start, withYear)}夜间至${to}清晨`
  },
  es: (start, end, withYear) => {
    const from = start.month === end.month ? String(start.day) : dayTexts.es(start, withYear && start.year !== end.year)
    return `${from} al ${dayTexts.es(end, withYear)}`
  },
}
