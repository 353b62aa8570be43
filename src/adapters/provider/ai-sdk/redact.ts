const charactersAtMost = 220
/** What follows is not looked at: an answer may have megabytes. */
const charactersRead = 4000

/** What no message may repeat. */
export interface Secrets {
  /** The API key in its spellings, and the whole prompt. */
  readonly texts: readonly RegExp[]
  /** What callers wrote, such as the name of a pet: what the prompt has in quotation marks. */
  readonly words: readonly RegExp[]
}

export function findSecrets(apiKey: string | undefined, prompt: string): Secrets {
  return {
    texts: [...spellKey(apiKey ?? ''), toPattern(prompt)],
    words: findQuoted(prompt).flatMap(spellWord),
  }
}

/**
 * Words of a model service for the log: without `secrets`, URLs, which may be signed, whatever looks like a key, and
 * control characters. A caller's words go last: one of them might be a part of what tells the rest.
 */
export function redact(text: string, { texts, words }: Secrets): string {
  const read = text.length > charactersRead ? cutAtWord(text.slice(0, charactersRead)) : text
  const replacements: readonly (readonly [RegExp, string])[] = [
    ...texts.map((secret) => [secret, '…'] as const),
    ...shapes,
    ...words.map((word) => [word, '…'] as const),
  ]
  const kept = replacements.reduce(
    (left, [pattern, instead]) => left.replaceAll(pattern, instead),
    read.normalize('NFC'),
  )
  return hideLong(kept)
    .replaceAll(/\p{Cc}+/gu, ' ')
    .trim()
    .slice(0, charactersAtMost)
}

/** A part of a key is none that can be told. */
const cutAtWord = (text: string) => `${text.slice(0, Math.max(text.lastIndexOf(' '), text.lastIndexOf('\n')) + 1)}…`

/** Repeats have bounds: without, a text of their beginnings alone would keep the program busy for minutes. */
const shapes: readonly (readonly [RegExp, string])[] = [
  [/(?:\b[a-z][\w+.-]{1,9}:)?\/\/[^\s"'<>)]+|\bdata:[^\s"'<>)]+/gi, '[URL]'],
  // Parameters that sign a URL or name an account, wherever they were copied from.
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

/** Forty characters without a space, unless they are words and numbers, as in the name of a model. */
const hideLong = (text: string) => text.replaceAll(/[\w+/=-]{40,}/g, (run) => (isWords(run) ? run : '…'))
const isWords = (run: string) =>
  run.split(/[-_/]/).every((part) => /^(?:[a-z]{0,20}|[A-Z][a-z]{0,20}|v?\d{1,8})$/.test(part))

/** A key as it is, in JSON, in a URL, and in base64, where what stands before it decides which one of three. */
function spellKey(key: string): RegExp[] {
  if (key === '') return []
  const encoded = [0, 2, 3].map((shared, before) => {
    const text = Buffer.from(' '.repeat(before) + key).toString('base64')
    return text.slice(shared).replace(/.==?$/, '')
  })
  const spelled = [key, JSON.stringify(key).slice(1, -1), encodeURIComponent(key)]
  return [...new Set([...spelled, ...encoded.filter((text) => text.length >= 8)])].map((text) => toPattern(text))
}

/** Whole phrases first, then what they are made of: what is short or has no letters is in every text. */
function findQuoted(prompt: string): string[] {
  const phrases = [...prompt.matchAll(/["“]([^"“”\n]+)["”]/g)].map(([, phrase = '']) => phrase.trim().normalize('NFC'))
  const words = phrases.flatMap((phrase) => phrase.split(/[^\p{L}\p{M}\p{N}]+/u))
  const isTelling = (word: string) => word.length >= 4 || /^\p{Lu}..$/u.test(word)
  return [...phrases, ...words.filter(isTelling)].filter((text) => /\p{L}/u.test(text))
}

/** A phrase as people write it, not inside of another word; and as programs do, in URLs and in JSON. */
function spellWord(text: string): RegExp[] {
  const before = isPartOfWord(text[0]) ? '(?<![\\p{L}\\p{N}])' : ''
  const after = isPartOfWord(text.at(-1)) ? '(?![\\p{L}\\p{N}])' : ''
  const asWritten = new RegExp(`${before}${quoteForPattern(text)}${after}`, 'giu')
  const escaped = [...text].map((c) => (c > '~' ? escapeUnits(c) : c)).join('')
  const encoded = [encodeURIComponent(text), encodeURIComponent(text).replaceAll('%20', '+'), escaped]
  return [asWritten, ...encoded.filter((spelled) => spelled !== text).map((spelled) => toPattern(spelled, 'gi'))]
}

/** Languages that write without spaces have no whole words to look for. */
function isPartOfWord(character = ''): boolean {
  const spaceless = /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}]/u
  return /[\p{L}\p{N}]/u.test(character) && !spaceless.test(character)
}

const escapeUnits = (character: string) =>
  character
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('')
const quoteForPattern = (text: string) => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&')
const toPattern = (text: string, flags = 'g') =>
  text === '' ? /(?!)/g : new RegExp(quoteForPattern(text.normalize('NFC')), flags)
