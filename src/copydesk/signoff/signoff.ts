import { createHash } from 'node:crypto'
import { SvcError } from '../../errors.js'
import { isJsonObject } from '../../insight/json-object.js'
import { byLocale, defaultLocale, type Locale, locales } from '../../insight/types.js'

/** The approval of one text of `catalog/insight/`, or of an answer that uses such texts, in one language. */
export interface SignoffEntry {
  /** The approved pattern or answer; later changes are compared with it. */
  readonly text: string
  /** SHA-256 of `text`. */
  readonly hash: string
  /**
   * SHA-256 of the source at the time of approval: for a translation its en-US text, for an en-US text itself, for an
   * answer its payload.
   */
  readonly sourceHash: string
  readonly by: string
  /** Calendar date, such as 2026-10-14. */
  readonly date: string
  /** The label of the catalog at the time of approval. */
  readonly ruleVersion: string
  /** The text that it replaced, as an earlier label names it; absent for a new text. */
  readonly before?: { readonly text: string; readonly ruleVersion: string }
}

/** True if a native reader of the language signed: a person. What the team signs under its own name awaits one. */
export const isNative = ({ by }: SignoffEntry) => !/^svc team\b/.test(by)

/** Approvals by text ID or fixture name, then by language. */
export type Approvals = Readonly<Record<string, Readonly<Partial<Record<Locale, SignoffEntry>>>>>

/** `catalog/insight/signoff.json`. */
export interface Signoff {
  /** Every label that was approved whole, with the SHA-256 of the texts that it names, by the language approved last. */
  readonly labels: Readonly<Record<Locale, Readonly<Record<string, string>>>>
  /** SHA-256 of `catalog/insight/wording.json`, parsed. */
  readonly wording: string
  readonly texts: Approvals
  /** The approved answer of each fixture; it covers the words that the program adds. */
  readonly answers: Approvals
}

/**
 * The approval state. `changed`: the text differs from the approved one; `stale`: only its en-US source does;
 * `unsigned`: it was never approved.
 */
export type SignState = 'signed' | 'changed' | 'stale' | 'unsigned'

/** A text in one language with its approval. */
export interface SignedText {
  /** Key in its file: a sentence, or a clause or phrase that sentences use. */
  readonly id: string
  readonly locale: Locale
  readonly text: string
  readonly state: SignState
  /** Its approval, also if the text changed since. */
  readonly entry?: SignoffEntry
}

/** Texts by language and ID, as in `InsightTexts`; a text may be missing in a language. */
export type Patterns = Readonly<Record<Locale, Readonly<Record<string, string>>>>

