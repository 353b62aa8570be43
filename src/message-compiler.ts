import messageFormat from '@messageformat/core'
import compileModule from '@messageformat/core/lib/compile-module.js'
import { parse, type Token } from '@messageformat/parser'
import type { Texts as CatalogTexts } from './catalog.js'
import { SvcError } from './errors.js'
import { scenarios } from './insight/scenarios.js'
import { type Copy, type Locale, locales, type MessageFunction } from './insight/types.js'

// The package is CommonJS and exports its class as the module itself; its types say `default`.
const MessageFormat = messageFormat as unknown as typeof messageFormat.default
const writeModule = compileModule as unknown as typeof compileModule.default
type Compiler = InstanceType<typeof MessageFormat>

type Texts = Pick<CatalogTexts, 'patterns' | 'files'>

/**
 * Compiles ICU patterns to functions. Throws an SvcError that names file, text and language of a broken pattern, or of one
 * whose arguments are not the ones that its scenario and its other languages have.
 */
export function compileMessages({ patterns, files }: Texts): Copy['messages'] {
  const messages: Record<Locale, Record<string, MessageFunction>> = { 'zh-CN': {}, 'en-US': {}, es: {} }
  for (const locale of locales) {
    const compiler = new MessageFormat(locale)
    for (const [id, pattern] of Object.entries(patterns[locale])) {
      messages[locale][id] = compilePattern(compiler, pattern, `catalog/${files[id]}, ${id}, ${locale}`)
    }
  }
  for (const id of Object.keys(files)) checkArguments(id, { patterns, files })
  return messages
}

/** The same as the source of an ES module whose default export is what `compileMessages` returns. */
export function compileMessageModule(texts: Texts): string {
  compileMessages(texts)
  return writeModule(new MessageFormat([...locales]), structuredClone(texts.patterns))
}

function compilePattern(compiler: Compiler, pattern: string, where: string): MessageFunction {
  const refuse = (reason: string, cause?: unknown) =>
    new SvcError('internal_error', `${where}: ${reason} The text is: ${pattern}`, { cause })
  const opened = pattern.split('{').length - 1
  const closed = pattern.split('}').length - 1
  if (opened !== closed) {
    throw refuse(`there are ${opened} opening and ${closed} closing braces; each { needs its }.`)
  }
  try {
    const message = compiler.compile(pattern) as MessageFunction
    if (hasBrace(parse(pattern))) throw refuse('a { stands alone; a brace may only enclose an argument.')
    return message
  } catch (cause) {
    if (cause instanceof SvcError) throw cause
    const [reason = ''] = (cause instanceof Error ? cause.message : String(cause)).split('\n')
    throw refuse(`this is not a valid message (${reason}).`, cause)
  }
}

/** Arguments that only some languages have: the Spanish article follows the hour, Chinese repeats the unit of a range. */
const ownArguments: Readonly<Record<string, readonly string[]>> = { LEAD_TODAY: ['hour'], VITAL_RANGE_UNIT: ['metric'] }

function checkArguments(id: string, { patterns, files }: Texts): void {
  const scenario = scenarios.find((candidate) => candidate.id === id)
  const [first = []] = locales.map((locale) => listArguments(patterns[locale][id] ?? ''))
  const expected = scenario === undefined ? first : [...Object.keys(scenario.clauses), 'name'].sort()
  const mayHave = new Set([...expected, ...(ownArguments[id] ?? [])])
  for (const locale of locales) {
    const found = listArguments(patterns[locale][id] ?? '')
    const unknown = found.filter((name) => !mayHave.has(name))
    const missing = expected.filter((name) => !found.includes(name) && !ownArguments[id]?.includes(name))
    if (unknown.length === 0 && missing.length === 0) continue
    const brace = (names: readonly string[]) => names.map((name) => `{${name}}`).join(' ')
    const faults = [
      ...(unknown.length > 0 ? [`${brace(unknown)} is not known here`] : []),
      ...(missing.length > 0 ? [`${brace(missing)} is missing`] : []),
    ]
    const source = scenario === undefined ? `as ${locales[0]} does` : 'in every language'
    throw new SvcError(
      'internal_error',
      `catalog/${files[id]}, ${id}, ${locale}: ${faults.join(' and ')}. This text takes ${brace(expected) || 'no arguments'}, ${source}.`,
    )
  }
}

/** The names of the arguments of a pattern, in the order of the alphabet. */
export function listArguments(pattern: string): string[] {
  const names = new Set<string>()
  walk(parse(pattern), (token) => {
    if ('arg' in token) names.add(token.arg)
  })
  return [...names].sort()
}

function hasBrace(tokens: readonly Token[]): boolean {
  let found = false
  walk(tokens, (token) => {
    found ||= token.type === 'content' && /[{}]/.test(token.value)
  })
  return found
}

function walk(tokens: readonly Token[], visit: (token: Token) => void): void {
  for (const token of tokens) {
    visit(token)
    if ('cases' in token) for (const { tokens: inner } of token.cases) walk(inner, visit)
  }
}
