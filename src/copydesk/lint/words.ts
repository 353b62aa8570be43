import { quotePlace } from '../../catalog/message-compiler.js'
import { type Locale, locales } from '../../insight/types.js'
import type { ReviewTexts } from '../entries.js'
import type { Finding, FindingCode } from '../finding.js'
import { keepLast } from './keep-last.js'
import { patternsOf } from './parity.js'
import { filledIn, joinParts, listPatternCases } from './pattern-cases.js'
import { type Slip, textSlips } from './slips.js'
import { escapeWord, hashWording, type Wording } from './wording.js'

const ofTexts = keepLast<Finding[]>()

/** Checks the words and the punctuation of each text. */
export function lintWords(texts: ReviewTexts, wording: Wording): Finding[] {
  const rules = hashWording(wording)
  const banned = locales.map((locale) => ({ locale, words: listBanned(locale, wording) }))
  return Object.entries(texts.files).flatMap(([id, file]) => {
    const patterns = patternsOf(id, texts)
    return ofTexts(id, [file, patterns, rules], () => lintWordsOf(id, file, patterns, banned))
  })
}

function lintWordsOf(
  id: string,
  file: string,
  patterns: Readonly<Partial<Record<Locale, string>>>,
  banned: readonly { readonly locale: Locale; readonly words: BannedWords }[],
): Finding[] {
  const report = (locale: Locale, { code, what, fix }: Defect): Finding => ({
    ...{ code, file, id, locale, fix },
    message: `The text ${id} has ${what} in ${locale}.`,
  })
  const cases = listPatternCases(patterns)
  const ofCases = banned.flatMap(({ locale, words }) => {
    const said = new Set(cases.map(({ parts }) => joinParts(parts[locale] ?? [])))
    const defects = [...said].flatMap((text): Defect[] => [
      ...findSlips(textSlips, text, locale),
      ...findUnpaired(text, locale),
      ...(isSupplement(id) && countSentences(text) > 1 ? [manySentences] : []),
      ...findBanned(text, words),
    ])
    return defects.map((defect) => report(locale, defect))
  })
  const single = locales.filter((locale) => patterns[locale]?.replaceAll("''", '').includes("'"))
  return [
    ...ofCases,
    ...single.map((locale) => report(locale, singleApostrophe)),
    ...(isUntranslated(patterns) ? [report('es', untranslated)] : []),
  ]
}

interface Defect {
  readonly code: FindingCode
  readonly what: string
  readonly fix: string
}

const manySentences: Defect = {
  code: 'sentence-many',
  what: 'more than one sentence',
  fix: 'Write one sentence: it follows another one.',
}
const singleApostrophe: Defect = {
  code: 'apostrophe-single',
  what: 'an apostrophe that is not doubled',
  fix: "Write it twice: ''.",
}
const untranslated: Defect = { code: 'untranslated', what: 'the words of the English text', fix: 'Translate it.' }

const isSupplement = (id: string) => /^(ADVICE|WEAR|BASELINE)_/.test(id)

function countSentences(text: string): number {
  return (text.match(/[.!?…]+(?=\s|$)|[。！？]/g) ?? []).length
}

/** Finds the slips of a list in a text, each with the `words` that it matches. */
export function findSlips(slips: readonly Slip[], text: string, locale: Locale) {
  return slips.flatMap(({ code, fix, locales: concerned, pattern, what }) => {
    const match = concerned.includes(locale) ? pattern.exec(text) : null
    if (match === null) return []
    const [words] = match
    return [{ code, fix, words, what: `${what} (${showPlace(text, match.index, words.length)})` }]
  })
}

const pairs: readonly (readonly [open: RegExp, close: RegExp, code: FindingCode, what: string, fix: string])[] = [
  [/[(（]/g, /[)）]/g, 'bracket-unpaired', 'an unpaired bracket', 'Write both brackets or neither.'],
  [/[“«]/g, /[”»]/g, 'bracket-unpaired', 'an unpaired quotation mark', 'Write both or neither.'],
  [/¿/g, /\?/g, 'punctuation-inverted', '¿ or ? without the other', 'Enclose a Spanish question in ¿ and ?.'],
  [/¡/g, /!/g, 'punctuation-inverted', '¡ or ! without the other', 'Enclose a Spanish exclamation in ¡ and !.'],
]

function findUnpaired(text: string, locale: Locale): Defect[] {
  return pairs.flatMap(([open, close, code, what, fix]) => {
    if (code === 'punctuation-inverted' && locale !== 'es') return []
    const isPaired = (text.match(open) ?? []).length === (text.match(close) ?? []).length
    return isPaired ? [] : [{ code, what, fix }]
  })
}

/** The forbidden words of one language. */
interface BannedWords {
  /** Finds the letters of any of them. Few texts have them, and a pattern that looks for whole words is slow to compile. */
  readonly letters: RegExp
  readonly reasons: readonly { readonly reason: string; readonly pattern: RegExp }[]
}

function listBanned(locale: Locale, { bannedWords }: Wording): BannedWords {
  const all = Object.values(bannedWords).flatMap((words) => words[locale].map(toLetters))
  return {
    letters: new RegExp(all.join('|'), 'iu'),
    reasons: Object.entries(bannedWords).map(([reason, words]) => ({
      reason,
      pattern: toPattern(words[locale], locale),
    })),
  }
}

/** Returns the pattern of a word without its final star. */
const toLetters = (word: string) => escapeWord(word.replace(/\*$/, ''))

/** Chinese words match anywhere; in other languages a whole word, or with a final star the beginning of one. */
function toPattern(words: readonly string[], locale: Locale): RegExp {
  const stems = words.map((word) => `${toLetters(word)}${word.endsWith('*') ? '\\p{L}*' : ''}`)
  if (locale === 'zh-CN') return new RegExp(stems.join('|'), 'u')
  return new RegExp(`(?<![\\p{L}\\p{N}])(?:${stems.join('|')})(?![\\p{L}\\p{N}])`, 'iu')
}

function findBanned(text: string, { letters, reasons }: BannedWords): Defect[] {
  if (!letters.test(text)) return []
  return reasons.flatMap(({ reason, pattern }) => {
    const found = pattern.exec(text)?.[0]
    if (found === undefined) return []
    const fix = `Avoid ${reason}. catalog/insight/wording.json lists the words.`
    return [{ code: 'word-banned', what: `the forbidden word “${found}”`, fix }]
  })
}

/** True if the Spanish text is the English one. A text of units and numbers alone may be. */
function isUntranslated(patterns: Readonly<Partial<Record<Locale, string>>>): boolean {
  if (patterns.es === undefined || patterns.es !== patterns['en-US']) return false
  return listPatternCases({ es: patterns.es }).some(({ parts }) => /\p{L}{4,}/u.test(joinParts(parts.es ?? [])))
}

/** Quotes a slip with the letters around it. */
export function showPlace(text: string, index: number, length: number): string {
  return quotePlace(text, index, length).replaceAll(filledIn, '{…}')
}