/** Returns the state of every text in every language that it has, in the order of the catalog. */
export function judgeTexts(patterns: Patterns, signoff: Approvals): SignedText[] {
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

/** Returns the state of one text. `source` is the en-US text of the same ID. */
export function judgeText(text: string, source: string | undefined, entry: SignoffEntry | undefined): SignState {
  if (entry === undefined) return 'unsigned'
  // Compare both: an entry that was edited by hand approves nothing.
  if (text !== entry.text || hashText(text) !== entry.hash) return 'changed'
  return source === undefined || hashText(source) === entry.sourceHash ? 'signed' : 'stale'
}

/** The reviewer, the date, and the label of the catalog. */
export interface Signature extends Pick<SignoffEntry, 'by' | 'date' | 'ruleVersion'> {}

/**
 * Returns the approvals with the given texts approved as they are now, and without texts that the catalog no longer
 * has. The order is that of the catalog, so that one changed text changes one place of the file.
 */
export function signTexts(
  signoff: Approvals,
  patterns: Patterns,
  signed: readonly Pick<SignedText, 'id' | 'locale'>[],
  signature: Signature,
): Approvals {
  const wanted = new Set(signed.map(({ id, locale }) => `${id} ${locale}`))
  const rows = judgeTexts(patterns, signoff).flatMap(({ id, locale, text, entry }) => {
    if (!wanted.has(`${id} ${locale}`)) return entry === undefined ? [] : [{ id, locale, entry }]
    const source = patterns[defaultLocale][id] ?? text
    return [{ id, locale, entry: createEntry(text, hashText(source), signature, entry) }]
  })
  return collectApprovals(rows)
}

/** Creates the approval of a text, which replaces the one that it was approved with before. */
export function createEntry(
  text: string,
  sourceHash: string,
  { by, date, ruleVersion }: Signature,
  former?: SignoffEntry,
): SignoffEntry {
  // Texts are signed one after the other under one label: what the label before names stays.
  const before = former?.ruleVersion === ruleVersion ? former.before : former
  return {
    ...{ text, hash: hashText(text), sourceHash, by, date, ruleVersion },
    ...(before !== undefined &&
      before.text !== text && { before: { text: before.text, ruleVersion: before.ruleVersion } }),
  }
}

export function collectApprovals(
  rows: readonly { readonly id: string; readonly locale: Locale; readonly entry: SignoffEntry }[],
): Approvals {
  const result: Record<string, Partial<Record<Locale, SignoffEntry>>> = {}
  for (const { id, locale, entry } of rows) result[id] = { ...result[id], [locale]: entry }
  return result
}

/** Lists the IDs of all texts in the order of the catalog. */
function listTextIds(patterns: Patterns): string[] {
  return [...new Set([defaultLocale, ...locales].flatMap((locale) => Object.keys(patterns[locale])))]
}

export function findEntry(signoff: Approvals, id: string, locale: Locale): SignoffEntry | undefined {
  return Object.hasOwn(signoff, id) ? signoff[id]?.[locale] : undefined
}

/** Returns the SHA-256 of a text as hexadecimal digits. */
export function hashText(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

const members = ['text', 'hash', 'sourceHash', 'by', 'date', 'ruleVersion'] as const

/** Validates the content of `catalog/insight/signoff.json`. Throws an SvcError that names the invalid member. */
export function parseSignoff(value: Readonly<Record<string, unknown>>): Signoff {
  const { answers, labels, texts, wording } = value
  if (typeof wording !== 'string') throw refuse('wording', 'must be a hash')
  return {
    labels: parseLabels(requireObject(labels, 'labels')),
    wording,
    texts: parseApprovals(texts, 'texts'),
    answers: parseApprovals(answers, 'answers'),
  }
}

function parseLabels(labels: Readonly<Record<string, unknown>>): Signoff['labels'] {
  // The form before had one list for all languages.
  const lists = locales.some((locale) => locale in labels) ? labels : { [defaultLocale]: labels }
  return byLocale((locale) => {
    const rows = requireObject(lists[locale] ?? {}, `labels, ${locale}`)
    if (Object.values(rows).some((row) => typeof row !== 'string')) throw refuse('labels', 'must map labels to hashes')
    return rows as Record<string, string>
  })
}

/**
 * Writes the file with each entry on a line of its own, between lines that stay, so that branches that sign different
 * languages merge.
 */
export function formatSignoff({ answers, labels, texts, wording }: Signoff): string {
  const formatEntry = (entry: unknown) => `{\n        ${JSON.stringify(entry).slice(1, -1)}\n      }`
  const formatEntries = (entries: Approvals[string]) => formatMembers(entries, '    ', formatEntry)
  const parts = {
    wording: JSON.stringify(wording),
    labels: JSON.stringify(labels, null, 2).replaceAll('\n', '\n  '),
    texts: formatMembers(texts, '  ', formatEntries),
    answers: formatMembers(answers, '  ', formatEntries),
  }
  return `${formatMembers(parts, '', (part) => part)}\n`
}

function formatMembers<Member>(
  members: Readonly<Record<string, Member>>,
  indent: string,
  format: (member: Member) => string,
): string {
  const rows = Object.entries(members).map(([name, member]) => `${indent}  ${JSON.stringify(name)}: ${format(member)}`)
  return `{\n${rows.join(',\n')}\n${indent}}`
}

function parseApprovals(value: unknown, part: string): Approvals {
  const approvals = requireObject(value, part)
  for (const [id, entries] of Object.entries(approvals)) {
    for (const [locale, entry] of Object.entries(requireObject(entries, `${part}, ${id}`))) {
      const where = `${part}, ${id}, ${locale}`
      if (!locales.includes(locale as Locale)) throw refuse(where, 'is not a language of the texts')
      const found = requireObject(entry, where)
      const wrong = members.filter((member) => typeof found[member] !== 'string')
      if (wrong.length > 0) throw refuse(where, `lacks ${wrong.join(', ')}`)
      if (found.before === undefined) continue
      const before = requireObject(found.before, `${where}, before`)
      if (typeof before.text !== 'string' || typeof before.ruleVersion !== 'string') {
        throw refuse(`${where}, before`, 'lacks text or ruleVersion')
      }
    }
  }
  return approvals as Approvals
}

function requireObject(value: unknown, where: string): Readonly<Record<string, unknown>> {
  if (isJsonObject(value)) return value
  throw refuse(where, 'must be an object')
}

function refuse(where: string, problem: string): SvcError {
  return new SvcError(
    'internal_error',
    `catalog/insight/signoff.json: ${where} ${problem}. Restore the last version of the file, then run svc insight sign.`,
  )
}
