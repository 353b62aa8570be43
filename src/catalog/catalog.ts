import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { SvcError } from '../errors.js'
import type { HomeCopy } from '../home/home.js'
import { isJsonObject, type JsonObject, objectOf } from '../insight/json-object.js'
import { type Copy, type Locale, locales } from '../insight/types.js'
import { poses, species, taskLocales } from '../media/poses.js'
import type { Prompts, PromptTexts } from '../media/prompts.js'
import { shippedUrl } from '../runtime/entry.js'
import type { Texts } from './texts.js'

/** The files of `catalog/insight/`, which map the ID of a text to its three languages. */
const insightFiles = ['activity.json', 'rest.json', 'vitals.json', 'bark.json', 'phrases.json'] as const

const insightFolder = shippedUrl('catalog/insight/')

/** The texts of `catalog/insight/`. */
export interface InsightTexts extends Texts {
  /** Label of rules and texts together; a changed text needs a new label. */
  readonly ruleVersion: string
}

/** The texts of `catalog/home.json`. */
export interface HomeTexts extends Texts {
  /** Label of the texts; a changed text needs a new label. */
  readonly version: string
}

/**
 * Loads the compiled texts of `catalog/insight/`. If the catalog changed since the build, checks and compiles it again,
 * so that an edited text takes effect at once. Texts that differ from those of their label get the label with
 * `+edited`.
 * Throws an SvcError that names the invalid file, text and language.
 */
export async function loadInsightCopy(): Promise<Copy> {
  const texts = readInsightTexts()
  const ruleVersion = texts.hash === texts.pinnedHash ? texts.ruleVersion : `${texts.ruleVersion}+edited`
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
export function readInsightTexts(folder: { readonly href: string } = insightFolder): InsightTexts {
  const sources = insightFiles.map((file) => ({
    file: `insight/${file}`,
    entries: readObject(folder, file, 'insight/'),
  }))
  return { ...readInsightVersion(folder), ...readEntries(sources) }
}

/** The content of a file of texts. */
export interface TextFile {
  /** Path under `catalog/`. */
  readonly file: string
  readonly content: string
}

/** Reads the files of `catalog/insight/` without parsing them, for the lint. Throws an SvcError for a missing file. */
export function readInsightFiles(folder: { readonly href: string } = insightFolder): TextFile[] {
  return insightFiles.map((name) => ({
    file: `insight/${name}`,
    content: readText(folder, name, `catalog/insight/${name}`),
  }))
}

/**
 * Reads the label of the texts and the hash of the texts that it names. Throws an SvcError that names a missing member.
 */
export function readInsightVersion(
  folder: { readonly href: string } = insightFolder,
): Pick<InsightTexts, 'ruleVersion' | 'pinnedHash'> {
  const where = 'catalog/insight/version.json'
  const version = readObject(folder, 'version.json', 'insight/')
  const ruleVersion = requireText(version, 'ruleVersion', where)
  if (!isRuleVersion(ruleVersion)) {
    const found = JSON.stringify(ruleVersion)
    throw new SvcError('internal_error', `${where}: ruleVersion is ${found}; it must be ${ruleVersionForm}.`)
  }
  return { ruleVersion, pinnedHash: String(version.sha256) }
}

/** The form of a label, in words. */
export const ruleVersionForm = 'health-detail-copy-YEAR.NUMBER, such as health-detail-copy-2026.1'

export function isRuleVersion(label: string): boolean {
  return /^health-detail-copy-\d+\.\d+$/.test(label)
}

/**
 * Reads `catalog/insight/wording.json`, which `copydesk/` validates with `parseWording`. Throws as `readObject` does.
 */
export function readInsightWording(
  folder: { readonly href: string } = insightFolder,
): Readonly<Record<string, unknown>> {
  return readObject(folder, 'wording.json', 'insight/')
}

/**
 * Reads `catalog/insight/signoff.json`, which `copydesk/` validates with `parseSignoff`. Throws as `readObject` does.
 */
export function readInsightSignoff(
  folder: { readonly href: string } = insightFolder,
): Readonly<Record<string, unknown>> {
  return readObject(folder, 'signoff.json', 'insight/')
}

/** Reads and checks `catalog/home.json`. Throws an SvcError that names the invalid text and language. */
export function readHomeTexts(folder: { readonly href: string } = shippedUrl('catalog/')): HomeTexts {
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
  const patterns: Record<Locale, Record<string, string>> = { 'zh-CN': {}, 'en-US': {}, es: {} }
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

/** Returns the SHA-256 of texts, independent of their order. */
export function hashTexts(patterns: Texts['patterns']): string {
  const rows = locales.flatMap((locale) => Object.entries(patterns[locale]).map(([id, text]) => [id, locale, text]))
  const canonical = JSON.stringify(rows.sort(([a, b], [c, d]) => (`${a} ${b}` < `${c} ${d}` ? -1 : 1)))
  return createHash('sha256').update(canonical).digest('hex')
}

/**
 * Reads and checks the files of `catalog/prompts/`. Throws an SvcError that names the invalid file, text and language.
 */
export function readPrompts(folder: { readonly href: string } = shippedUrl('catalog/prompts/')): Prompts {
  return {
    avatar: readPromptTexts(folder, 'avatar.json', taskLocales, ['breed', 'name'], ['companion']),
    animation: readPromptTexts(folder, 'animation.json', ['en-US'], []),
  }
}

function readPromptTexts<L extends (typeof taskLocales)[number]>(
  folder: { readonly href: string },
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
export function readObject(
  folder: { readonly href: string },
  file: string,
  part: 'insight/' | 'prompts/' | 'diary/' | '',
): JsonObject {
  const where = `catalog/${part}${file}`
  const text = readText(folder, file, where)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
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

function readText(folder: { readonly href: string }, file: string, where: string): string {
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
