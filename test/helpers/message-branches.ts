import { parse, type SelectCase, type Token } from '@messageformat/parser'
import type { Copy, Locale, MessageFunction } from '../../src/insight/types.js'

type Patterns = Readonly<Record<Locale, Readonly<Record<string, string>>>>
type Values = Readonly<Record<string, string | number>>

/**
 * An independent implementation of the catalog: interprets the parsed patterns instead of calling compiled functions,
 * and records every branch that a text takes. Branches are named `ID locale argument=case`.
 */
export function traceBranches(patterns: Patterns): {
  copy: Copy
  all: ReadonlySet<string>
  taken: ReadonlySet<string>
} {
  const all = new Set<string>()
  const taken = new Set<string>()
  const read = (locale: Locale) =>
    Object.fromEntries(
      Object.entries(patterns[locale]).map(([id, pattern]): [string, MessageFunction] => {
        const tokens = parse(pattern)
        const name = (token: { arg: string }, branch: SelectCase) => `${id} ${locale} ${token.arg}=${branch.key}`
        listBranches(tokens, (token, branch) => {
          // An empty branch shows reviewers nothing.
          if (branch.tokens.length > 0) all.add(name(token, branch))
        })
        const visit: Visit = (token, branch) => taken.add(name(token, branch))
        return [id, (values) => keepWithUnit(say(tokens, values, locale, visit), locale)]
      }),
    )
  return {
    copy: { ruleVersion: 'traced', messages: { 'zh-CN': read('zh-CN'), 'en-US': read('en-US'), es: read('es') } },
    all,
    taken,
  }
}

/** Lists the literal parts of a pattern, without arguments and branches. */
export function listContents(pattern: string): string[] {
  const walk = (tokens: readonly Token[]): string[] =>
    tokens.flatMap((token) => {
      if (token.type === 'content') return [token.value]
      return 'cases' in token ? token.cases.flatMap((branch) => walk(branch.tokens)) : []
    })
  return walk(parse(pattern))
}

type Visit = (token: { arg: string }, branch: SelectCase) => void

function listBranches(tokens: readonly Token[], visit: Visit): void {
  for (const token of tokens) {
    if (!('cases' in token)) continue
    for (const branch of token.cases) {
      visit(token, branch)
      listBranches(branch.tokens, visit)
    }
  }
}

function say(tokens: readonly Token[], values: Values, locale: Locale, visit: Visit, number?: string): string {
  return tokens
    .map((token) => {
      if (token.type === 'content') return token.value
      if (token.type === 'octothorpe') return number ?? '#'
      const value = values[token.arg] ?? ''
      if (!('cases' in token)) return String(value)
      const branch = chooseBranch(token.type, token.cases, value, locale)
      visit(token, branch)
      return say(branch.tokens, values, locale, visit, new Intl.NumberFormat(locale).format(Number(value)))
    })
    .join('')
}

const units = /(?<=\d) (?=(?:h|min|ms|%|beats?|breaths?|latidos?|respiración|respiraciones)(?!\p{L}))/gu

/** Chinese texts have no spaces. */
function keepWithUnit(text: string, locale: Locale): string {
  return locale === 'zh-CN' ? text : text.replaceAll(units, '\u00A0')
}

function chooseBranch(type: string, cases: readonly SelectCase[], value: string | number, locale: Locale): SelectCase {
  const keys =
    type === 'plural'
      ? [`=${value}`, new Intl.PluralRules(locale).select(Number(value)), 'other']
      : [String(value), 'other']
  for (const key of keys) {
    const found = cases.find((branch) => branch.key === key)
    if (found !== undefined) return found
  }
  throw new Error(`no branch for ${value}`)
}
