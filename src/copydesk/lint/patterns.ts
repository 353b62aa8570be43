import { parse } from '@messageformat/parser'
import { findArgumentMismatches, findPatternError, listArguments, walk } from '../../catalog/message-compiler.js'
import { type Locale, locales } from '../../insight/types.js'
import type { ReviewTexts } from '../entries.js'
import type { Finding } from '../finding.js'
import { keepLast } from './keep-last.js'
import { patternsOf } from './parity.js'
import type { Wording } from './wording.js'

const ofTexts = keepLast<Finding[]>()

/** Checks that every text parses and has its placeholders and the plural forms of its language. */
export function lintPatterns(texts: ReviewTexts, wording: Wording): Finding[] {
  return Object.entries(texts.files).flatMap(([id, file]) =>
    ofTexts(id, [file, patternsOf(id, texts), wording.sameCases[id]], () => {
      const broken = locales.flatMap((locale) => findBroken(id, file, locale, texts.patterns[locale][id]))
      if (broken.length > 0) return broken
      return [...lintArguments(id, file, texts), ...lintChoices(id, file, texts, wording)]
    }),
  )
}

function findBroken(id: string, file: string, locale: Locale, pattern: string | undefined): Finding[] {
  const error = pattern === undefined ? undefined : (findPatternError(pattern) ?? findUnusedSyntax(pattern))
  if (error === undefined) return []
  const fix = 'Compare its braces with the other languages: each { needs a }, and # belongs in a plural.'
  const message = `The text ${id} cannot be parsed in ${locale}: ${error}`
  return [{ code: 'pattern-broken', file, id, locale, message, fix }]
}

/** Rejects ICU syntax other than placeholders, plural and select: the catalog does not use it. */
function findUnusedSyntax(pattern: string): string | undefined {
  let problem: string | undefined
  walk(parse(pattern), (token) => {
    if (token.type === 'function') problem ??= `{${token.arg}, ${token.key}} is neither a plural nor a select.`
    if (token.type === 'selectordinal') problem ??= `{${token.arg}, selectordinal} is not supported.`
    if (token.type === 'plural' && token.pluralOffset) problem ??= `{${token.arg}, plural} has an offset.`
  })
  return problem
}

function lintArguments(id: string, file: string, { patterns }: ReviewTexts): Finding[] {
  const fix = 'Write the same names in braces as in the other languages.'
  return findArgumentMismatches(id, patterns).map(({ locale, message }): Finding => {
    return { code: 'placeholder', file, id, locale, fix, message: `In the text ${id} in ${locale}, ${message}` }
  })
}

/** A plural or select of a text in one language. */
interface PatternChoice {
  readonly type: 'plural' | 'select'
  readonly name: string
  readonly keys: readonly string[]
  readonly saysNumber: boolean
}

/** The choices of a text in the other languages. */
type Others = readonly { readonly locale: Locale; readonly choices: readonly PatternChoice[] }[]

function lintChoices(id: string, file: string, { patterns }: ReviewTexts, { sameCases }: Wording): Finding[] {
  const found = locales.map((locale) => ({ locale, choices: listChoices(patterns[locale][id] ?? '') }))
  const all = found.flatMap(({ choices }) => choices)
  const tellsOne = all.some(({ keys, type }) => type === 'plural' && keys.includes('one'))
  return found.flatMap(({ locale, choices }) => {
    const report = (code: Finding['code'], message: string, fix: string): Finding => ({
      ...{ code, file, id, locale, fix },
      message: `The text ${id} ${message} in ${locale}.`,
    })
    const others = found.filter((one) => one.locale !== locale)
    const uncounted = locale === 'zh-CN' ? [] : findUncounted(choices, others, patterns[locale][id] ?? '')
    return [
      ...uncounted.map((name) =>
        report(
          'plural-form',
          `has one form for {${name}}, and the other language two,`,
          `Write {${name}, plural, one {…} other {…}}.`,
        ),
      ),
      ...choices.flatMap((choice) => [
        ...findMissingForms(choice, locale, tellsOne).map((key) =>
          report('plural-form', `lacks the form "${key}" of {${choice.name}}`, `Add ${key} {…} with its words.`),
        ),
        ...findUnknownForms(choice, locale).map((key) =>
          report('plural-form', `has a plural form "${key}", which the language does not have,`, 'Delete it.'),
        ),
        ...findUnknownCases(choice, others).map((key) =>
          report(
            'choice-unknown',
            `has a case "${key}", which no other language has,`,
            'Correct the name of the case.',
          ),
        ),
        ...findMissingCases(choice, others, sameCases[id]?.[locale] ?? []).map((key) =>
          report(
            'choice-missing',
            `lacks the case "${key}" of {${choice.name}}, which the other languages have,`,
            `Add ${key} {…} with its words.`,
          ),
        ),
      ]),
    ]
  })
}

