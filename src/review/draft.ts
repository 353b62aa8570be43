import { type Locale, locales } from '../insight/types.js'
import { localeNames } from './page-words.js'

/** A text of the catalog as a reviewer edits it. */
export interface Draft {
  readonly id: string
  /** Its file, such as `catalog/insight/rest.json`. */
  readonly file: string
  /** When it is said, or what it is part of. */
  readonly about: string
  readonly texts: Readonly<Record<Locale, string>>
}

/** The file that a reviewer edits: the three texts alone, and in lines that begin with # how to write them. */
export function writeDraft({ about, file, id, texts }: Draft): string {
  const head = [
    `${id}, in ${file}`,
    about,
    '',
    'Change the texts below, save, and close. Lines that begin with # are not read.',
    'Each text stays on one line below its language; spaces at its ends stay as they were.',
    "{name} and whatever else stands in braces is filled in; keep all of it. An apostrophe is written twice: its breed''s",
    'In {count, plural, one {…} other {…}} only what stands in the inner braces is text; # is the number.',
  ]
  const sections = locales.map((locale) => `# ${localeNames[locale]}\n${locale}:\n${texts[locale]}\n`)
  return `${head.map((line) => `# ${line}`.trimEnd()).join('\n')}\n\n${sections.join('\n')}`
}

/**
 * The texts of an edited draft; a sentence that says what is wrong for one that cannot be read. Spaces at the edges of a text
 * stay as they are in `former`: they join it to others, and editors lose them.
 */
export function parseDraft(text: string, former: Draft['texts']): Draft['texts'] | string {
  const found = new Map<Locale, string[]>()
  let current: string[] | undefined
  for (const line of text.replace(/^\uFEFF/, '').split(/\r\n|\r|\n/)) {
    const locale = locales.find((candidate) => line.trim() === `${candidate}:`)
    if (locale !== undefined) {
      if (found.has(locale)) return `${localeNames[locale]} (${locale}:) stands there twice.`
      current = []
      found.set(locale, current)
    } else if (line.trim() !== '' && !line.startsWith('#')) {
      if (current === undefined) return `“${shorten(line)}” stands above the first language.`
      current.push(line.trim())
    }
  }
  return readSections(found, former)
}

/** The texts of a draft that was begun when the catalog said `before`: what it left as it was is as it is `now`. */
export function rebaseDraft(edited: Draft['texts'], before: Draft['texts'], now: Draft['texts']): Draft['texts'] {
  const pick = (locale: Locale) => (edited[locale] === before[locale] ? now[locale] : edited[locale])
  return { 'zh-CN': pick('zh-CN'), 'en-US': pick('en-US'), es: pick('es') }
}

function readSections(found: ReadonlyMap<Locale, readonly string[]>, former: Draft['texts']): Draft['texts'] | string {
  const texts: Record<Locale, string> = { 'zh-CN': '', 'en-US': '', es: '' }
  const gone = locales.find((locale) => !found.has(locale))
  if (gone !== undefined) return `The line ${gone}: above the ${localeNames[gone]} text is missing.`
  for (const [locale, lines] of found) {
    const [text] = lines
    if (text === undefined) return `The ${localeNames[locale]} text is missing.`
    if (lines.length > 1) return `The ${localeNames[locale]} text stands on ${lines.length} lines; write it on one.`
    const [before = ''] = /^\s*/.exec(former[locale]) ?? []
    const [after = ''] = /\s*$/.exec(former[locale]) ?? []
    texts[locale] = before + text + after
  }
  return texts
}

const shorten = (line: string) => (line.length > 40 ? `${line.slice(0, 40)}…` : line)
