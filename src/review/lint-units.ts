import { defaultLocale, type Locale, locales } from '../insight/types.js'
import type { Finding } from './finding.js'
import type { Part, PatternCase } from './pattern-cases.js'
import type { Wording } from './wording.js'

/** The units that may stand behind a number, as rows of the wording: `次/分` may be either of two. */
type Units = ReadonlySet<number>

/** What a language puts behind a number. */
interface Behind {
  readonly locale: Locale
  readonly units: Units
}

/** Numbers with another unit than in the other languages, or without the unit that both of them have. */
export function lintUnits(
  where: Pick<Finding, 'file' | 'id'>,
  parts: PatternCase['parts'],
  wording: Wording,
): Finding[] {
  const found = locales.map((locale) => ({ locale, numbers: listUnits(parts[locale] ?? [], locale, wording.units) }))
  const names = new Set(found.flatMap(({ numbers }) => [...numbers.keys()]))
  const show = ({ locale, units }: Behind) =>
    [...units].map((row) => wording.units[row]?.[locale][0]).join(' or ') || 'no unit'
  return [...names].flatMap((name) => {
    const behind = found.flatMap(({ locale, numbers }) => {
      const units = numbers.get(name)
      return units === undefined ? [] : [{ locale, units }]
    })
    const right = findRight(behind)
    if (right === undefined) return []
    const odd = behind.filter((one) => one !== right && !isSame(one, right))
    const number = /^\d/.test(name) ? name : `{${name}}`
    return odd.map((one): Finding => {
      const message = `The text ${where.id} puts ${show(one)} behind ${number} in ${one.locale}, and ${show(right)} in ${right.locale}.`
      const fix = 'Put the same unit behind the same number in every language.'
      return { ...where, code: 'unit-differs', locale: one.locale, message, fix }
    })
  })
}

const isSame = (one: Behind, other: Behind) => [...one.units].some((unit) => other.units.has(unit))

/** The one that another agrees with; where none do, that of the source. undefined: there is nothing to compare. */
function findRight(behind: readonly Behind[]): Behind | undefined {
  const agreed = behind.find((one) => behind.some((other) => other !== one && isSame(one, other)))
  const having = behind.filter(({ units }) => units.size > 0)
  if (agreed !== undefined || having.length < 2) return agreed
  return having.find(({ locale }) => locale === defaultLocale) ?? having[0]
}

/** The units behind each number of a text: placeholders by name, numbers by their digits. */
function listUnits(parts: readonly Part[], locale: Locale, units: Wording['units']): Map<string, Units> {
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

/** The longest unit that a text begins with. */
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
  // Chinese words need no gap between them.
  return !/^[a-z]/i.test(word) || !/^\p{L}/u.test(text.slice(word.length))
}
