import { defaultLocale, type Locale, locales } from '../../insight/types.js'
import type { ReviewTexts } from '../entries.js'
import type { Finding } from '../finding.js'
import { keepLast } from './keep-last.js'
import { filledIn, joinParts, listPatternCases, type PatternCase, type PatternPart } from './pattern-cases.js'
import { escapeWord, hashWording, type Wording } from './wording.js'

const ofTexts = keepLast<Finding[]>()

/**
 * Checks case by case that a text has the same placeholders, numbers, units and end in every language. `edited` names
 * the texts that differ from their approval, such as `RANGE es`.
 */
export function lintParity(texts: ReviewTexts, wording: Wording, edited: ReadonlySet<string>): Finding[] {
  const rules = hashWording(wording)
  return Object.entries(texts.files).flatMap(([id, file]) => {
    const patterns = patternsOf(id, texts)
    const isEdited = (locale: Locale) => edited.has(`${id} ${locale}`)
    return ofTexts(id, [file, patterns, rules, locales.map(isEdited)], () => {
      const cases = listPatternCases(patterns)
      const orderFindings = cases.flatMap(({ parts }) => lintOrder({ id, file }, parts, wording, isEdited))
      // A unit follows its placeholder: a finding on the order covers the unit.
      const unitFindings =
        orderFindings.length > 0 ? [] : cases.flatMap(({ parts }) => lintUnits({ id, file }, parts, wording))
      return [
        ...cases.flatMap((one) => lintCase({ id, file }, one, wording)),
        ...orderFindings,
        ...blameOne(unitFindings, isEdited),
      ]
    })
  })
}

/** Says what the parts of a text in a language have. */
type SayParts = (parts: readonly PatternPart[], locale: Locale) => string

function lintCase(where: Pick<Finding, 'file' | 'id'>, { parts, when }: PatternCase, wording: Wording): Finding[] {
  const compare = (code: Finding['code'], fix: string, read: SayParts) =>
    findOdd(parts, read).map(({ locale, says, others }): Finding => {
      const inCase = when === '' ? '' : `, where ${when}`
      const message = `The text ${where.id}${inCase} says ${says} in ${locale}, and ${others} in the other languages.`
      return { ...where, code, locale, message, fix }
    })
  return [
    ...compare('placeholder', 'Write the same names in braces in every language.', sayArguments),
    ...compare('number-differs', 'Write the same numbers in every language.', sayNumbers(wording)),
    ...compare('end-mark', 'End it as the other languages do.', sayEnd),
    ...lintBeginning(where, parts),
  ]
}

/**
 * Keeps the findings of one language when several are blamed for one difference: an edited one, else the most blamed.
 */
function blameOne(findings: readonly Finding[], isEdited: (locale: Locale) => boolean): readonly Finding[] {
  const blamed = locales.filter((locale) => findings.some((finding) => finding.locale === locale))
  const countOf = (locale: Locale) => findings.filter((finding) => finding.locale === locale).length
  const rank = (locale: Locale) =>
    (isEdited(locale) ? 1000 : 0) + countOf(locale) + (locale === defaultLocale ? 0 : 0.5)
  const [first] = [...blamed].sort((a, b) => rank(b) - rank(a))
  return findings.filter(({ locale }) => locale === first)
}

export function patternsOf(id: string, { patterns }: ReviewTexts): Partial<Record<Locale, string>> {
  const having = locales.filter((locale) => patterns[locale][id] !== undefined)
  return Object.fromEntries(having.map((locale) => [locale, patterns[locale][id]]))
}

/** Returns the languages that differ: the minority, or if all differ, those that are not the source language. */
function findOdd(parts: PatternCase['parts'], read: SayParts) {
  const said = locales.flatMap((locale) => {
    const list = parts[locale]
    return list === undefined ? [] : [{ locale, words: read(list, locale) }]
  })
  const isAlone = (one: string) => said.filter(({ words }) => words === one).length === 1
  const common = said.find(({ words }) => !isAlone(words)) ?? said.find(({ locale }) => locale === defaultLocale)
  return said
    .filter(({ words }) => words !== common?.words)
    .map(({ locale, words }) => ({ locale, says: words, others: common?.words ?? '' }))
}

