import { defaultLocale, type Locale, locales } from '../../insight/types.js'
import type { Finding } from '../finding.js'
import type { PatternCase } from './pattern-cases.js'
import type { Wording } from './wording.js'

/**
 * Finds placeholders whose order differs from the other languages, or from the order that reviewers settled for a
 * language.
 */
export function lintOrder(
  where: Pick<Finding, 'file' | 'id'>,
  parts: PatternCase['parts'],
  { placeholderOrder }: Wording,
  isEdited: (locale: Locale) => boolean,
): Finding[] {
  const written = locales.map((locale) => ({ locale, names: listNames(parts, locale) }))
  const [{ names: first } = { names: [] }] = written
  const common = first.filter((name) => written.every(({ names }) => names.includes(name)))
  const settled = placeholderOrder[where.id ?? ''] ?? {}
  const odd = listPairs(common).flatMap(([one, other]) => {
    const isSettled = (locale: Locale) => [one, other].every((name) => settled[locale]?.includes(name))
    const isBefore = (names: readonly string[]) => names.indexOf(one) < names.indexOf(other)
    const wrong = written.filter(
      ({ locale, names }) => isSettled(locale) && isBefore(names) !== isBefore(settled[locale] ?? []),
    )
    const voters = written.filter(({ locale }) => !isSettled(locale))
    const before = voters.filter(({ names }) => isBefore(names))
    const after = voters.filter(({ names }) => !isBefore(names))
    return [...wrong, ...chooseBlamed(before, after, isEdited)].map(({ locale }) => ({ locale, one, other }))
  })
  return odd.map(({ locale, one, other }): Finding => {
    const message = `The text ${where.id} has {${one}} and {${other}} in the wrong order in ${locale}.`
    const fix =
      'Swap them; if the language needs this order, add it to placeholderOrder in catalog/insight/wording.json.'
    return { ...where, code: 'placeholder-order', locale, message, fix }
  })
}

interface Written {
  readonly locale: Locale
  readonly names: readonly string[]
}

/** Chooses the languages to blame: the edited ones, else the minority, else those that are not the source language. */
function chooseBlamed(
  before: readonly Written[],
  after: readonly Written[],
  isEdited: (locale: Locale) => boolean,
): readonly Written[] {
  if (before.length === 0 || after.length === 0) return []
  const edited = [before, after].filter((list) => list.every(({ locale }) => isEdited(locale)))
  if (edited.length === 1) return edited[0] ?? []
  if (before.length !== after.length) return before.length < after.length ? before : after
  return before.some(({ locale }) => locale === defaultLocale) ? after : before
}

function listNames(parts: PatternCase['parts'], locale: Locale): readonly string[] {
  const names = (parts[locale] ?? []).flatMap((part) => (part.kind === 'words' ? [] : [part.name]))
  return [...new Set(names)]
}

function listPairs(names: readonly string[]): (readonly [string, string])[] {
  return names.flatMap((one, index) => names.slice(index + 1).map((other) => [one, other] as const))
}
