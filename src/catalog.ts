import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { SvcError } from './errors.js'
import type { HomeCopy } from './insight/home.js'
import { type Copy, type Locale, locales } from './insight/types.js'
import { poses, species, taskLocales } from './media/poses.js'
import type { Prompts, PromptTexts } from './media/prompts.js'

/** The files of `catalog/insight/`; each maps the ID of a text to its three languages. */
const insightFiles = ['activity.json', 'rest.json', 'vitals.json', 'bark.json', 'phrases.json'] as const

const insightFolder = new URL('../catalog/insight/', import.meta.url)

/** Texts as written: ICU MessageFormat 1 patterns. */
export interface Texts {
  /** SHA-256 that stands beside the label. */
  readonly pinnedHash: string
  /** SHA-256 of the texts as they are, independent of white space and of the order of files and entries. */
  readonly hash: string
  readonly patterns: Readonly<Record<Locale, Readonly<Record<string, string>>>>
  /** The file that each text is in, under `catalog/`. */
  readonly files: Readonly<Record<string, string>>
}

/** The texts of `catalog/insight/`. */
export interface InsightTexts extends Texts {
  /** Label of rules and texts together; a changed text needs a new one. */
  readonly ruleVersion: string
}

/** The texts of `catalog/home.json`. */
export interface HomeTexts extends Texts {
  /** Label of the texts; a changed text needs a new one. */
  readonly version: string
}

/**
 * The texts of `catalog/insight/`, ready to be called.
 * They were compiled when the program was built; a catalog that changed since is checked and compiled anew, so that
 * whoever edits a text sees it at once. Texts other than those their label stands for carry the label with `+edited`.
 * Throws an SvcError that names file, text and language at fault.
 */
export async function loadInsightCopy(): Promise<Copy> {
  const texts = readInsightTexts()
  const ruleVersion = texts.hash === texts.pinnedHash ? texts.ruleVersion : `${texts.ruleVersion}+edited`
  return { ruleVersion, messages: await compileChanged(texts, await import('./generated/messages.js'), 'insight') }
}

/** The same for `catalog/home.json`; texts other than those their label stands for have a label of their own. */
export async function loadHomeCopy(): Promise<HomeCopy> {
  const texts = readHomeTexts()
  const version = texts.hash === texts.pinnedHash ? texts.version : `${texts.version}+${texts.hash.slice(0, 8)}`
  return { version, messages: await compileChanged(texts, await import('./generated/home-messages.js'), 'home.json') }
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
      `catalog/${part} lacks the text ${missing.join(', ')}. Add it in all languages.`,
    )
  }
  const { compileMessages } = await import('./message-compiler.js')
  return compileMessages(texts)
}

/** Reads and checks the files of `catalog/insight/`. Throws an SvcError that names file, text and language at fault. */
export function readInsightTexts(folder: { readonly href: string } = insightFolder): InsightTexts {
  const sources = insightFiles.map((file) => ({
    file: `insight/${file}`,
    entries: readObject(folder, file, 'insight/'),
  }))
  return { ...readInsightVersion(folder), ...readEntries(sources) }
}

/** A file of texts as it is written. */
export interface TextFile {
  /** Its path under `catalog/`. */
  readonly file: string
  readonly content: string
}

/** The files of texts of `catalog/insight/`, unread, for whoever tells their faults. Throws an SvcError where one is gone. */
export function readInsightFiles(folder: { readonly href: string } = insightFolder): TextFile[] {
  return insightFiles.map((name) => ({
    file: `insight/${name}`,
    content: readText(folder, name, `catalog/insight/${name}`),
  }))
}

/** The label of the texts, and the hash of the texts that it stands for. Throws an SvcError that names what is missing. */
export function readInsightVersion(
  folder: { readonly href: string } = insightFolder,
): Pick<InsightTexts, 'ruleVersion' | 'pinnedHash'> {
  const where = 'catalog/insight/version.json'
  const version = readObject(folder, 'version.json', 'insight/')
  const ruleVersion = requireText(version, 'ruleVersion', where)
  if (!isRuleVersion(ruleVersion)) {
    const found = JSON.stringify(ruleVersion)
    throw new SvcError('internal_error', `${where}: ruleVersion must be ${ruleVersionForm}, and is ${found}.`)
  }
  return { ruleVersion, pinnedHash: String(version.sha256) }
}

/** What a label looks like, in words. */
export const ruleVersionForm = 'health-detail-copy-YEAR.NUMBER, such as health-detail-copy-2026.1'

export function isRuleVersion(label: string): boolean {
  return /^health-detail-copy-\d+\.\d+$/.test(label)
}

