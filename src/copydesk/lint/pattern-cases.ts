import { parse, type Token } from '@messageformat/parser'
import { type Locale, locales } from '../../insight/types.js'
import { findCase } from '../examples/branches.js'

/** A piece of a text after all choices are made: words, an argument or a number. */
export type PatternPart =
  | { readonly kind: 'words'; readonly value: string }
  | { readonly kind: 'argument'; readonly name: string }
  | { readonly kind: 'number'; readonly name: string; readonly value: number }

/** The content of a text in one case of all its choices, in each language that could be parsed. */
export interface PatternCase {
  /** The case in words; empty if the text has no choices. */
  readonly when: string
  readonly parts: Readonly<Partial<Record<Locale, readonly PatternPart[]>>>
}

/** Placeholder for an argument when the parts of a text are joined. */
export const filledIn = '\uFFFC'

/** Lists every case that a text has in any language. Patterns must be valid; a language may be missing. */
export function listPatternCases(patterns: Readonly<Partial<Record<Locale, string>>>): PatternCase[] {
  const having = locales.filter((locale) => patterns[locale] !== undefined)
  const tokens = new Map(having.map((locale) => [locale, parse(patterns[locale] ?? '')]))
  return listChoices([...tokens.values()]).map((chosen) => {
    const choices = Object.entries(chosen).map(([name, value]) => `${name} is ${value}`)
    const parts = [...tokens].map(([locale, list]) => [locale, mergeWords(resolve(list, chosen, locale))])
    return { when: choices.join(' and '), parts: Object.fromEntries(parts) }
  })
}

/** Joins the parts to one string. */
export function joinParts(parts: readonly PatternPart[]): string {
  return parts.map((part) => (part.kind === 'words' ? part.value : filledIn)).join('')
}

/** The values of the arguments of choices, such as { days: 1, basis: 'breed' }. */
type Choices = Readonly<Record<string, string | number>>

function listChoices(texts: readonly (readonly Token[])[]): Choices[] {
  const values = new Map<string, Set<string | number>>()
  for (const tokens of texts) collectValues(tokens, values)
  let cases: Choices[] = [{}]
  for (const [name, options] of values) {
    cases = cases.flatMap((chosen) => [...options].map((value) => ({ ...chosen, [name]: value })))
  }
  return cases
}

/**
 * One number of each plural category that our languages use for integers, added to the numbers that a pattern names.
 */
const examples = [1, 5]

function collectValues(tokens: readonly Token[], values: Map<string, Set<string | number>>): void {
  for (const token of tokens) {
    if (!('cases' in token)) continue
    const options = values.get(token.arg) ?? new Set()
    values.set(token.arg, options)
    for (const { key, tokens: inner } of token.cases) {
      if (token.type === 'select') options.add(key)
      else if (key.startsWith('=')) options.add(Number(key.slice(1)))
      collectValues(inner, values)
    }
    if (token.type !== 'select') for (const example of examples) options.add(example)
  }
}

function resolve(tokens: readonly Token[], chosen: Choices, locale: Locale, counted?: PatternPart): PatternPart[] {
  return tokens.flatMap((token): PatternPart[] => {
    if (token.type === 'content') return [{ kind: 'words', value: token.value }]
    if (token.type === 'octothorpe') return [counted ?? { kind: 'words', value: '#' }]
    const value = chosen[token.arg]
    const filled: PatternPart =
      typeof value === 'number' ? { kind: 'number', name: token.arg, value } : { kind: 'argument', name: token.arg }
    if (!('cases' in token)) return [filled]
    const isPlural = token.type !== 'select'
    const keys = token.cases.map(({ key }) => key)
    const taken = findCase(keys, { value: value ?? '', isPlural, locale })
    const branch = token.cases.find(({ key }) => key === taken)
    return resolve(branch?.tokens ?? [], chosen, locale, isPlural ? filled : counted)
  })
}

function mergeWords(parts: readonly PatternPart[]): PatternPart[] {
  const merged: PatternPart[] = []
  for (const part of parts) {
    const last = merged.at(-1)
    if (part.kind === 'words' && last?.kind === 'words')
      merged.splice(-1, 1, { ...last, value: last.value + part.value })
    else merged.push(part)
  }
  return merged
}
