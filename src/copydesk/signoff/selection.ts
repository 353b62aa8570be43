import type { Locale } from '../../insight/types.js'
import type { CopyCheck } from '../check.js'
import type { SignedAnswer } from './answers.js'
import type { SignedText } from './signoff.js'

/** The texts that a reviewer signs. An omitted list does not narrow the selection. */
export interface SignoffSelection {
  readonly texts?: readonly string[]
  /** Scenario IDs; each includes the clauses and phrases that its answers use. */
  readonly scenarios?: readonly string[]
  readonly locales?: readonly Locale[]
}

/** Returns the open texts of a selection. */
export function selectTexts({ signed, uses }: CopyCheck, selection: SignoffSelection): SignedText[] {
  const { texts, scenarios, locales } = selection
  const named = [...(texts ?? []), ...(scenarios ?? []).flatMap((id) => [id, ...(uses.get(id) ?? [])])]
  const ids = isWhole(selection) ? undefined : new Set(named)
  return signed.filter(
    ({ id, locale, state }) => state !== 'signed' && (ids?.has(id) ?? true) && (locales?.includes(locale) ?? true),
  )
}

/** Returns the open answers of a selection: those that use one of its texts. */
export function selectAnswers({ answers }: CopyCheck, selection: SignoffSelection): SignedAnswer[] {
  const { texts = [], scenarios = [], locales } = selection
  return answers.filter(({ locale, scenario, state, uses }) => {
    const isNamed = isWhole(selection) || scenarios.includes(scenario) || texts.some((id) => uses.has(id))
    return state !== 'signed' && isNamed && (locales?.includes(locale) ?? true)
  })
}

/** True if a selection narrows at most the languages. */
export function isWhole({ texts, scenarios }: SignoffSelection): boolean {
  return texts === undefined && scenarios === undefined
}
