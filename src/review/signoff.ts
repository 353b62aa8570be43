import { createHash } from 'node:crypto'
import { SvcError } from '../errors.js'
import { defaultLocale, type Locale, locales } from '../insight/types.js'

/** A text of `catalog/insight/` in one language as a reviewer approved it. */
export interface SignoffEntry {
  /** The pattern as it was approved: what a later change is compared with. */
  readonly text: string
  /** SHA-256 of `text`. */
  readonly hash: string
  /** SHA-256 of the en-US text beside which it was read; of a text in en-US its own. */
  readonly sourceHash: string
  readonly by: string
  /** Calendar date, such as 2026-10-14. */
  readonly date: string
  /** The label that the catalog had. */
  readonly ruleVersion: string
}

/** `catalog/insight/signoff.json`: text ID, then language. */
export type Signoff = Readonly<Record<string, Readonly<Partial<Record<Locale, SignoffEntry>>>>>

/**
 * Whether what a text says now was approved. `changed`: it says something else than what was approved; `stale`: it does not,
 * but the en-US text that it was compared with does; `unsigned`: it was never approved.
 */
export type SignState = 'signed' | 'changed' | 'stale' | 'unsigned'

/** A text in one language beside its approval. */
export interface SignedText {
  /** Key in its file: a sentence, or a clause or phrase that sentences are put together from. */
  readonly id: string
  readonly locale: Locale
  readonly text: string
  readonly state: SignState
  /** The approval it has, also where the text changed since. */
  readonly entry?: SignoffEntry
}

/** Texts by language and ID; a text may be missing in a language. `InsightTexts` has this. */
export type Patterns = Readonly<Record<Locale, Readonly<Record<string, string>>>>

/** The state of every text in every language that it is written in, in the order of the catalog. */
export function judgeTexts(patterns: Patterns, signoff: Signoff): SignedText[] {
  return listTextIds(patterns).flatMap((id) =>
    locales.flatMap((locale): SignedText[] => {
      const text = patterns[locale][id]
      if (text === undefined) return []
      const entry = findEntry(signoff, id, locale)
      const state = judgeText(text, patterns[defaultLocale][id], entry)
      return [{ id, locale, text, state, ...(entry === undefined ? {} : { entry }) }]
    }),
  )
}

/** The state of one text; `source` is the en-US text of the same ID. */
export function judgeText(text: string, source: string | undefined, entry: SignoffEntry | undefined): SignState {
  if (entry === undefined) return 'unsigned'
  // Both: an entry that was edited by hand approves nothing.
  if (text !== entry.text || hashText(text) !== entry.hash) return 'changed'
  return source === undefined || hashText(source) === entry.sourceHash ? 'signed' : 'stale'
}

/** Who signs, when, and the label of the catalog. */
export interface Signature extends Pick<SignoffEntry, 'by' | 'date' | 'ruleVersion'> {}

/**
 * The sign-off with the given texts approved as they are now, and without what the catalog no longer has. In the order of
 * the catalog, so that a change of one text is a change of one place of the file.
 */
export function signTexts(
  signoff: Signoff,
  patterns: Patterns,
  signed: readonly Pick<SignedText, 'id' | 'locale'>[],
  signature: Signature,
): Signoff {
  const wanted = new Set(signed.map(({ id, locale }) => `${id} ${locale}`))
  const { by, date, ruleVersion } = signature
  const rows = judgeTexts(patterns, signoff).flatMap(({ id, locale, text, entry }) => {
    if (!wanted.has(`${id} ${locale}`)) return entry === undefined ? [] : [{ id, locale, entry }]
    const source = patterns[defaultLocale][id] ?? text
    const fresh = { text, hash: hashText(text), sourceHash: hashText(source), by, date, ruleVersion }
    return [{ id, locale, entry: fresh }]
  })
  const result: Record<string, Partial<Record<Locale, SignoffEntry>>> = {}
  for (const { id, locale, entry } of rows) result[id] = { ...result[id], [locale]: entry }
  return result
}

/** The IDs of all texts, in the order of the catalog. */
export function listTextIds(patterns: Patterns): string[] {
  return [...new Set([defaultLocale, ...locales].flatMap((locale) => Object.keys(patterns[locale])))]
}

export function findEntry(signoff: Signoff, id: string, locale: Locale): SignoffEntry | undefined {
  return Object.hasOwn(signoff, id) ? signoff[id]?.[locale] : undefined
}

/** SHA-256 of a text, in hexadecimal digits. */
export function hashText(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

const members = ['text', 'hash', 'sourceHash', 'by', 'date', 'ruleVersion'] as const

/** What `catalog/insight/signoff.json` holds. Throws an SvcError that names the text at fault. */
export function parseSignoff(value: Readonly<Record<string, unknown>>): Signoff {
  for (const [id, entries] of Object.entries(value)) {
    for (const [locale, entry] of Object.entries(requireObject(entries, id))) {
      const where = `${id}, ${locale}`
      if (!locales.includes(locale as Locale)) throw refuse(where, 'is not a language of the texts')
      const found = requireObject(entry, where)
      const wrong = members.filter((member) => typeof found[member] !== 'string')
      if (wrong.length > 0) throw refuse(where, `lacks ${wrong.join(', ')}`)
    }
  }
  return value as Signoff
}

function requireObject(value: unknown, where: string): Readonly<Record<string, unknown>> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>
  throw refuse(where, 'must be an object')
}

function refuse(where: string, fault: string): SvcError {
  return new SvcError(
    'internal_error',
    `catalog/insight/signoff.json: ${where} ${fault}. Put back the last version of the file, then run svc insight sign.`,
  )
}
