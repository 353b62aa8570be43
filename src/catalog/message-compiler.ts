import messageFormat from '@messageformat/core'
import compileModule from '@messageformat/core/lib/compile-module.js'
import { parse, type Token } from '@messageformat/parser'
import { SvcError } from '../errors.js'
import { scenarios } from '../insight/scenarios.js'
import { byLocale, type Copy, locales, type MessageFunction } from '../insight/types.js'
import type { Texts } from './texts.js'

// The package is CommonJS and exports its class as the module; its types declare `default`.
const MessageFormat = messageFormat as unknown as typeof messageFormat.default
const writeModule = compileModule as unknown as typeof compileModule.default
type Compiler = InstanceType<typeof MessageFormat>
type MessageSource = Pick<Texts, 'patterns' | 'files'>

/**
 * Compiles ICU patterns to functions. Throws an SvcError that names file, text and language of a pattern that is
 * broken, or whose arguments are not those of its scenario and its other languages.
 */
export function compileMessages({ patterns, files }: MessageSource): Copy['messages'] {
  const messages = byLocale((locale) => {
    const compiler = new MessageFormat(locale)
    return mapTexts(patterns[locale], (pattern, id) =>
      compilePattern(compiler, joinUnits(pattern), `catalog/${files[id]}, ${id}, ${locale}`),
    )
  })
  for (const [id, file] of Object.entries(files)) {
    const [mismatch] = findArgumentMismatches(id, patterns)
    if (mismatch === undefined) continue
    throw new SvcError('internal_error', `catalog/${file}, ${id}, ${mismatch.locale}: ${mismatch.message}`)
  }
  return messages
}

/** Like `compileMessages`, but returns the source of an ES module with the result as its default export. */
export function compileMessageModule(texts: MessageSource): string {
  compileMessages(texts)
  const patterns = byLocale((locale) => mapTexts(texts.patterns[locale], joinUnits))
  return writeModule(new MessageFormat([...locales]), patterns)
}

const mapTexts = <Made>(texts: Readonly<Record<string, string>>, make: (text: string, id: string) => Made) =>
  Object.fromEntries(Object.entries(texts).map(([id, text]) => [id, make(text, id)]))

