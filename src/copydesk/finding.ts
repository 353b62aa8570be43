import type { Locale } from '../insight/types.js'

/** A defect of a text or of its sign-off that blocks publication. */
export interface Finding {
  readonly code: FindingCode
  /** Path under `catalog/`, such as `insight/rest.json`. */
  readonly file: string
  /** The text, if the finding is about one. */
  readonly id?: string
  readonly locale?: Locale
  /** The problem, as a sentence for readers who do not program. */
  readonly message: string
  /** The solution, as a sentence. */
  readonly fix: string
  /** For a changed text: the approved and the current text. */
  readonly before?: string
  readonly after?: string
  /** Offset in the file, if it differs from that of the text. */
  readonly offset?: number
}

/** The codes about the approval of a text or an answer, not about the text itself. */
const approvalCodes = {
  'text-changed': 'a text changed since it was approved',
  'translation-stale': 'the en-US text changed since a translation was approved',
  'text-unsigned': 'a text was never approved',
  'signoff-left-over': 'the sign-off has a text that the catalog no longer has',
  'answer-changed': 'an answer changed since it was approved, but none of its texts did',
  'answer-stale': 'a fixture changed since its answer was approved',
  'answer-unsigned': 'an answer was never approved',
  'wording-changed': 'the rules about words changed since they were approved',
  'version-old': 'the texts changed, but their label did not',
  'version-unsigned': 'the label was never approved',
  'version-needless': 'the label changed, but the texts did not',
  'version-gone': 'a label under which texts were approved has no row in the sign-off',
} as const

/** Every code with its meaning. A code is never renamed: reports are compared by code. */
export const findingCodes = {
  'file-broken': 'a file is not valid JSON, or has the wrong form',
  'file-conflict': 'a merge left conflicts in a file',
  'text-twice': 'a text, or one of its languages, exists twice',
  'locale-missing': 'a text lacks a language',
  'member-unknown': 'an entry has a member that is neither a language nor "note"',
  'scenario-missing': 'a scenario has no text',
  'text-missing': 'a clause or phrase that sentences use has no text',
  'text-unused': 'no sentence uses a text',
  'scenario-unreached': 'no fixture shows a scenario',
  'pattern-broken': 'a text cannot be parsed',
  'plural-form': 'a text lacks a plural form of its language, or has one that the language does not have',
  'choice-unknown': 'a select has a case that no other language has',
  'choice-missing': 'a text lacks a case that both other languages have',
  'placeholder-order': 'placeholders are not in the order of the other languages',
  placeholder: 'a text lacks a placeholder, or has an unknown one',
  'number-differs': 'a number is not the same in the three languages',
  'unit-differs': 'a unit is not the same in the three languages',
  'end-mark': 'a sentence does not end as in the other languages',
  'punctuation-half-width': 'a Chinese text has Western punctuation',
  'punctuation-full-width': 'an English or Spanish text has Chinese punctuation',
  'punctuation-inverted': 'a Spanish question or exclamation lacks its opening mark',
  'punctuation-doubled': 'two punctuation marks follow each other',
  'bracket-unpaired': 'a bracket or quotation mark is not paired',
  'quote-straight': 'a text has a straight quotation mark',
  'apostrophe-single': 'an apostrophe is not doubled',
  'space-double': 'a text has two spaces in a row',
  'space-chinese': 'a Chinese text has a space',
  'space-before-mark': 'a space is before a punctuation mark, or at an end of the text',
  'space-missing': 'two words are joined without a space',
  'character-hidden': 'a text has an invisible character',
  'letter-foreign': 'a text has letters of another script',
  untranslated: 'the Spanish text is the English one',
  'word-banned': 'a text has a word that wording.json forbids',
  'claim-empty': 'a comparison compares nothing, or a change contradicts its value',
  'word-doubled': 'a word is repeated',
  'sentence-many': 'a text that follows another has more than one sentence',
  'too-long': 'a text is too long',
  ...approvalCodes,
} as const

export type FindingCode = keyof typeof findingCodes

/** True if a finding is about the approval of a text, not about the text itself. */
export const isAboutSignoff = ({ code }: Finding): boolean => Object.hasOwn(approvalCodes, code)

/** Keeps the first finding of each code for a text in a language. */
export function findFirst(findings: readonly Finding[]): Finding[] {
  const seen = new Set<string>()
  return findings.filter(({ code, file, id, locale, offset }) => {
    const key = [code, file, id, locale, offset].join(' ')
    return !seen.has(key) && seen.add(key)
  })
}
