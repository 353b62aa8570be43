import type { Locale } from '../insight/types.js'

/** Something in the texts, or in their sign-off, that must not be published. */
export interface Finding {
  readonly code: FindingCode
  /** Path under `catalog/`, such as `insight/rest.json`. */
  readonly file: string
  /** The text, where it is about one. */
  readonly id?: string
  readonly locale?: Locale
  /** What is wrong, in a sentence for people who do not write programs. */
  readonly message: string
  /** What to do about it, a sentence. */
  readonly fix: string
  /** Of a text that changed: what was approved, and what it says now. */
  readonly before?: string
  readonly after?: string
  /** Where in the file, where that is not the place of the text: an offset. */
  readonly offset?: number
}

/** Every code, and what it stands for. A code is never renamed: reports are compared by it. */
export const findingCodes = {
  'file-broken': 'a file is not written as it must be',
  'text-twice': 'a text, or one of its languages, is there twice',
  'locale-missing': 'a text lacks a language',
  'member-unknown': 'an entry has a member that is neither a language nor its note',
  'scenario-missing': 'a scenario has no text',
  'text-missing': 'a clause or phrase that sentences use has no text',
  'text-unused': 'no sentence uses a text',
  'scenario-unreached': 'no fixture shows a scenario',
  'pattern-broken': 'a text cannot be read',
  'plural-form': 'a text lacks a plural form of its language, or has one that the language does not know',
  'choice-unknown': 'a text chooses by a word that no other language knows',
  'choice-missing': 'a text lacks a case that both other languages tell apart',
  'placeholder-order': 'placeholders stand in another order than in the other languages',
  placeholder: 'a text has other placeholders than it takes',
  'number-differs': 'a number is not the same in the three languages',
  'unit-differs': 'a unit is not the same in the three languages',
  'end-mark': 'a sentence does not end as it does in the other languages',
  'punctuation-half-width': 'a Chinese text has Western punctuation',
  'punctuation-full-width': 'an English or Spanish text has Chinese punctuation',
  'punctuation-inverted': 'a Spanish question or exclamation lacks its opening mark',
  'punctuation-doubled': 'two punctuation marks follow each other',
  'bracket-unpaired': 'a bracket opens or closes alone',
  'quote-straight': 'a text has a straight quotation mark',
  'apostrophe-single': 'an apostrophe is written once',
  'space-double': 'a text has two spaces in a row',
  'space-chinese': 'a Chinese text has a space',
  'space-before-mark': 'a space stands before a punctuation mark, or at an end of the text',
  'space-missing': 'two words touch where texts are joined',
  'character-hidden': 'a text has a character that cannot be seen',
  'letter-foreign': 'a text has letters of another script',
  untranslated: 'the Spanish text is the English one',
  'word-banned': 'a text has a word that the contract forbids',
  'word-doubled': 'a word is said twice in a row',
  'sentence-many': 'a text that follows another has more than one sentence',
  'too-long': 'a text is too long',
  'text-changed': 'a text changed since it was approved',
  'translation-stale': 'the en-US text changed since a translation was approved',
  'text-unsigned': 'a text was never approved',
  'signoff-left-over': 'the sign-off has a text that the catalog no longer has',
  'answer-changed': 'an answer changed since it was approved, and none of its texts did',
  'answer-stale': 'a fixture changed since its answer was approved',
  'answer-unsigned': 'an answer was never approved',
  'wording-changed': 'the rules about words changed since they were approved',
  'version-old': 'the texts changed, and their label did not',
  'version-unsigned': 'the label was never approved',
  'version-needless': 'the label changed, and the texts did not',
  'version-gone': 'a label under which texts were approved has no row in the sign-off',
} as const

export type FindingCode = keyof typeof findingCodes

const signoffCodes: ReadonlySet<FindingCode> = new Set([
  'text-changed',
  'translation-stale',
  'text-unsigned',
  'signoff-left-over',
  'answer-changed',
  'answer-stale',
  'answer-unsigned',
  'wording-changed',
  'version-old',
  'version-unsigned',
  'version-needless',
  'version-gone',
])

/** Whether a finding is about the approval of a text, not about the text itself. */
export function isAboutSignoff({ code }: Finding): boolean {
  return signoffCodes.has(code)
}

/** Each fault once: the first finding of a code for a text in a language. */
export function findFirst(findings: readonly Finding[]): Finding[] {
  const seen = new Set<string>()
  return findings.filter(({ code, file, id, locale, offset }) => {
    const key = [code, file, id, locale, offset].join(' ')
    return !seen.has(key) && seen.add(key)
  })
}
