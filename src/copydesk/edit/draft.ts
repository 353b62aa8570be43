import { type Locale, locales } from '../../insight/types.js'
import { localeNames } from '../page/words.js'

/** A text of the catalog while a reviewer edits it. */
export interface Draft {
  readonly id: string
  /** Its file, such as `catalog/insight/rest.json`. */
  readonly file: string
  /** The condition of the sentence, or a note that it is a part of sentences. */
  readonly about: string
  readonly texts: Readonly<Record<Locale, string>>
}

/** Renders the file to edit: the three texts, and instructions in lines that begin with #. */
export function writeDraft({ about, file, id, texts }: Draft): string {
  const head = [
    `${id}, in ${file}`,
    about,
    '',
    'Change the texts below, save and close. Lines that begin with # are ignored.',
    'Keep each text on one line below its language. Spaces at its ends are kept as they are.',
    "{name} and everything else in braces is a placeholder; keep it. Write an apostrophe twice: its breed''s",
    'In {count, plural, one {…} other {…}} only the inner braces contain text; # is the number.',
  ]
  const sections = locales.map((locale) => `# ${localeNames[locale]}\n${locale}:\n${texts[locale]}\n`)
  return `${head.map((line) => `# ${line}`.trimEnd()).join('\n')}\n\n${sections.join('\n')}`
}

/**
 * Parses an edited draft. Returns a sentence that names the problem if it cannot. White space at the ends of a text
 * stays as in `former`: it joins the text to others, and editors remove it.
 */
export function parseDraft(text: string, former: Draft['texts']): Draft['texts'] | string {
  const found = new Map<Locale, string[]>()
  let current: string[] | undefined
  for (const line of text.replace(/^\uFEFF/, '').split(/\r\n|\r|\n/)) {
    const locale = locales.find((candidate) => line.trim() === `${candidate}:`)
    if (locale !== undefined) {
      if (found.has(locale)) return `${localeNames[locale]} (${locale}:) appears twice.`
      current = []
      found.set(locale, current)
    } else if (line.trim() !== '' && !line.startsWith('#')) {
      if (current === undefined) return `“${shorten(line)}” is above the first language.`
      current.push(line.trim())
    }
  }
  return readSections(found, former)
}

/** Rebases a draft from `before` to `now`: texts that it did not change get the current text. */
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
    if (lines.length > 1) return `The ${localeNames[locale]} text has ${lines.length} lines; write it on one.`
    texts[locale] = withEndsOf(former[locale], text)
  }
  return texts
}

/** Gives a text the white space at the ends of its former version. */
export function withEndsOf(former: string, text: string): string {
  const [before = ''] = /^\s*/.exec(former) ?? []
  const [after = ''] = /\s*$/.exec(former) ?? []
  return before + text.trim() + after
}

const shorten = (line: string) => (line.length > 40 ? `${line.slice(0, 40)}…` : line)
