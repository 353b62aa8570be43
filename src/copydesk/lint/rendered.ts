import { type Copy, generate, type Locale, locales, scenarios } from '../../insight/index.js'
import { type TextUse, traceTexts } from '../../insight/trace.js'
import type { ReviewTexts } from '../entries.js'
import type { Finding } from '../finding.js'
import type { Fixture } from '../fixtures.js'
import { slips } from './slips.js'
import type { Wording } from './wording.js'
import { findSlips, showPlace } from './words.js'

interface RenderedInput {
  readonly texts: ReviewTexts
  readonly messages: Copy['messages']
  readonly fixtures: readonly Fixture[]
  readonly wording: Wording
  /** Texts that differ from their approval, such as `RANGE es`. */
  readonly edited: ReadonlySet<string>
  /** Findings on single texts. */
  readonly known: readonly Finding[]
}

export interface RenderedLint {
  readonly findings: readonly Finding[]
  /** The texts that each scenario uses, including its own sentence and its supplements. */
  readonly uses: ReadonlyMap<string, ReadonlySet<string>>
}

/** Checks the rendered texts, that a fixture reaches every scenario, and that every text is used. */
export function lintRendered({ texts, messages, fixtures, wording, edited, known }: RenderedInput): RenderedLint {
  const faulty = new Set(known.map(({ id, locale }) => `${id} ${locale}`))
  const uses = new Map<string, Set<string>>()
  const findings: Finding[] = []
  const copy = { ruleVersion: '', messages }
  for (const { name, payload } of fixtures) {
    for (const locale of locales) {
      const { result, uses: said } = traceTexts(copy, (traced) => generate(payload, { copy: traced, locale }))
      const { scenario, summary } = result
      uses.set(scenario, new Set([...(uses.get(scenario) ?? []), ...said.map(({ id }) => id)]))
      // A finding on a text covers its effect on the whole.
      const isSound = said.every(({ id }) => texts.files[id] !== undefined && !faulty.has(`${id} ${locale}`))
      if (isSound)
        findings.push(...lintSummary({ ...{ name, scenario, summary, locale, said }, texts, wording, edited }))
    }
  }
  return { uses, findings: [...lintUse(texts, uses), ...findings] }
}

interface Rendered extends Pick<RenderedInput, 'texts' | 'wording' | 'edited'> {
  readonly name: string
  readonly scenario: string
  readonly locale: Locale
  readonly summary: string
  readonly said: readonly TextUse[]
}

function lintSummary(rendered: Rendered): Finding[] {
  const { name, scenario, locale, summary, said, texts, wording } = rendered
  const report = (code: Finding['code'], id: string, what: string, fix: string): Finding => ({
    ...{ code, id, locale, fix, file: texts.files[id] ?? '' },
    message: `The text ${id} has ${what} in ${locale}, as fixtures/insight/${name}.json shows.`,
  })
  const found = findSlips(slips, summary, locale).map(({ code, fix, what, words }) =>
    report(code, findInnermost(said, words) ?? scenario, what, fix),
  )
  const joined = locale === 'zh-CN' ? [] : findJoined(said)
  const limit = wording.maxLength[locale]
  const length = [...summary].length
  return [
    ...found,
    ...joined.map(({ id, place }) =>
      report('space-missing', id, `two words without a space between them (${place})`, 'Put a space between them.'),
    ),
    ...(length > limit
      ? [report('too-long', findLong(rendered), `${length} characters when rendered (maximum ${limit})`, 'Shorten it.')]
      : []),
  ]
}

/** Chooses the text to blame for an excessive length: an edited one, else the smallest that fills half of the whole. */
function findLong({ edited, locale, said, scenario, summary }: Rendered): string {
  const bySize = [...said].sort((a, b) => b.text.length - a.text.length)
  const long = bySize.filter(({ text }) => text.length * 2 >= summary.length)
  return (bySize.find(({ id }) => edited.has(`${id} ${locale}`)) ?? long.at(-1))?.id ?? scenario
}

/** Returns the shortest text that contains the words: the one that says or joins them. */
function findInnermost(said: readonly TextUse[], words: string): string | undefined {
  const having = said.filter(({ text }) => text.includes(words))
  return having.sort((a, b) => a.text.length - b.text.length)[0]?.id
}

/** Finds the clauses that touch a letter of the text around them. */
function findJoined(said: readonly TextUse[]): { readonly id: string; readonly place: string }[] {
  const isClause = (value: string | number) => value !== '' && said.some(({ text }) => text === value)
  return said.flatMap(({ id, text, values }) =>
    Object.values(values)
      .filter(isClause)
      .flatMap((value) => {
        const start = text.indexOf(String(value))
        const ends = start === -1 ? [] : [start, start + String(value).length]
        return ends.filter((at) => isInWord(text, at)).map((at) => ({ id, place: showPlace(text, at - 1, 2) }))
      }),
  )
}

function isInWord(text: string, at: number): boolean {
  return at > 0 && /^[\p{L}\p{N}]{2}$/u.test(text.slice(at - 1, at + 1))
}

function lintUse({ files, patterns }: ReviewTexts, uses: RenderedLint['uses']): Finding[] {
  const used = new Set([...uses.values()].flatMap((ids) => [...ids]))
  const isScenario = (id: string) => scenarios.some((scenario) => scenario.id === id)
  const unreached = scenarios.filter(({ id }) => files[id] !== undefined && !uses.has(id))
  const missing = [...used].filter((id) => files[id] === undefined && !isScenario(id))
  // While a sentence is not shown, the clauses that it uses are unknown.
  const unused = unreached.length > 0 ? [] : Object.keys(patterns['en-US']).filter((id) => !used.has(id))
  return [
    ...missing.map((id): Finding => {
      const message = `Sentences use the text ${id}, which is not in the catalog.`
      return { code: 'text-missing', file: 'insight/phrases.json', id, message, fix: `Restore ${id}.` }
    }),
    ...unreached.map(({ id, condition }): Finding => {
      const message = `No payload in fixtures/insight shows the text ${id} (used for: ${condition}).`
      const fix = `Add fixtures/insight/${id}.json, a payload that results in this text.`
      return { code: 'scenario-unreached', file: files[id] ?? '', id, message, fix }
    }),
    ...unused.map((id): Finding => {
      const message = `No sentence uses the text ${id}.`
      return { code: 'text-unused', file: files[id] ?? '', id, message, fix: 'Delete it, or correct its ID.' }
    }),
  ]
}
