import type { Texts } from '../catalog/texts.js'
import { byLocale, type Locale, locales } from '../insight/types.js'
import { type Finding, findFirst } from './finding.js'

/** A file of texts as a list of members, so that duplicates are visible. */
export interface EntryFile {
  /** Path under `catalog/`. */
  readonly file: string
  readonly entries: readonly TextEntry[]
}

export interface TextEntry {
  readonly id: string
  /** Offset in the file. */
  readonly offset: number
  /** The languages and the note; undefined if the entry is not an object. */
  readonly members: readonly { readonly name: string; readonly value: unknown; readonly offset: number }[] | undefined
}

/** The texts that could be parsed. */
export type ReviewTexts = Pick<Texts, 'patterns' | 'files'>

/** Collects the texts of files, and the findings on their form. */
export function readEntries(files: readonly EntryFile[]): { texts: ReviewTexts; findings: Finding[] } {
  const patterns = byLocale((): Record<string, string> => ({}))
  const filesById: Record<string, string> = {}
  const findings: Finding[] = []
  for (const { file, entries } of files) {
    for (const entry of entries) {
      const { id, members, offset } = entry
      if (Object.hasOwn(filesById, id)) {
        const message = `The text ${id} exists twice${filesById[id] === file ? '' : `, also in catalog/${filesById[id]}`}.`
        findings.push({ code: 'text-twice', file, id, offset, message, fix: 'Delete one of the two.' })
        continue
      }
      filesById[id] = file
      findings.push(...lintEntry(file, entry))
      for (const { name, value } of members ?? []) {
        const locale = locales.find((candidate) => candidate === name)
        if (locale !== undefined && typeof value === 'string' && value !== '') patterns[locale][id] = value
      }
    }
  }
  return { texts: { patterns, files: filesById }, findings: findFirst(findings) }
}

function lintEntry(file: string, { id, members, offset }: TextEntry): Finding[] {
  if (members === undefined) {
    const message = `The entry ${id} is not an object with one text per language.`
    const fix = 'Write "zh-CN", "en-US" and "es", each with its text, between { and }.'
    return [{ code: 'file-broken', file, id, offset, message, fix }]
  }
  const names = members.map(({ name }) => name)
  const unknown = members.filter(({ name }) => name !== 'note' && !locales.includes(name as Locale))
  const missing = locales.filter((locale) => {
    const values = members.filter(({ name }) => name === locale).map(({ value }) => value)
    return !values.some((value) => typeof value === 'string' && value !== '')
  })
  const twice = members.filter(({ name }, index) => names.indexOf(name) !== index)
  // A misspelled language is both missing and unknown: report it once.
  const misspelled = missing.length === 0 ? [] : unknown
  const hint =
    misspelled.length === 0 ? '' : `; ${misspelled.map(({ name }) => `"${name}"`).join(', ')} is not a language`
  return [
    ...missing.map((locale): Finding => {
      const message = `The text ${id} has no text in ${locale}${hint}.`
      return { code: 'locale-missing', file, id, locale, offset, message, fix: `Add "${locale}" with the text.` }
    }),
    ...(missing.length > 0 ? [] : unknown).map((member): Finding => {
      const message = `The entry ${id} has a member "${member.name}", which is neither a language nor "note".`
      const fix = 'Delete it, or correct its name: zh-CN, en-US, es or note.'
      return { code: 'member-unknown', file, id, offset: member.offset, message, fix }
    }),
    ...twice.map((member): Finding => {
      const message = `The text ${id} has "${member.name}" twice; only the last one is used.`
      return { code: 'text-twice', file, id, offset: member.offset, message, fix: 'Delete one of the two.' }
    }),
  ]
}
