import { defaultLocale, type Locale, locales } from '../../insight/types.js'
import type { Finding } from '../finding.js'
import type { PatternCase, PatternPart } from './pattern-cases.js'
import type { Wording } from './wording.js'

/** Candidates for the unit of a number, as rows of the wording: `次/分` matches two rows. */
type Units = ReadonlySet<number>

/** The units that a language puts after a number. */
interface UnitsInLocale {
  readonly locale: Locale
  readonly units: Units
}

/** Finds numbers whose unit differs from the other languages, or is missing there only. */
export function lintUnits(
  where: Pick<Finding, 'file' | 'id'>,
  parts: PatternCase['parts'],
  wording: Wording,
): Finding[] {
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
