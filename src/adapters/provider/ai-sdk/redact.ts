const charactersAtMost = 220
/** Shorter words are ordinary ones too often. */
const lettersAtLeast = 4

/** What no message may repeat. */
export type Secrets = readonly RegExp[]

/**
 * The API key, also as it stands in URLs and headers; and the prompt, whole, and of it what stands in quotation marks: the
 * words of callers, such as the name of a pet.
 */
export function findSecrets(apiKey: string | undefined, prompt: string): Secrets {
  return [...spell(apiKey ?? ''), prompt].map(toPattern).concat(quotations(prompt).map(toWordPattern))
}

/**
 * Words of a model service for the log: without `secrets`, URLs, which may be signed, whatever looks like a key, and
 * control characters.
 */
export function redact(text: string, secrets: Secrets): string {
  return secrets
    .reduce((kept, secret) => kept.replaceAll(secret, '…'), text)
    .replaceAll(/(?:\b[a-z][\w+.-]{1,9}:)?\/\/[^\s"'<>)]+|\bdata:[^\s"'<>)]+/gi, '[URL]')
    .replaceAll(parameters, '$1…')
    .replaceAll(/\b(?:sk|r8|key|bearer|basic|aiza)[-_ ]?[\w-]*\d[\w-]{6,}/gi, '…')
    .replaceAll(/[\w+/=-]{40,}/g, '…')
    .replaceAll(/\p{Cc}+/gu, ' ')
    .trim()
    .slice(0, charactersAtMost)
}

/** What signs a URL or names an account, wherever it was copied from. */
const parameters =
  /\b((?:x-(?:amz|goog)-[\w-]+|(?:\w+[-_])?(?:sig|signature|key|token|secret|credentials?|auth|pass(?:word|wd|phrase)?))(?:"?\s*[=:]\s*|\s+is\s+)|password\s+)"?[^\s"'&,;)]+/gi

/** A key as a text may hold it: as it is, in a URL, and in base64, where what stands before it decides which one of three. */
function spell(key: string): string[] {
  if (key === '') return []
  const encoded = [0, 2, 3].map((shared, before) => {
    const text = Buffer.from(' '.repeat(before) + key).toString('base64')
    return text.slice(shared).replace(/.==?$/, '')
  })
  return [key, encodeURIComponent(key), ...encoded.filter((text) => text.length >= 8)]
}

function quotations(prompt: string): string[] {
  const phrases = [...prompt.matchAll(/["“]([^"“”\n]+)["”]/g)].map(([, phrase = '']) => phrase.trim())
  const words = phrases.flatMap((phrase) => phrase.split(/[^\p{L}\p{M}\p{N}]+/u))
  // The whole first: it may hold a word that stays.
  return [...phrases, ...words.filter((word) => word.length >= lettersAtLeast)].filter(Boolean)
}

const quoteForPattern = (text: string) => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&')
const toPattern = (text: string) => (text === '' ? /(?!)/g : new RegExp(quoteForPattern(text), 'g'))

/** Not inside of another word; Chinese has no spaces between them. */
function toWordPattern(text: string): RegExp {
  const isLetters = (character = '') => /[\p{L}\p{N}]/u.test(character) && !/\p{Script=Han}/u.test(character)
  const before = isLetters(text[0]) ? '(?<![\\p{L}\\p{N}])' : ''
  const after = isLetters(text.at(-1)) ? '(?![\\p{L}\\p{N}])' : ''
  return new RegExp(`${before}${quoteForPattern(text)}${after}`, 'giu')
}
