import { createHash } from 'node:crypto'
import { SvcError } from '../../errors.js'
import { isJsonObject } from '../../insight/json-object.js'
import { type Locale, locales } from '../../insight/types.js'

/** The rules about words that reviewers settled: `catalog/insight/wording.json`. */
export interface Wording {
  /**
   * Maximum length in characters of a whole text with its supplement, for a name of up to 40 letters.
   * @NOTE contract: no length is shown; these hold for the longest text that can be made of each scenario.
   */
  readonly maxLength: Readonly<Record<Locale, number>>
  /** The forbidden words by reason; a star matches any letters that follow. Source: health detail contract, 2.5. */
  readonly bannedWords: Readonly<Record<string, Readonly<Record<Locale, readonly string[]>>>>
  /** One row per unit: its spellings in each language. */
  readonly units: readonly Readonly<Record<Locale, readonly string[]>>[]
  /** By text and language: cases that may use the words of `other` although other languages distinguish them. */
  readonly sameCases: Exceptions
  /** By text and language: placeholders whose order differs from the other languages on purpose. */
  readonly placeholderOrder: Exceptions
  /** Words that mean a number. */
  readonly numberWords: Readonly<Record<Locale, Readonly<Record<string, number>>>>
}

type Exceptions = Readonly<Record<string, Readonly<Partial<Record<Locale, readonly string[]>>>>>

/** Validates the content of `catalog/insight/wording.json`. Throws an SvcError that names the invalid member. */
export function parseWording(value: Readonly<Record<string, unknown>>): Wording {
  const isWords = (words: unknown) => Array.isArray(words) && words.every((word) => typeof word === 'string' && word)
  const isNumber = (number: unknown) => typeof number === 'number' && number > 0
  requireEach(value.maxLength, 'maxLength', isNumber, 'a number above 0')
  for (const [reason, words] of Object.entries(requireObject(value.bannedWords, 'bannedWords'))) {
    requireEach(words, `bannedWords, ${reason}`, isWords, 'an array of words')
  }
  if (!Array.isArray(value.units)) throw refuse('units', 'an array')
  for (const [index, unit] of value.units.entries()) requireEach(unit, `units, ${index}`, isWords, 'an array of words')
  requireEach(
    value.numberWords,
    'numberWords',
    (words) => Object.values(requireObject(words, 'numberWords')).every(isNumber),
    'words with the number that each says',
  )
  for (const name of ['sameCases', 'placeholderOrder']) {
    for (const [id, entry] of Object.entries(requireObject(value[name], name))) {
      for (const [locale, words] of Object.entries(requireObject(entry, `${name}, ${id}`))) {
        if (!locales.includes(locale as Locale) || !isWords(words))
          throw refuse(`${name}, ${id}, ${locale}`, 'an array of words')
      }
    }
  }
  return value as unknown as Wording
}

/** Returns the SHA-256 of the rules, independent of white space. */
export function hashWording(wording: Wording): string {
  return createHash('sha256').update(JSON.stringify(wording)).digest('hex')
}

/** Escapes a word for a regular expression. */
export function escapeWord(word: string): string {
  return word.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
}

function requireEach(value: unknown, where: string, isGood: (member: unknown) => boolean, expected: string): void {
  const members = requireObject(value, where)
  for (const locale of locales) if (!isGood(members[locale])) throw refuse(`${where}, ${locale}`, expected)
}

function requireObject(value: unknown, where: string): Readonly<Record<string, unknown>> {
  if (isJsonObject(value)) return value
  throw refuse(where, 'an object')
}

function refuse(where: string, expected: string): SvcError {
  return new SvcError('internal_error', `catalog/insight/wording.json: ${where} must be ${expected}.`)
}
