import type { Locale } from '../insight/types.js'
import type { SignedAnswer } from './answers.js'
import type { Check } from './check.js'
import type { SignedText } from './signoff.js'

/** Which texts a reviewer signs; what is left out does not narrow it. */
export interface Selection {
  readonly texts?: readonly string[]
  /** Each with the clauses and phrases that its answers are put together from. */
  readonly scenarios?: readonly string[]
  readonly locales?: readonly Locale[]
}

/** The texts of a selection that are not signed as they are now. */
export function selectTexts({ signed, uses }: Check, selection: Selection): SignedText[] {
  const { texts, scenarios, locales } = selection
  const named = [...(texts ?? []), ...(scenarios ?? []).flatMap((id) => [id, ...(uses.get(id) ?? [])])]
  const ids = isWhole(selection) ? undefined : new Set(named)
  return signed.filter(
    ({ id, locale, state }) => state !== 'signed' && (ids?.has(id) ?? true) && (locales?.includes(locale) ?? true),
  )
}

/** The answers of a selection that are not signed as they are now: those that say one of its texts. */
export function selectAnswers({ answers }: Check, selection: Selection): SignedAnswer[] {
  const { texts = [], scenarios = [], locales } = selection
  return answers.filter(({ locale, scenario, state, uses }) => {
    const isNamed = isWhole(selection) || scenarios.includes(scenario) || texts.some((id) => uses.has(id))
    return state !== 'signed' && isNamed && (locales?.includes(locale) ?? true)
  })
}

/** Whether no text is left out, apart from languages. */
export function isWhole({ texts, scenarios }: Selection): boolean {
  return texts === undefined && scenarios === undefined
}
