import { type Copy, generate, type HealthDetailPayload, type Locale, locales, scenarios } from '../insight/index.js'
import { type TextUse, traceTexts } from '../insight/trace.js'
import type { ReviewTexts } from './entries.js'
import type { Finding } from './finding.js'
import { showPlace } from './lint-words.js'
import { slips } from './slips.js'
import type { Wording } from './wording.js'

/** A valid payload that shows reviewers a text. */
export interface ReviewFixture {
  readonly name: string
  readonly payload: HealthDetailPayload
}

export interface RenderedInput {
  readonly texts: ReviewTexts
  readonly messages: Copy['messages']
  readonly fixtures: readonly ReviewFixture[]
  readonly wording: Wording
  /** Texts that are not as they were approved, such as `RANGE es`. */
  readonly edited: ReadonlySet<string>
  /** What is known to be wrong with single texts. */
  readonly told: readonly Finding[]
}

export interface RenderedLint {
  readonly findings: readonly Finding[]
  /** The texts that each scenario is put together from, its own sentence and its supplements included. */
  readonly uses: ReadonlyMap<string, ReadonlySet<string>>
}

/**
 * What is wrong with the texts as they are read, put together from their clauses; and whether every scenario is shown by a
 * fixture and every text used.
 */
export function lintRendered({ texts, messages, fixtures, wording, edited, told }: RenderedInput): RenderedLint {
  const faulty = new Set(told.map(({ id, locale }) => `${id} ${locale}`))
  const uses = new Map<string, Set<string>>()
  const findings: Finding[] = []
  const copy = { ruleVersion: '', messages }
  for (const { name, payload } of fixtures) {
    for (const locale of locales) {
      const { result, uses: said } = traceTexts(copy, (traced) => generate(payload, { copy: traced, locale }))
      const { scenario, summary } = result
      uses.set(scenario, new Set([...(uses.get(scenario) ?? []), ...said.map(({ id }) => id)]))
      // What a faulty text does to the whole is told by its own fault.
      const isSound = said.every(({ id }) => texts.files[id] !== undefined && !faulty.has(`${id} ${locale}`))
      if (isSound)
        findings.push(...lintSummary({ ...{ name, scenario, summary, locale, said }, texts, wording, edited }))
    }
  }
  return { uses, findings: [...lintUse(texts, uses), ...findings] }
}

interface Rendered {
  readonly name: string
  readonly scenario: string
  readonly locale: Locale
  readonly summary: string
  readonly said: readonly TextUse[]
  readonly texts: ReviewTexts
  readonly wording: Wording
  readonly edited: ReadonlySet<string>
}

function lintSummary(rendered: Rendered): Finding[] {
  const { name, scenario, locale, summary, said, texts, wording } = rendered
  const report = (code: Finding['code'], id: string, what: string, fix: string): Finding => ({
    ...{ code, id, locale, fix, file: texts.files[id] ?? '' },
    message: `The text ${id} has ${what} in ${locale}, as fixtures/insight/${name}.json shows.`,
  })
  const found = slips.flatMap(({ code, fix, locales: concerned, pattern, what }) => {
    const match = concerned.includes(locale) ? pattern.exec(summary) : null
    if (match === null) return []
    const id = findInnermost(said, match[0]) ?? scenario
    return [report(code, id, `${what} (${showPlace(summary, match.index, match[0].length)})`, fix)]
  })
  const touching = locale === 'zh-CN' ? [] : findTouching(said)
  const limit = wording.maxLength[locale]
  const length = [...summary].length
  return [
    ...found,
    ...touching.map(({ id, place }) =>
      report('space-missing', id, `two words that touch (${place})`, 'Put a space between them.'),
    ),
    ...(length > limit
      ? [
          report(
            'too-long',
            findLong(rendered),
            `${length} characters where it is said, of which ${limit} are allowed,`,
            'Say it shorter.',
          ),
        ]
      : []),
  ]
}

/** The text that makes a whole too long: one that was edited, else the smallest that fills half of it. */
function findLong({ edited, locale, said, scenario, summary }: Rendered): string {
  const bySize = [...said].sort((a, b) => b.text.length - a.text.length)
  const long = bySize.filter(({ text }) => text.length * 2 >= summary.length)
  return (bySize.find(({ id }) => edited.has(`${id} ${locale}`)) ?? long.at(-1))?.id ?? scenario
}

/** The shortest text that says the words: the one they are part of, or are joined in. */
function findInnermost(said: readonly TextUse[], words: string): string | undefined {
  const having = said.filter(({ text }) => text.includes(words))
  return having.sort((a, b) => a.text.length - b.text.length)[0]?.id
}

/** Where a clause stands in a text without a space between two letters. */
function findTouching(said: readonly TextUse[]): { readonly id: string; readonly place: string }[] {
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
  // While some sentences are not shown, nobody can say which clauses they would use.
  const unused = unreached.length > 0 ? [] : Object.keys(patterns['en-US']).filter((id) => !used.has(id))
  return [
    ...missing.map((id): Finding => {
      const message = `Sentences use the text ${id}, which is not in the catalog.`
      return { code: 'text-missing', file: 'insight/phrases.json', id, message, fix: `Put ${id} back.` }
    }),
    ...unreached.map(({ id, condition }): Finding => {
      const message = `No payload in fixtures/insight shows the text ${id} (said when: ${condition}).`
      const fix = `Add fixtures/insight/${id}.json, a payload that gets this text.`
      return { code: 'scenario-unreached', file: files[id] ?? '', id, message, fix }
    }),
    ...unused.map((id): Finding => {
      const message = `No sentence uses the text ${id}.`
      return { code: 'text-unused', file: files[id] ?? '', id, message, fix: 'Delete it, or correct its name.' }
    }),
  ]
}