function sayArguments(parts: readonly PatternPart[]): string {
  const names = parts.flatMap((part) => (part.kind === 'argument' ? [`{${part.name}}`] : []))
  return [...new Set(names)].sort().join(' ') || 'no placeholder'
}

function sayNumbers({ numberWords }: Wording): SayParts {
  return (parts, locale) => {
    const numbers = parts.flatMap((part) => {
      if (part.kind === 'number') return [part.value]
      return part.kind === 'words' ? readNumbers(part.value, numberWords[locale]) : []
    })
    return numbers.sort((a, b) => a - b).join(', ') || 'no number'
  }
}

function readNumbers(words: string, numberWords: Readonly<Record<string, number>>): number[] {
  const digits = words.match(/\d+(?:[.,]\d+)?/g) ?? []
  const written = Object.entries(numberWords).flatMap(([word, value]) => {
    const found = words.match(new RegExp(`(?<!\\p{L})${escapeWord(word)}(?!\\p{L})`, 'giu')) ?? []
    return found.map(() => value)
  })
  return [...digits.map((number) => Number(number.replace(',', '.'))), ...written]
}

/** A clause brings the space or comma before it: in English and in Spanish, or in neither. */
function lintBeginning(where: Pick<Finding, 'file' | 'id'>, parts: PatternCase['parts']): Finding[] {
  const begins = (['en-US', 'es'] as const).map((locale) => ({ locale, text: joinParts(parts[locale] ?? []) }))
  if (begins.some(({ text }) => text === '' || /[.!?]\s*$/.test(text))) return []
  const apart = begins.filter(({ text }) => /^[\s,;]/.test(text))
  const [touching] = begins.filter((one) => !apart.includes(one))
  if (apart.length !== 1 || touching === undefined || apart[0] === undefined) return []
  const message = `The text ${where.id} begins without a space or comma in ${touching.locale}, and with one in ${apart[0].locale}.`
  const fix = 'Begin it with a space or comma: it directly follows other words.'
  return [{ ...where, code: 'space-missing', locale: touching.locale, message, fix }]
}

function sayEnd(parts: readonly PatternPart[]): string {
  const text = joinParts(parts).trimEnd()
  if (text.endsWith(filledIn) || text === '') return 'no full stop at its end'
  return /[.。!！?？…]$/.test(text) ? 'a full stop at its end' : 'no full stop at its end'
}

/**
 * Finds placeholders whose order differs from the other languages, or from the order that reviewers settled for a
 * language.
 */
function lintOrder(
  where: Pick<Finding, 'file' | 'id'>,
  parts: PatternCase['parts'],
  { placeholderOrder }: Wording,
  isEdited: (locale: Locale) => boolean,
): Finding[] {
  const written = locales.map((locale) => ({ locale, names: listNames(parts, locale) }))
  const [{ names: first } = { names: [] }] = written
  const common = first.filter((name) => written.every(({ names }) => names.includes(name)))
  const settled = placeholderOrder[where.id ?? ''] ?? {}
  const odd = listPairs(common).flatMap(([one, other]) => {
    const isSettled = (locale: Locale) => [one, other].every((name) => settled[locale]?.includes(name))
    const isBefore = (names: readonly string[]) => names.indexOf(one) < names.indexOf(other)
    const wrong = written.filter(
      ({ locale, names }) => isSettled(locale) && isBefore(names) !== isBefore(settled[locale] ?? []),
    )
    const voters = written.filter(({ locale }) => !isSettled(locale))
    const before = voters.filter(({ names }) => isBefore(names))
    const after = voters.filter(({ names }) => !isBefore(names))
    return [...wrong, ...chooseBlamed(before, after, isEdited)].map(({ locale }) => ({ locale, one, other }))
  })
  return odd.map(({ locale, one, other }): Finding => {
    const message = `The text ${where.id} has {${one}} and {${other}} in the wrong order in ${locale}.`
    const fix =
      'Swap them; if the language needs this order, add it to placeholderOrder in catalog/insight/wording.json.'
    return { ...where, code: 'placeholder-order', locale, message, fix }
  })
}

interface Written {
  readonly locale: Locale
  readonly names: readonly string[]
}

