import { isSvcError } from '../../errors.js'
import {
  type Copy,
  defaultLocale,
  explain,
  generate,
  type HealthDetailPayload,
  type Insight,
  type Locale,
  locales,
  validate,
} from '../../insight/index.js'
import type { CommandResult } from '../command.js'
import { type Item, readPayloads } from '../input/payloads.js'
import { findSources, type Source } from '../input/sources.js'
import type { Output } from '../output/stream.js'
import { type Validate, withLocations } from '../validate/check.js'
import type { PayloadResult } from '../validate/result.js'
import { tellProblem } from '../validate/validate.js'
import type { Renderer, ShownInsight } from './formats/index.js'

/** What turns payloads into texts; tests pass their own. */
export interface Core {
  readonly validate: Validate
  readonly generate: typeof generate
  readonly explain: typeof explain
}

export interface RenderOptions {
  /** undefined: the payload's own; for one that names none all three out of a folder, else the default. */
  readonly locale: Locale | 'all' | undefined
  readonly explain: boolean
  readonly copy: Copy
  readonly core?: Core
  /** What is shown in the place of an insight: the language that nobody speaks is made of English. */
  readonly show?: ((insight: Insight) => ShownInsight) | undefined
  /** Further payloads to render after each, with what is different about them. */
  readonly vary?: ((payload: HealthDetailPayload) => readonly Varied[]) | undefined
}

/** A payload made of another one. */
export interface Varied {
  readonly words: string
  readonly payload: HealthDetailPayload
}

/**
 * Renders every payload that the arguments name. Answers 0, or 1 when some are not valid (the others are rendered), or 2
 * when something could not be read.
 */
export async function renderSources(
  args: readonly string[],
  { renderer, output }: { readonly renderer: Renderer; readonly output: Output },
  options: RenderOptions,
): Promise<CommandResult> {
  let result: CommandResult = 0
  for (const found of await findSources(args)) {
    if (found.source === undefined) {
      tellProblem({ message: found.problem })
      result = 2
      continue
    }
    try {
      for await (const item of readPayloads(found.source)) {
        const outcome = renderItem(item, found.source, renderer, options)
        if (outcome > result) result = outcome
        if (!(await output.flush())) return result
      }
    } catch (error) {
      if (!isSvcError(error)) throw error
      tellProblem({ source: found.source.name, message: error.message })
      result = 2
    }
  }
  renderer.end()
  return result
}

const realCore: Core = { validate, generate, explain }

function renderItem(item: Item, source: Source, renderer: Renderer, options: RenderOptions): CommandResult {
  const { core = realCore, vary } = options
  if ('problem' in item) {
    tellProblem({ source: source.name, message: item.problem })
    return 2
  }
  const { index } = item
  const refuse = (errors: PayloadResult['errors']) => {
    renderer.invalid({ source: source.name, index, valid: false, errors, warnings: [] })
    return 1 as const
  }
  if ('broken' in item) return refuse([item.broken])
  const { errors } = core.validate(item.payload)
  if (errors.length > 0) return refuse(withLocations(item, errors))
  const payload = item.payload as HealthDetailPayload
  const wanted = chooseLocales(payload, source, options.locale)
  renderer.payload({ source: source.name, index, ...say(payload, wanted, options) })
  for (const { payload: other, words } of vary?.(payload) ?? []) {
    renderer.payload({ source: source.name, index, variant: words, ...say(other, wanted, options) })
  }
  return 0
}

/** What a payload says in each language, and why where that is asked for. */
function say(payload: HealthDetailPayload, wanted: readonly Locale[], options: RenderOptions) {
  const { copy, core = realCore, show = (insight) => insight } = options
  const insights = wanted.map((locale) => show(core.generate(payload, { copy, locale })))
  const explanations = options.explain ? wanted.map((locale) => core.explain(payload, { copy, locale })) : undefined
  return {
    insights: insights as [ShownInsight, ...ShownInsight[]],
    ...(explanations === undefined ? {} : { explanations }),
  }
}

/** Whoever renders a folder reviews it: what names no language itself is shown in all. Never empty. */
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
