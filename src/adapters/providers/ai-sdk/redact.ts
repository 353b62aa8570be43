import { cutAtWord } from '../../../log/redact.js'
import { toEscape } from '../../../text/words.js'

const charactersAtMost = 220

/** Texts that no message may repeat. */
export interface Secrets {
  /** The API key in all its encodings, and the whole prompt. */
  readonly texts: readonly RegExp[]
  /** Callers' own words, such as a pet's name: those that the prompt has in quotation marks. */
  readonly words: readonly RegExp[]
}

export function findSecrets(apiKey: string | undefined, prompt: string): Secrets {
  return {
    texts: [...spellKey(apiKey ?? ''), toPattern(prompt)],
    words: findQuoted(prompt).flatMap(spellWord),
  }
}

/**
 * Cleans a vendor's message for the log: removes `secrets`, URLs (they may be signed), anything that looks like a
 * key, and control characters. Callers' words are removed last, because one of them might be part of a pattern that
 * identifies a key.
 */
export function redact(text: string, { texts, words }: Secrets): string {
  const replacements: readonly (readonly [RegExp, string])[] = [
    ...texts.map((secret) => [secret, '…'] as const),
    ...shapes,
    ...words.map((word) => [word, '…'] as const),
  ]
  const kept = replacements.reduce(
    (left, [pattern, instead]) => left.replaceAll(pattern, instead),
    cutAtWord(text).normalize('NFC'),
  )
  return hideLong(kept)
    .replaceAll(/\p{Cc}+/gu, ' ')
    .trim()
    .slice(0, charactersAtMost)
}

/** Repetitions are bounded: otherwise a text that consists of their prefixes would take minutes. */
const shapes: readonly (readonly [RegExp, string])[] = [
  [/(?:\b[a-z][\w+.-]{1,9}:)?\/\/[^\s"'<>)]+|\bdata:[^\s"'<>)]+/gi, '[URL]'],
  // Parameters that sign a URL or name an account, also outside of URLs.
  [
    /\b((?:x-(?:amz|goog)-[\w-]{1,40}|(?:\w{1,20}[-_])?(?:sig|signature|key|token|secret|credentials?|auth|pass(?:word|wd)))=)[^\s"'&,;)]+/gi,
    '$1…',
  ],
  [
    /\b((?:\w{1,20}[-_])?(?:key|token|secret|credentials?|pass(?:word|wd|phrase)?)(?:"?\s{0,3}:\s{0,3}|\s(?:is\s)?))"?(?=[^\s"',;)]{0,40}\d)[^\s"',;)]{5,}/gi,
    '$1…',
  ],
  [/\b(?:sk|pk|rk|r8|fal)[-_][\w*-]{6,200}/gi, '…'],
  [/\b(?:key|bearer|basic|aiza)[-_ ]?(?=[\w-]{0,40}\d)[\w*.+/=-]{7,200}/gi, '…'],
]

/**
 * Hides runs of forty characters without a space, unless they consist of words and numbers, as in the name of a
 * model.
 */
const hideLong = (text: string) => text.replaceAll(/[\w+/=-]{40,}/g, (run) => (isWords(run) ? run : '…'))
const isWords = (run: string) =>
  run.split(/[-_/]/).every((part) => /^(?:[a-z]{0,20}|[A-Z][a-z]{0,20}|v?\d{1,8})$/.test(part))

/** A key as it is, in JSON, in a URL, and in base64, where the preceding bytes decide among three encodings. */
function spellKey(key: string): RegExp[] {
  if (key === '') return []
  const encoded = [0, 2, 3].map((shared, before) => {
    const text = Buffer.from(' '.repeat(before) + key).toString('base64')
    return text.slice(shared).replace(/.==?$/, '')
  })
  const spelled = [key, JSON.stringify(key).slice(1, -1), encodeURIComponent(key)]
  return [...new Set([...spelled, ...encoded.filter((text) => text.length >= 8)])].map((text) => toPattern(text))
}

/** Whole phrases first, then their words; short words and words without letters occur in any text. */
function findQuoted(prompt: string): string[] {
  const phrases = [...prompt.matchAll(/["“]([^"“”\n]+)["”]/g)].map(([, phrase = '']) => phrase.trim().normalize('NFC'))
  const words = phrases.flatMap((phrase) => phrase.split(/[^\p{L}\p{M}\p{N}]+/u))
  const isTelling = (word: string) => word.length >= 4 || /^\p{Lu}..$/u.test(word)
  return [...phrases, ...words.filter(isTelling)].filter((text) => /\p{L}/u.test(text))
}

/** A phrase as people write it, not inside another word, and as encoded in URLs and JSON. */
function spellWord(text: string): RegExp[] {
  const before = isPartOfWord(text[0]) ? '(?<![\\p{L}\\p{N}])' : ''
  const after = isPartOfWord(text.at(-1)) ? '(?![\\p{L}\\p{N}])' : ''
  const asWritten = new RegExp(`${before}${quoteForPattern(text)}${after}`, 'giu')
  const escaped = [...text].map((c) => (c > '~' ? toEscape(c) : c)).join('')
  const encoded = [encodeURIComponent(text), encodeURIComponent(text).replaceAll('%20', '+'), escaped]
  return [asWritten, ...encoded.filter((spelled) => spelled !== text).map((spelled) => toPattern(spelled, 'gi'))]
}

/** Languages without spaces have no word boundaries. */
function isPartOfWord(character = ''): boolean {
  const spaceless = /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}]/u
  return /[\p{L}\p{N}]/u.test(character) && !spaceless.test(character)
}

const quoteForPattern = (text: string) => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&')
const toPattern = (text: string, flags = 'g') =>
  text === '' ? /(?!)/g : new RegExp(quoteForPattern(text.normalize('NFC')), flags)
