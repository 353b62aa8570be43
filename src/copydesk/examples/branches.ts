import { parse, type Token } from '@messageformat/parser'
import type { TextUse } from '../../insight/trace.js'
import { byLocale, type Locale, locales } from '../../insight/types.js'
import type { Patterns } from '../signoff/signoff.js'

/** A choice of a pattern: its words depend on a value. */
interface BranchChoice {
  readonly argument: string
  readonly isPlural: boolean
  readonly cases: ReadonlyMap<string, readonly BranchChoice[]>
}

/**
 * Returns a function that lists the branches that a use of a text takes, in all languages: the values are the same in
 * each. A name includes the outer branches: `LEAD_TODAY es basis=breed hour==1`.
 */
export function createBranchReader(patterns: Patterns): (use: TextUse) => readonly string[] {
  const choicesOf = (id: string) =>
    locales.map((locale) => ({ locale, choices: readChoices(parse(patterns[locale][id] ?? '')) }))
  const choices = new Map(Object.keys(patterns['en-US']).map((id) => [id, choicesOf(id)]))
  return ({ id, values }) =>
    (choices.get(id) ?? []).flatMap(({ locale, choices: found }) => [
      `${id} ${locale}`,
      ...listTaken(found, values, locale, `${id} ${locale}`),
    ])
}

function readChoices(tokens: readonly Token[]): readonly BranchChoice[] {
  return tokens.flatMap((token) => {
    if (!('cases' in token)) return []
    const cases = new Map(token.cases.map(({ key, tokens: inner }) => [key, readChoices(inner)]))
    return [{ argument: token.arg, isPlural: token.type === 'plural', cases }]
  })
}

function listTaken(
  choices: readonly BranchChoice[],
  values: TextUse['values'],
  locale: Locale,
  prefix: string,
): string[] {
  return choices.flatMap(({ argument, cases, isPlural }) => {
    const key = findCase([...cases.keys()], { value: values[argument] ?? '', isPlural, locale })
    const name = `${prefix} ${argument}=${key}`
    return [name, ...listTaken(cases.get(key) ?? [], values, locale, name)]
  })
}

interface Choosing {
  readonly value: TextUse['values'][string]
  readonly isPlural: boolean
  readonly locale: Locale
}

/** Returns the case of a choice that a value takes. */
export function findCase(cases: readonly string[], { value, isPlural, locale }: Choosing): string {
  const wanted = isPlural ? [`=${value}`, pluralRules[locale].select(Number(value))] : [String(value)]
  return wanted.find((candidate) => cases.includes(candidate)) ?? 'other'
}

const pluralRules = byLocale((locale) => new Intl.PluralRules(locale))