/** What `catalog/insight/wording.json` holds: `parseWording` of `review/` knows it. Throws an SvcError as `readObject` does. */
export function readInsightWording(
  folder: { readonly href: string } = insightFolder,
): Readonly<Record<string, unknown>> {
  return readObject(folder, 'wording.json', 'insight/')
}

/** What `catalog/insight/signoff.json` holds: `parseSignoff` of `review/` knows it. Throws an SvcError as `readObject` does. */
export function readInsightSignoff(
  folder: { readonly href: string } = insightFolder,
): Readonly<Record<string, unknown>> {
  return readObject(folder, 'signoff.json', 'insight/')
}

/** Reads and checks `catalog/home.json`. Throws an SvcError that names text and language at fault. */
export function readHomeTexts(folder: { readonly href: string } = new URL('../catalog/', import.meta.url)): HomeTexts {
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

/** Texts of one or more files, each in all languages. */
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
      const strange = Object.keys(entry as object).filter((key) => key !== 'note' && !locales.includes(key as Locale))
      if (strange.length > 0) throw new SvcError('internal_error', `${where}: unknown member ${strange.join(', ')}.`)
    }
  }
  return { hash: hashTexts(patterns), patterns, files }
}

/** SHA-256 of texts, independent of their order. */
export function hashTexts(patterns: Texts['patterns']): string {
  const rows = locales.flatMap((locale) => Object.entries(patterns[locale]).map(([id, text]) => [id, locale, text]))
  const canonical = JSON.stringify(rows.sort(([a, b], [c, d]) => (`${a} ${b}` < `${c} ${d}` ? -1 : 1)))
  return createHash('sha256').update(canonical).digest('hex')
}

/** Reads and checks the files of `catalog/prompts/`. Throws an SvcError that names file, text and language at fault. */
export function readPrompts(
  folder: { readonly href: string } = new URL('../catalog/prompts/', import.meta.url),
): Prompts {
  return {
    avatar: readPromptTexts(folder, 'avatar.json', taskLocales, ['breed', 'name']),
    animation: readPromptTexts(folder, 'animation.json', ['en-US'], []),
  }
}

function readPromptTexts<L extends (typeof taskLocales)[number]>(
  folder: { readonly href: string },
  file: string,
  languages: readonly L[],
  quoted: readonly ('breed' | 'name')[],
): PromptTexts<L> {
  const entries = readObject(folder, file, 'prompts/')
  const read = (entry: unknown, name: string, placeholders: readonly string[]) =>
    readPromptText(entry, `catalog/prompts/${file}, ${name}`, languages, placeholders)
  const readEach = <K extends string>(group: string, keys: readonly K[]) => {
    const members = (entries[group] ?? {}) as Record<string, unknown>
    return Object.fromEntries(keys.map((key) => [key, read(members[key], `${group}.${key}`, [])])) as Record<
      K,
      Record<L, string>
    >
  }
  return {
    prompt: read(entries.prompt, 'prompt', ['species', 'pose', ...quoted]),
    species: readEach('species', species),
    poses: readEach('poses', poses),
    ...Object.fromEntries(quoted.map((name) => [name, read(entries[name], name, [name])])),
  }
}

/** A text in each language, with every placeholder it is to have and no other. Throws an SvcError that names the fault. */
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
      ...found.filter((name) => !placeholders.includes(name)).map((name) => `knows no {${name}}`),
      ...placeholders.filter((name) => !found.includes(name)).map((name) => `lacks {${name}}`),
    ]
    if (wrong.length > 0) throw new SvcError('internal_error', `${where}: ${language} ${wrong.join(', ')}.`)
    return [language, text]
  })
  return Object.fromEntries(texts)
}

/** A file of `catalog/` that holds an object. Throws an SvcError that names the file and the line at fault. */
export function readObject(
  folder: { readonly href: string },
  file: string,
  part: 'insight/' | 'prompts/' | 'diary/' | '',
): Record<string, unknown> {
  const where = `catalog/${part}${file}`
  const text = readText(folder, file, where)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    throw new SvcError(
      'internal_error',
      `${where}${findPlace(text, cause)} is not valid JSON. Inside a text, a quotation mark is written \\"; ` +
        'between two entries stands one comma, and none after the last.',
      { cause },
    )
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>
  throw new SvcError('internal_error', `${where} must be a JSON object.`)
}

function readText(folder: { readonly href: string }, file: string, where: string): string {
  try {
    return readFileSync(new URL(file, folder.href), 'utf8')
  } catch (cause) {
    throw new SvcError('internal_error', `${where} cannot be read.`, { cause })
  }
}

/** ", line 12" where the parser says how far it came. */
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
