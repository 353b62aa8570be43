import type { Locale } from '../insight/types.js'
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
export function selectTexts({ signed, uses }: Check, { texts, scenarios, locales }: Selection): SignedText[] {
  const named = [...(texts ?? []), ...(scenarios ?? []).flatMap((id) => [id, ...(uses.get(id) ?? [])])]
  const ids = texts === undefined && scenarios === undefined ? undefined : new Set(named)
  return signed.filter(
    ({ id, locale, state }) => state !== 'signed' && (ids?.has(id) ?? true) && (locales?.includes(locale) ?? true),
  )
}
