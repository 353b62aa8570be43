import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { SvcError } from '../errors.js'
import type { HomeCopy } from '../home/home.js'
import { isJsonObject, type JsonObject, objectOf } from '../insight/json-object.js'
import { byLocale, type Copy, type Locale, locales } from '../insight/types.js'
import { poses, species, taskLocales } from '../media/poses.js'
import type { Prompts, PromptTexts } from '../media/prompts.js'
import { shippedUrl } from '../runtime/entry.js'
import type { Texts } from './texts.js'

/** The files of `catalog/insight/`, which map the ID of a text to its three languages. */
const insightFiles = ['activity.json', 'rest.json', 'vitals.json', 'bark.json', 'phrases.json'] as const

/** A folder of the catalog. */
export interface Folder {
  readonly href: string
}

const insightFolder: Folder = shippedUrl('catalog/insight/')

/** The texts of `catalog/insight/`. */
export interface InsightTexts extends Texts, TextsLabel {}

/** The label of rules and texts together; a changed text needs a new label. */
export interface TextsLabel extends Pick<Texts, 'pinnedHash'> {
  readonly ruleVersion: string
  /** Set if branches signed languages on their own: their texts together have no label yet, so their hash is added to it. */
  readonly mergedVersion?: string | undefined
}

/** A label in one language of `version.json`. */
export interface LanguageLabel {
  readonly ruleVersion: string
  /** SHA-256 of the texts in the language; empty in files of the form before, which have one row for all. */
  readonly texts: string
  /** SHA-256 of the texts in all languages at that time. */
  readonly catalog: string
}

/**
 * Loads the compiled texts of `catalog/insight/`. If the catalog changed since the build, checks and compiles it again,
 * so that an edited text takes effect at once. Texts that differ from those of their label get the label with
 * `+edited`.
 * Throws an SvcError that names the invalid file, text and language.
 */
export async function loadInsightCopy(): Promise<Copy> {
  const texts = readInsightTexts()
  const label = texts.mergedVersion ?? texts.ruleVersion
  const ruleVersion = texts.hash === texts.pinnedHash ? label : `${label}+edited`
  return { ruleVersion, messages: await compileChanged(texts, await import('../generated/messages.js'), 'insight') }
}

/**
 * Like `loadInsightCopy`, for `catalog/home.json`. Texts that differ from those of their label get a label with their
 * hash.
 */
export async function loadHomeCopy(): Promise<HomeCopy> {
  const texts = readHomeTexts()
  const version = texts.hash === texts.pinnedHash ? texts.version : `${texts.version}+${texts.hash.slice(0, 8)}`
  return { version, messages: await compileChanged(texts, await import('../generated/home-messages.js'), 'home.json') }
}

interface BuiltMessages {
  readonly hash: string
  readonly messages: Copy['messages']
}

async function compileChanged(texts: Texts, built: BuiltMessages, part: string): Promise<Copy['messages']> {
  if (texts.hash === built.hash) return built.messages
  const missing = Object.keys(built.messages['en-US']).filter((id) => texts.patterns['en-US'][id] === undefined)
  if (missing.length > 0) {
    throw new SvcError(
      'internal_error',
      `catalog/${part} lacks the text ${missing.join(', ')}. Add it in every language.`,
    )
  }
  const { compileMessages } = await import('./message-compiler.js')
  return compileMessages(texts)
}

/**
 * Reads and checks the files of `catalog/insight/`. Throws an SvcError that names the invalid file, text and language.
 */
export function readInsightTexts(folder = insightFolder): InsightTexts {
  const sources = insightFiles.map((file) => ({
    file: `insight/${file}`,
    entries: readObject(folder, file, 'insight/'),
  }))
  const read = readEntries(sources)
  return { ...read, ...labelTexts(readInsightVersion(folder), read.patterns, read.hash) }
}

/** The content of a file of texts. */
export interface TextFile {
  /** Path under `catalog/`. */
  readonly file: string
  readonly content: string
}

/** Reads the files of `catalog/insight/` without parsing them, for the lint. Throws an SvcError for a missing file. */
export function readInsightFiles(folder = insightFolder): TextFile[] {
  return insightFiles.map((name) => ({
    file: `insight/${name}`,
    content: readText(folder, name, `catalog/insight/${name}`),
  }))
}

/**
 * Reads the label of each language, and of the texts that it names. Throws an SvcError that names a missing member.
 */
export function readInsightVersion(folder = insightFolder): Readonly<Record<Locale, LanguageLabel>> {
  const file = readObject(folder, 'version.json', 'insight/')
  const { ruleVersion: former, sha256 } = file
  const all = { ruleVersion: former, texts: '', catalog: sha256 }
  const read = (locale: Locale): LanguageLabel => {
    const row = former === undefined ? objectOf(file, locale) : all
    const where = `catalog/insight/version.json${former === undefined ? `, ${locale}` : ''}`
    const ruleVersion = requireText(row, 'ruleVersion', where)
    if (isRuleVersion(ruleVersion)) return { ruleVersion, texts: String(row.texts), catalog: String(row.catalog) }
    const found = JSON.stringify(ruleVersion)
    throw new SvcError('internal_error', `${where}: ruleVersion is ${found}; it must be ${ruleVersionForm}.`)
  }
  return byLocale(read)
}