const categoriesOf = (locale: Locale): readonly string[] =>
  new Intl.PluralRules(locale).resolvedOptions().pluralCategories

function findMissingForms({ keys, saysNumber, type }: PatternChoice, locale: Locale, tellsOne: boolean): string[] {
  const needsOne = type === 'plural' && categoriesOf(locale).includes('one') && (saysNumber || tellsOne)
  const hasOne = keys.includes('one') || keys.includes('=1')
  return [...(keys.includes('other') ? [] : ['other']), ...(needsOne && !hasOne ? ['one'] : [])]
}

function findUnknownForms({ keys, type }: PatternChoice, locale: Locale): string[] {
  if (type === 'select') return []
  return keys.filter((key) => !key.startsWith('=') && !categoriesOf(locale).includes(key))
}

/** Finds cases that only one language has. A language may tell fewer cases apart, but a case of its own is a slip. */
function findUnknownCases(choice: PatternChoice, others: Others): string[] {
  const same = others.flatMap(({ choices }) =>
    choices.filter(({ name, type }) => type === 'select' && name === choice.name),
  )
  // A choice without `other` is already reported, and the word may be a misspelled `other`.
  if (choice.type === 'plural' || same.length === 0 || !choice.keys.includes('other')) return []
  return choice.keys.filter((key) => key !== 'other' && !same.some(({ keys }) => keys.includes(key)))
}

/** Finds cases that both other languages have in every choice of the argument. `same` lists the permitted omissions. */
function findMissingCases(choice: PatternChoice, others: Others, same: readonly string[]): string[] {
  // A misspelled case is already reported, and explains the missing one.
  if (!choice.keys.includes('other') || findUnknownCases(choice, others).length > 0) return []
  const alike = others.map(({ choices }) =>
    choices.filter(({ name, type }) => name === choice.name && type === choice.type),
  )
  const [keys = []] = alike.flat().map((other) => other.keys)
  return keys.filter((key) => {
    if (key === 'other' || (choice.type === 'plural' && !key.startsWith('=')) || choice.keys.includes(key)) return false
    const isKnown = alike.every((list) => list.length > 0 && list.every((other) => other.keys.includes(key)))
    return isKnown && !same.includes(key)
  })
}

/** Finds arguments that are a plural only in the other one of English and Spanish. */
function findUncounted(choices: readonly PatternChoice[], others: Others, pattern: string): string[] {
  const own = new Set(choices.filter(({ type }) => type === 'plural').map(({ name }) => name))
  const taken = listArguments(pattern)
  const counted = others
    .filter(({ locale }) => locale !== 'zh-CN')
    .flatMap((other) => other.choices.filter(({ keys, type }) => type === 'plural' && keys.includes('one')))
  return [...new Set(counted.map(({ name }) => name))].filter((name) => taken.includes(name) && !own.has(name))
}

function listChoices(pattern: string): PatternChoice[] {
  const choices: PatternChoice[] = []
  walk(parse(pattern), (token) => {
    if (token.type !== 'plural' && token.type !== 'select') return
    const keys = token.cases.map(({ key }) => key)
    const saysNumber = token.cases.some(({ tokens }) => tokens.some(({ type }) => type === 'octothorpe'))
    choices.push({ type: token.type, name: token.arg, keys, saysNumber })
  })
  return choices
}
