import { parse, type Token } from '@messageformat/parser'
import type { Copy, Locale, MessageFunction } from '../insight/types.js'
import { locales } from '../insight/types.js'

type Patterns = Readonly<Record<Locale, Readonly<Record<string, string>>>>
type Values = Readonly<Record<string, string | number>>

/** A place in a pattern where its words depend on a value. */
interface Choice {
  readonly argument: string
  readonly isPlural: boolean
  readonly cases: ReadonlyMap<string, readonly Choice[]>
}

/** One use of a text of the catalog. */
export interface TextUse {
  readonly id: string
  readonly values: Values
  /** What it said. */
  readonly text: string
}

/** Runs `render` with texts that are noted as they are used: the innermost first. */
export function traceTexts<Result>(
  copy: Copy,
  locale: Locale,
  render: (copy: Copy) => Result,
): { readonly result: Result; readonly uses: readonly TextUse[] } {
  const uses: TextUse[] = []
  const messages: Record<string, MessageFunction> = {}
  for (const [id, message] of Object.entries(copy.messages[locale])) {
    messages[id] = (values) => {
      const text = message(values)
      uses.push({ id, values, text })
      return text
    }
  }
  return { result: render({ ...copy, messages: { ...copy.messages, [locale]: messages } }), uses }
}

/**
 * Answers which branches a use of a text takes, in all languages at once: the values that choose are the same in each.
 * A branch is named with the ones around it: `LEAD_TODAY es basis=breed hour==1`.
 */
export function createBranchReader(patterns: Patterns): (use: TextUse) => readonly string[] {
  const choices = new Map<string, readonly { readonly locale: Locale; readonly choices: readonly Choice[] }[]>()
  for (const id of Object.keys(patterns['en-US'])) {
    choices.set(
      id,
      locales.map((locale) => ({ locale, choices: readChoices(parse(patterns[locale][id] ?? '')) })),
    )
  }
  return ({ id, values }) =>
    (choices.get(id) ?? []).flatMap(({ locale, choices: found }) => [
      `${id} ${locale}`,
      ...listTaken(found, values, locale, `${id} ${locale}`),
    ])
}

function readChoices(tokens: readonly Token[]): readonly Choice[] {
  return tokens.flatMap((token) =>
    'cases' in token
      ? [
          {
            argument: token.arg,
            isPlural: token.type === 'plural',
            cases: new Map(token.cases.map(({ key, tokens: inner }) => [key, readChoices(inner)])),
          },
        ]
      : [],
  )
}

function listTaken(choices: readonly Choice[], values: Values, locale: Locale, prefix: string): string[] {
  return choices.flatMap(({ argument, cases, isPlural }) => {
    const value = values[argument] ?? ''
    const wanted = isPlural
      ? [`=${value}`, pluralRules[locale].select(Number(value)), 'other']
      : [String(value), 'other']
    const key = wanted.find((candidate) => cases.has(candidate)) ?? 'other'
    const name = `${prefix} ${argument}=${key}`
    return [name, ...listTaken(cases.get(key) ?? [], values, locale, name)]
  })
}

const pluralRules: Readonly<Record<Locale, Intl.PluralRules>> = {
  'zh-CN': new Intl.PluralRules('zh-CN'),
  'en-US': new Intl.PluralRules('en-US'),
  es: new Intl.PluralRules('es'),
}