/**
 * Returns the label of texts: the latest of the languages, if the texts are those that it was given to, or a merge of
 * approvals of single languages.
 */
export function labelTexts(
  labels: Readonly<Record<Locale, LanguageLabel>>,
  patterns: Texts['patterns'],
  hash = hashTexts(patterns),
): TextsLabel {
  const rows = locales.map((locale) => labels[locale])
  const { catalog, ruleVersion } = rows.reduce((latest, row) => (orderOf(row) > orderOf(latest) ? row : latest))
  const isNamed = rows.some((row) => row.ruleVersion === ruleVersion && row.catalog === hash)
  if (isNamed) return { ruleVersion, pinnedHash: hash }
  const isMerged = locales.every((locale) => labels[locale].texts === hashTexts(patterns, [locale]))
  if (!isMerged) return { ruleVersion, pinnedHash: catalog }
  return { ruleVersion, pinnedHash: hash, mergedVersion: `${ruleVersion}+${hash.slice(0, 8)}` }
}

/** Orders labels by their year and number. */
function orderOf({ ruleVersion }: LanguageLabel): number {
  const [year = 0, number = 0] = (ruleVersion.match(/\d+/g) ?? []).map(Number)
  return year * 1_000_000 + number
}

/** The form of a label, in words. */
export const ruleVersionForm = 'health-detail-copy-YEAR.NUMBER, such as health-detail-copy-2026.1'

export function isRuleVersion(label: string): boolean {
  return /^health-detail-copy-\d+\.\d+$/.test(label)
}

/**
 * Reads `catalog/insight/wording.json`, which `copydesk/` validates with `parseWording`. Throws as `readObject` does.
 */
export function readInsightWording(folder = insightFolder): Readonly<Record<string, unknown>> {
  return readObject(folder, 'wording.json', 'insight/')
}

/**
 * Reads `catalog/insight/signoff.json`, which `copydesk/` validates with `parseSignoff`. Throws as `readObject` does.
 */
export function readInsightSignoff(folder = insightFolder): Readonly<Record<string, unknown>> {
  return readObject(folder, 'signoff.json', 'insight/')
}

/**
 * Reads and checks `catalog/home.json`. `version` is the label of the texts; a changed text needs a new label. Throws an SvcError
 * that names the invalid text and language.
 */
export function readHomeTexts(folder: Folder = shippedUrl('catalog/')) {
  const file = 'home.json'
  const { version, sha256, texts } = readObject(folder, file, '')
  if (typeof texts !== 'object' || texts === null) {
    throw new SvcError('internal_error', `catalog/${file}: texts is missing.`)
  }
  return {
    version: requireText({ version }, 'version', `catalog/${file}`),
    pinnedHash: String(sha256),
    ...readEntries([{ file, entries: texts }]),
  }
}

/** Collects the texts of files. Throws an SvcError for a duplicate, a missing language and an unknown member. */
function readEntries(
  sources: readonly { readonly file: string; readonly entries: object }[],
): Pick<Texts, 'hash' | 'patterns' | 'files'> {
  const patterns = byLocale((): Record<string, string> => ({}))
  const files: Record<string, string> = {}
  for (const { file, entries } of sources) {
    for (const [id, entry] of Object.entries<unknown>({ ...entries })) {
      const where = `catalog/${file}, ${id}`
      if (files[id] !== undefined) throw new SvcError('internal_error', `${where}: the text exists twice.`)
      files[id] = file
      for (const locale of locales) patterns[locale][id] = requireText(entry, locale, where)
      const unknown = Object.keys(entry as object).filter((key) => key !== 'note' && !locales.includes(key as Locale))
      if (unknown.length > 0) throw new SvcError('internal_error', `${where}: unknown member ${unknown.join(', ')}.`)
    }
  }
  return { hash: hashTexts(patterns), patterns, files }
}

/** Returns the SHA-256 of texts in some languages, independent of their order. */
export function hashTexts(patterns: Texts['patterns'], wanted: readonly Locale[] = locales): string {
  const rows = wanted.flatMap((locale) => Object.entries(patterns[locale]).map(([id, text]) => [id, locale, text]))
  const canonical = JSON.stringify(rows.sort(([a, b], [c, d]) => (`${a} ${b}` < `${c} ${d}` ? -1 : 1)))
  return createHash('sha256').update(canonical).digest('hex')
}

/**
 * Reads and checks the files of `catalog/prompts/`. Throws an SvcError that names the invalid file, text and language.
 */