/** The space between a number, or an argument, and its unit. */
const unitSpace = /(?<=[}#\d]) (?=(?:h|min|ms|%|(?:beat|breath|latido|respiraci[oó]n)\p{L}*)(?!\p{L}))/gu

/** Makes the spaces before units no-break spaces. The catalog has ordinary ones, which reviewers can see. */
function joinUnits(pattern: string): string {
  return pattern.replaceAll(unitSpace, '\u00A0')
}

function compilePattern(compiler: Compiler, pattern: string, where: string): MessageFunction {
  const refuse = (reason: string, cause?: unknown) =>
    new SvcError('internal_error', `${where}: ${reason} The text is: ${pattern}`, { cause })
  const error = findBraceError(pattern)
  if (error !== undefined) throw refuse(error)
  try {
    return compiler.compile(pattern) as MessageFunction
  } catch (cause) {
    throw refuse(describeParseError(cause, pattern), cause)
  }
}

/** Returns a sentence on the syntax error of a pattern, if it has one. */
export function findPatternError(pattern: string): string | undefined {
  const error = findBraceError(pattern)
  if (error !== undefined) return error
  try {
    parse(pattern)
    return undefined
  } catch (error) {
    return describeParseError(error, pattern)
  }
}

/** Undefined also for a pattern with another syntax error. */
function findBraceError(pattern: string): string | undefined {
  const opened = pattern.split('{').length - 1
  const closed = pattern.split('}').length - 1
  const hint = hintAt(pattern, findStrayBrace(pattern))
  if (opened !== closed) return `there are ${opened} opening and ${closed} closing braces; each { needs a }.${hint}`
  try {
    return hasBrace(parse(pattern)) ? `a { is unpaired; a brace may only enclose an argument.${hint}` : undefined
  } catch {
    // The caller parses it next and reports the error.
    return undefined
  }
}

/** Returns the offset of the first brace that opens or closes no argument or branch, or is never closed. */
function findStrayBrace(pattern: string): number | undefined {
  const open: { readonly at: number; readonly isArgument: boolean }[] = []
  for (const { 0: brace, index } of pattern.matchAll(/[{}]/g)) {
    if (brace === '}') {
      if (open.pop() === undefined) return index
      continue
    }
    // An argument contains branches, and a branch contains arguments.
    const isArgument = open.at(-1)?.isArgument !== true
    if (isArgument && !/^\{\s*\w+\s*[,}]/.test(pattern.slice(index))) return index
    open.push({ at: index, isArgument })
  }
  return open.at(-1)?.at
}

function describeParseError(error: unknown, pattern: string): string {
  const [reason = ''] = (error instanceof Error ? error.message : String(error)).split('\n')
  const column = /line 1 col (\d+)/.exec(reason)?.[1]
  const hint = hintAt(pattern, column === undefined ? undefined : Number(column) - 1)
  return `this is not a valid message (${reason.replace(/:$| in \{.*/, '')}).${hint}`
}

function hintAt(pattern: string, index: number | undefined): string {
  return index === undefined ? '' : ` Look at ${quotePlace(pattern, index, 1)}.`
}

const quotedAround = 12

/** Quotes a position of a text with the letters around it. */
export function quotePlace(text: string, index: number, length: number): string {
  const start = Math.max(0, index - quotedAround)
  const end = index + length + quotedAround
  return `“${start > 0 ? '…' : ''}${text.slice(start, end)}${end < text.length ? '…' : ''}”`
}

/**
 * Arguments that only some languages have: the Spanish article follows the hour, Chinese repeats the unit of a range and
 * has no plural.
 */
const ownArguments: Readonly<Record<string, readonly string[]>> = {
  DATA_NAME: ['average'],
  LEAD_DAY: ['judged'],
  LEAD_NIGHT: ['judged'],
  LEAD_TODAY: ['hour'],
  VITAL_RANGE_UNIT: ['metric'],
  VITAL_VALUE: ['count'],
}

/**
 * Finds the languages in which a text lacks an argument, or has an unknown one, each with a message. A sentence takes the
 * arguments of its scenario, any other text those that most languages have. Skips a language that lacks the text.
 */
export function findArgumentMismatches(id: string, patterns: Texts['patterns']) {
  const scenario = scenarios.find((candidate) => candidate.id === id)
  const found = locales.flatMap((locale) => {
    const pattern = patterns[locale][id]
    return pattern === undefined ? [] : [{ locale, names: listArguments(pattern) }]
  })
  const own = ownArguments[id] ?? []
  const isCommon = (name: string) => found.filter(({ names }) => names.includes(name)).length * 2 > found.length
  const common = [...new Set(found.flatMap(({ names }) => names))].filter(isCommon)
  const taken = (scenario === undefined ? common : [...Object.keys(scenario.clauses), 'name']).sort()
  const brace = (names: readonly string[]) => names.map((name) => `{${name}}`).join(' ')
  return found.flatMap(({ locale, names }) => {
    const unknown = names.filter((name) => !taken.includes(name) && !own.includes(name))
    const missing = taken.filter((name) => !names.includes(name) && !own.includes(name))
    if (unknown.length === 0 && missing.length === 0) return []
    const problems = [
      ...(unknown.length > 0 ? [`${brace(unknown)} is not known here`] : []),
      ...(missing.length > 0 ? [`${brace(missing)} is missing`] : []),
    ]
    const source = scenario === undefined ? 'as the other languages do' : 'in every language'
    const message = `${problems.join(' and ')}. This text takes ${brace(taken) || 'no arguments'}, ${source}.`
    return [{ locale, message }]
  })
}

/** Returns the names of the arguments of a pattern, sorted. */
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

/** Visits every token of a pattern in depth-first order, parents first. */
export function walk(tokens: readonly Token[], visit: (token: Token) => void): void {
  for (const token of tokens) {
    visit(token)
    if ('cases' in token) for (const { tokens: inner } of token.cases) walk(inner, visit)
  }
}
