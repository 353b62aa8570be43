import { type Locale, locales } from '../insight/types.js'
import { type Finding, findFirst } from './finding.js'
import type { Patterns } from './signoff.js'

/** A file of texts, member by member, so that what is there twice is seen. */
export interface EntryFile {
  /** Path under `catalog/`. */
  readonly file: string
  readonly entries: readonly Entry[]
}

export interface Entry {
  readonly id: string
  /** Where it stands in its file. */
  readonly offset: number
  /** Languages and note; undefined for what is no object. */
  readonly members: readonly { readonly name: string; readonly value: unknown; readonly offset: number }[] | undefined
}

/** The texts that could be read. */
export interface ReviewTexts {
  readonly patterns: Patterns
  /** The file that each is in, under `catalog/`. */
  readonly files: Readonly<Record<string, string>>
}

/** The texts of some files, and what is wrong with the way they are written down. */
export function readEntries(files: readonly EntryFile[]): { texts: ReviewTexts; findings: Finding[] } {
  const patterns: Record<Locale, Record<string, string>> = { 'zh-CN': {}, 'en-US': {}, es: {} }
  const places: Record<string, string> = {}
  const findings: Finding[] = []
  for (const { file, entries } of files) {
    for (const entry of entries) {
      const { id, members, offset } = entry
      if (Object.hasOwn(places, id)) {
        const message = `The text ${id} is there twice${places[id] === file ? '' : `, also in catalog/${places[id]}`}.`
        findings.push({ code: 'text-twice', file, id, offset, message, fix: 'Delete one of the two.' })
        continue
      }
      places[id] = file
      findings.push(...findEntryFaults(file, entry))
      for (const { name, value } of members ?? []) {
        const locale = locales.find((candidate) => candidate === name)
        if (locale !== undefined && typeof value === 'string' && value !== '') patterns[locale][id] = value
      }
    }
  }
  return { texts: { patterns, files: places }, findings: findFirst(findings) }
}

function findEntryFaults(file: string, { id, members, offset }: Entry): Finding[] {
  if (members === undefined) {
    const fix = 'Write "zh-CN", "en-US" and "es", each with its text, between { and }.'
    return [{ code: 'file-broken', file, id, offset, message: `The entry ${id} is not a text in languages.`, fix }]
  }
  const names = members.map(({ name }) => name)
  const strange = members.filter(({ name }) => name !== 'note' && !locales.includes(name as Locale))
  const missing = locales.filter((locale) => {
    const values = members.filter(({ name }) => name === locale).map(({ value }) => value)
    return !values.some((value) => typeof value === 'string' && value !== '')
  })
  const twice = members.filter(({ name }, index) => names.indexOf(name) !== index)
  // A misspelt language is both missing and unknown: one fault.
  const misspelt = missing.length === 0 ? [] : strange
  const hint = misspelt.length === 0 ? '' : `; ${misspelt.map(({ name }) => `"${name}"`).join(', ')} is not a language`
  return [
    ...missing.map((locale): Finding => {
      const message = `The text ${id} has no words in ${locale}${hint}.`
      return { code: 'locale-missing', file, id, locale, offset, message, fix: `Add "${locale}" with the text.` }
    }),
    ...(missing.length > 0 ? [] : strange).map((member): Finding => {
      const message = `The entry ${id} has a member "${member.name}", which is neither a language nor its note.`
      const fix = 'Delete it, or correct its name: zh-CN, en-US, es or note.'
      return { code: 'member-unknown', file, id, offset: member.offset, message, fix }
    }),
    ...twice.map((member): Finding => {
      const message = `The text ${id} has "${member.name}" twice; only the last one counts.`
      return { code: 'text-twice', file, id, offset: member.offset, message, fix: 'Delete one of the two.' }
    }),
  ]
}
