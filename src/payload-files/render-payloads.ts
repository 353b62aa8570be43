import { isSvcError } from '../errors.js'
import {
  type Copy,
  defaultLocale,
  type Explanation,
  explainReading,
  type HealthDetailPayload,
  type Insight,
  interpret,
  type Locale,
  locales,
  readValidPayload,
  renderInsight,
  type ValidReading,
} from '../insight/index.js'
import type { Output } from '../runtime/output.js'
import { withLocations } from './check-segment.js'
import { type Item, readPayloads } from './payloads.js'
import type { PayloadResult, Problem } from './result.js'
import { findSources, type Source } from './sources.js'

/** An insight as it is shown; its locale may be the pseudo-locale. */
export interface ShownInsight extends Omit<Insight, 'locale'> {
  readonly locale: string
}

/** A payload with its texts: one insight per language, all of the same scenario. */
export interface RenderedPayload {
  readonly source: string
  readonly index: number
  /** The change that was made to the payload, if any. */
  readonly variant?: string
  readonly insights: readonly [ShownInsight, ...ShownInsight[]]
  /** One explanation per insight, when requested. */
  readonly explanations?: readonly Explanation[]
}

/** Writes a document while payloads are rendered, in their order. */
export interface Renderer {
  readonly payload: (rendered: RenderedPayload) => void
  readonly invalid: (result: PayloadResult) => void
  readonly end: () => void
}

/** The functions that read payloads and turn the readings into texts; tests pass their own. */
export interface Core {
  readonly interpret: (payload: unknown) => Pick<ReturnType<typeof interpret>, 'errors' | 'reading'>
  readonly renderInsight: typeof renderInsight
  readonly explainReading: typeof explainReading
}

export interface RenderOptions {
  /** undefined: the payload's own locale; without one, all three in a folder, else the default. */
  readonly locale: Locale | 'all' | undefined
  readonly explain?: boolean | undefined
  readonly copy: Copy
  readonly core?: Core
  /** Replaces an insight before it is shown, such as English by the pseudo-locale. */
  readonly show?: ((insight: Insight) => ShownInsight) | undefined
  /** Returns variants of a payload to render after it. */
  readonly vary?: ((payload: HealthDetailPayload) => readonly Variant[]) | undefined
}

/** A payload derived from another one. */
export interface Variant {
  /** The change, in words. */
  readonly words: string
  readonly payload: HealthDetailPayload
}

/** The destinations of texts and problems. */
export interface RenderTarget {
  readonly renderer: Renderer
  readonly output: Output
  /** Called for each source that cannot be read. */
  readonly onProblem: (problem: Pick<Problem, 'source' | 'message'>) => void
}

/** 0: all rendered; 1: some payloads are not valid; 2: something could not be read. The other payloads are rendered. */
export type RenderResult = 0 | 1 | 2

/** Renders every payload that the arguments name. */
export async function renderPayloads(
  args: readonly string[],
  target: RenderTarget,
  options: RenderOptions,
): Promise<RenderResult> {
  const { renderer, output, onProblem } = target
  let result: RenderResult = 0
  for (const found of await findSources(args)) {
    if (found.source === undefined) {
      onProblem({ message: found.problem })
      result = 2
      continue
    }
    try {
      for await (const item of readPayloads(found.source)) {
        const outcome = renderItem(item, found.source, target, options)
        if (outcome > result) result = outcome
        if (!(await output.flush())) return result
      }
    } catch (error) {
      if (!isSvcError(error)) throw error
      onProblem({ source: found.source.name, message: error.message })
      result = 2
    }
  }
  renderer.end()
  return result
}

const realCore: Core = { interpret, renderInsight, explainReading }

function renderItem(
  item: Item,
  source: Source,
  { renderer, onProblem }: RenderTarget,
  options: RenderOptions,
): RenderResult {
  const { core = realCore, vary } = options
  if ('problem' in item) {
    onProblem({ source: source.name, message: item.problem })
    return 2
  }
  const { index } = item
  const refuse = (errors: PayloadResult['errors']) => {
    renderer.invalid({ source: source.name, index, valid: false, errors, warnings: [] })
    return 1 as const
  }
  if ('broken' in item) return refuse([item.broken])
  const { errors, reading } = core.interpret(item.payload)
  if (reading === undefined) return refuse(withLocations(item, errors))
  const payload = item.payload as HealthDetailPayload
  const wanted = chooseLocales(payload, source, options.locale)
  renderer.payload({ source: source.name, index, ...say(reading, wanted, options) })
  for (const { payload: other, words } of vary?.(payload) ?? []) {
    renderer.payload({ source: source.name, index, variant: words, ...say(readValidPayload(other), wanted, options) })
  }
  return 0
}

/** Generates the text in each locale, with the explanations when requested. */
function say(reading: ValidReading, wanted: readonly Locale[], options: RenderOptions) {
  const { copy, core = realCore, show = (insight) => insight } = options
  const insights = wanted.map((locale) => show(core.renderInsight(reading, { copy, locale })))
  const explanations = options.explain
    ? wanted.map((locale) => core.explainReading(reading, { copy, locale }))
    : undefined
  return { insights: insights as [ShownInsight, ...ShownInsight[]], explanations }
}

/** Returns at least one locale. A payload of a folder that names no locale gets all: rendering a folder is a review. */
function chooseLocales(
  payload: HealthDetailPayload,
  source: Source,
  asked: Locale | 'all' | undefined,
): readonly Locale[] {
  if (asked === 'all') return locales
  if (asked !== undefined) return [asked]
  if (payload.locale != null) return [payload.locale]
  return source.listed ? locales : [defaultLocale]
}
