import { byLocale, type Locale } from '../../insight/types.js'

/** A text of the catalog while a reviewer edits it. */
export interface Draft {
  readonly id: string
  /** Its file, such as `catalog/insight/rest.json`. */
  readonly file: string
  readonly texts: Readonly<Record<Locale, string>>
}

/** Rebases a draft from `before` to `now`: texts that it did not change get the current text. */
export function rebaseDraft(edited: Draft['texts'], before: Draft['texts'], now: Draft['texts']): Draft['texts'] {
  return byLocale((locale) => (edited[locale] === before[locale] ? now[locale] : edited[locale]))
}

/** Gives a text the white space at the ends of its former version: it joins the text to others. */
export function withEndsOf(former: string, text: string): string {
  const [before = ''] = /^\s*/.exec(former) ?? []
  const [after = ''] = /\s*$/.exec(former) ?? []
  return before + text.trim() + after
}
