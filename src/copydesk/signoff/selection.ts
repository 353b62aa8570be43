import type { Locale } from '../../insight/types.js'
import type { CopyCheck } from '../check.js'
import type { SignedAnswer } from './answers.js'
import { isNative, type SignedText } from './signoff.js'

/** The texts that a reviewer signs. An omitted list does not narrow the selection. */
export interface SignoffSelection {
  readonly texts?: readonly string[]
  /** Scenario IDs; each includes the clauses and phrases that its answers use. */
  readonly scenarios?: readonly string[]
  readonly locales?: readonly Locale[]
  /** True: also what is signed, but not by a native reader. */
  readonly isNative?: boolean
}

/** Returns the open texts of a selection. */
export function selectTexts({ signed, uses }: CopyCheck, selection: SignoffSelection): SignedText[] {
  const { texts, scenarios, locales } = selection
  const named = [...(texts ?? []), ...(scenarios ?? []).flatMap((id) => [id, ...(uses.get(id) ?? [])])]
  const ids = isWhole(selection) ? undefined : new Set(named)
  return signed.filter(
    (text) => isOpen(text, selection) && (ids?.has(text.id) ?? true) && (locales?.includes(text.locale) ?? true),
  )
}

/** Returns the open answers of a selection: those that use one of its texts. */
export function selectAnswers({ answers }: CopyCheck, selection: SignoffSelection): SignedAnswer[] {
  const { texts = [], scenarios = [], locales } = selection
  return answers.filter((answer) => {
    const { locale, scenario, uses } = answer
    const isNamed = isWhole(selection) || scenarios.includes(scenario) || texts.some((id) => uses.has(id))
    return isOpen(answer, selection) && isNamed && (locales?.includes(locale) ?? true)
  })
}

function isOpen({ entry, state }: Pick<SignedText, 'entry' | 'state'>, selection: SignoffSelection): boolean {
  return state !== 'signed' || (selection.isNative === true && entry !== undefined && !isNative(entry))
}

/** True if a selection narrows at most the languages. */
export function isWhole({ texts, scenarios }: SignoffSelection): boolean {
  return texts === undefined && scenarios === undefined
}