export function readPrompts(folder: Folder = shippedUrl('catalog/prompts/')): Prompts {
  return {
    avatar: readPromptTexts(folder, 'avatar.json', taskLocales, ['breed', 'name'], ['companion']),
    animation: readPromptTexts(folder, 'animation.json', ['en-US'], []),
  }
}

function readPromptTexts<L extends (typeof taskLocales)[number]>(
  folder: Folder,
  file: string,
  languages: readonly L[],
  quoted: readonly ('breed' | 'name')[],
  added: readonly 'companion'[] = [],
): PromptTexts<L> {
  const entries = readObject(folder, file, 'prompts/')
  const read = (entry: unknown, name: string, placeholders: readonly string[]) =>
    readPromptText(entry, `catalog/prompts/${file}, ${name}`, languages, placeholders)
  return {
    prompt: read(entries.prompt, 'prompt', ['species', 'pose', ...quoted]),
    species: readEach(entries, 'species', species, read),
    poses: readEach(entries, 'poses', poses, read),
    ...Object.fromEntries(quoted.map((name) => [name, read(entries[name], name, [name])])),
    ...Object.fromEntries(added.map((name) => [name, read(entries[name], name, [])])),
  }
}

type ReadText<T> = (entry: unknown, name: string, placeholders: readonly string[]) => T

/** Reads the texts of a group, one for each of the keys. */
export function readEach<K extends string, T>(
  entries: JsonObject,
  group: 'species' | 'poses',
  keys: readonly K[],
  read: ReadText<T>,
): Record<K, T> {
  const members = objectOf(entries, group)
  return Object.fromEntries(keys.map((key) => [key, read(members[key], `${group}.${key}`, [])])) as Record<K, T>
}

/** Reads a text in each language, with exactly the given placeholders. Throws an SvcError that names the defect. */
export function readPromptText<L extends string>(
  entry: unknown,
  where: string,
  languages: readonly L[],
  placeholders: readonly string[],
): Record<L, string> {
  const texts = languages.map((language) => {
    const text = requireText(entry, language, where)
    const found = [...text.matchAll(/\{(.*?)\}/g)].map(([, name = '']) => name)
    const wrong = [
      ...found.filter((name) => !placeholders.includes(name)).map((name) => `has an unknown {${name}}`),
      ...placeholders.filter((name) => !found.includes(name)).map((name) => `lacks {${name}}`),
    ]
    if (wrong.length > 0) throw new SvcError('internal_error', `${where}: ${language} ${wrong.join(', ')}.`)
    return [language, text]
  })
  return Object.fromEntries(texts)
}

/**
 * Reads a file of `catalog/` that holds an object. Throws an SvcError that names the file, and the line of a syntax
 * error.
 */
export function readObject(folder: Folder, file: string, part: 'insight/' | 'prompts/' | 'diary/' | ''): JsonObject {
  const where = `catalog/${part}${file}`
  const text = readText(folder, file, where)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    const conflict = findConflict(text)
    if (conflict !== undefined) {
      const line = text.slice(0, conflict).split('\n').length
      throw new SvcError('internal_error', `${where}, line ${line}: ${conflictWords.message} ${conflictWords.fix}`)
    }
    throw new SvcError(
      'internal_error',
      `${where}${findPlace(text, cause)} is not valid JSON. Inside a text, write a quotation mark as \\". ` +
        'Write one comma between two entries and no comma after the last.',
      { cause },
    )
  }
  if (isJsonObject(value)) return value
  throw new SvcError('internal_error', `${where} must be a JSON object.`)
}

/** Returns the offset of the first mark that a merge with conflicts left in a file. */
export function findConflict(text: string): number | undefined {
  return /^(?:<{7}|={7}|>{7}|\|{7})(?= |\r?$)/m.exec(text)?.index
}

/** The words for such a file. */
export const conflictWords = {
  message: 'A merge left two versions of these lines (<<<<<<<).',
  fix: 'Keep one side and delete the marks, then run svc insight check, and svc insight sign if it says so.',
} as const

function readText(folder: Folder, file: string, where: string): string {
  try {
    return readFileSync(new URL(file, folder.href), 'utf8')
  } catch (cause) {
    throw new SvcError('internal_error', `${where} cannot be read.`, { cause })
  }
}

/** Returns ", line 12" if the parser reports a position. */
function findPlace(text: string, cause: unknown): string {
  const position = cause instanceof SyntaxError ? /at position (\d+)/.exec(cause.message)?.[1] : undefined
  return position === undefined ? '' : `, line ${text.slice(0, Number(position)).split('\n').length},`
}

function requireText(entry: unknown, key: string, where: string): string {
  const text = (entry as Record<string, unknown> | null)?.[key]
  if (typeof text !== 'string' || text === '')
    throw new SvcError('internal_error', `${where}: ${key} is missing or empty.`)
  return text
}