/** Chooses the languages to blame: the edited ones, else the minority, else those that are not the source language. */
function chooseBlamed(
  before: readonly Written[],
  after: readonly Written[],
  isEdited: (locale: Locale) => boolean,
): readonly Written[] {
  if (before.length === 0 || after.length === 0) return []
  const edited = [before, after].filter((list) => list.every(({ locale }) => isEdited(locale)))
  if (edited.length === 1) return edited[0] ?? []
  if (before.length !== after.length) return before.length < after.length ? before : after
  return before.some(({ locale }) => locale === defaultLocale) ? after : before
}

function listNames(parts: PatternCase['parts'], locale: Locale): readonly string[] {
  const names = (parts[locale] ?? []).flatMap((part) => (part.kind === 'words' ? [] : [part.name]))
  return [...new Set(names)]
}

function listPairs(names: readonly string[]): (readonly [string, string])[] {
  return names.flatMap((one, index) => names.slice(index + 1).map((other) => [one, other] as const))
}

/** Candidates for the unit of a number, as rows of the wording: `次/分` matches two rows. */
type Units = ReadonlySet<number>

/** The units that a language puts after a number. */
interface UnitsInLocale {
  readonly locale: Locale
  readonly units: Units
}

/** Finds numbers whose unit differs from the other languages, or is missing there only. */
function lintUnits(where: Pick<Finding, 'file' | 'id'>, parts: PatternCase['parts'], wording: Wording): Finding[] {
  const found = locales.map((locale) => ({ locale, numbers: listUnits(parts[locale] ?? [], locale, wording.units) }))
  const names = new Set(found.flatMap(({ numbers }) => [...numbers.keys()]))
  const show = ({ locale, units }: UnitsInLocale) =>
    [...units].map((row) => wording.units[row]?.[locale][0]).join(' or ') || 'no unit'
  return [...names].flatMap((name) => {
    const candidates = found.flatMap(({ locale, numbers }) => {
      const units = numbers.get(name)
      return units === undefined ? [] : [{ locale, units }]
    })
    const right = findRight(candidates)
    if (right === undefined) return []
    const odd = candidates.filter((one) => one !== right && !isSame(one, right))
    const number = /^\d/.test(name) ? name : `{${name}}`
    return odd.map((one): Finding => {
      const message = `The text ${where.id} has ${show(one)} after ${number} in ${one.locale}, and ${show(right)} in ${right.locale}.`
      const fix = 'Write the same unit after the same number in every language.'
      return { ...where, code: 'unit-differs', locale: one.locale, message, fix }
    })
  })
}

const isSame = (one: UnitsInLocale, other: UnitsInLocale) => [...one.units].some((unit) => other.units.has(unit))

/**
 * Returns the language to compare with: one that another agrees with, else the source. Undefined if there is nothing to
 * compare.
 */
function findRight(candidates: readonly UnitsInLocale[]): UnitsInLocale | undefined {
  const agreed = candidates.find((one) => candidates.some((other) => other !== one && isSame(one, other)))
  const having = candidates.filter(({ units }) => units.size > 0)
  if (agreed !== undefined || having.length < 2) return agreed
  return having.find(({ locale }) => locale === defaultLocale) ?? having[0]
}

/** Maps each number of a text to its units: placeholders by name, literal numbers by their digits. */
function listUnits(parts: readonly PatternPart[], locale: Locale, units: Wording['units']): Map<string, Units> {
  const found = new Map<string, Units>()
  for (const [index, part] of parts.entries()) {
    if (part.kind === 'words') {
      for (const { 0: digits, index: at } of part.value.matchAll(/\d+/g)) {
        found.set(digits, findUnits(part.value.slice(at + digits.length), locale, units))
      }
      continue
    }
    const next = parts[index + 1]
    found.set(part.name, next?.kind === 'words' ? findUnits(next.value, locale, units) : new Set())
  }
  return found
}

/** Returns the longest unit that a text begins with. */
function findUnits(words: string, locale: Locale, units: Wording['units']): Units {
  const text = words.trimStart()
  const fits = units.flatMap((unit, row) =>
    unit[locale].filter((word) => beginsWith(text, word)).map((word) => ({ row, length: word.length })),
  )
  const longest = Math.max(0, ...fits.map(({ length }) => length))
  return new Set(fits.filter(({ length }) => length === longest).map(({ row }) => row))
}

function beginsWith(text: string, word: string): boolean {
  if (!text.startsWith(word)) return false
  // Chinese needs no space after a unit.
  return !/^[a-z]/i.test(word) || !/^\p{L}/u.test(text.slice(word.length))
}
