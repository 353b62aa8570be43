import { SvcError } from '../errors.js'
import { isOutOfReach, listMakers, listProposals, proposeInstead } from '../models/known-models.js'
import { type ProviderEntry, type ProviderName, providerNames, providers } from '../models/providers.js'
import { type ConfiguredAlias, configuredAliases, type ModelSettings } from '../models/settings.js'
import type { Budget } from '../ports/money.js'
import { listWords } from '../text/spelling.js'
import { budgetForm, parseBudget, parsePrice, priceForms } from './money.js'
import {
  type ConfigProblem,
  expect,
  type ModelEntry,
  readOperatorFile,
  refuseFile,
  unknownName,
} from './operator-file.js'

/** A model of the operator's file. */
export interface ConfiguredModel {
  readonly settings: ModelSettings
  /** True if the file has a price; without one the price is 0. */
  readonly isPriced: boolean
  /** The variable of its key, if it has one. */
  readonly variable: string | undefined
}

export interface OperatorSettings {
  readonly models: Readonly<Record<ConfiguredAlias, ConfiguredModel | 'stub'>>
  /** The budget of each pet. */
  readonly perPet: Budget | undefined
}

/** Returns the value of an environment variable; undefined if it is not set or empty. */
export type FindVariable = (name: string) => string | undefined

const defaultSlots = { image: 4, video: 2 } as const

/**
 * Reads the operator's file and the keys that it names. Throws `invalid_request` that names each problem by its JSON
 * Pointer, and a missing key by its variable. No message contains a key.
 */
export function readOperatorSettings(file: string, findVariable: FindVariable): OperatorSettings {
  const operation = readOperatorSettingsWithoutKeys(file, findVariable)
  const missing = listModels(operation).filter(isKeyMissing)
  if (missing.length === 0) return operation
  const sentences = missing.map(({ settings: { alias }, variable }) => `${variable} (for ${alias})`)
  throw new SvcError(
    'invalid_request',
    `${listWords(sentences, 'and')} ${sentences.length === 1 ? 'is' : 'are'} not set: put the key of the model service ` +
      'in the environment of svc.',
  )
}

/**
 * Reads the operator's file without requiring keys, to report missing ones or to check a file before it is written: `draft` has
 * its content, and the error for its problems.
 */
export function readOperatorSettingsWithoutKeys(
  file: string,
  findVariable: FindVariable,
  draft?: { readonly content: string; readonly refuse: (problems: readonly ConfigProblem[]) => SvcError },
): OperatorSettings {
  const refuse = draft?.refuse ?? ((problems) => refuseFile(file, problems))
  const { models, budgets = {}, short } = readOperatorFile(file, draft?.content, refuse)
  const problems: ConfigProblem[] = []
  const add = ({ path, sentence }: ConfigProblem) => {
    const alias = /^\/models\/([^/]+)\/model$/.exec(path)?.[1] ?? ''
    problems.push({ path: short.includes(alias) ? `/models/${alias}` : path, sentence })
  }
  const aliases = Object.keys(configuredAliases) as ConfiguredAlias[]
  const read = aliases.map((alias) => [alias, readModel(alias, models[alias], findVariable, add)] as const)
  const perPet = budgets.perPet === undefined ? undefined : parseBudget(budgets.perPet)
  if (budgets.perPet !== undefined && perPet === undefined) {
    add({ path: '/budgets/perPet', sentence: expect(budgets.perPet, budgetForm) })
  }
  const operation = { models: Object.fromEntries(read) as OperatorSettings['models'], perPet }
  if (perPet !== undefined) {
    for (const { settings, isPriced } of listModels(operation)) {
      const sentence = `is missing; a budget requires it: ${priceForms[settings.kind]}`
      if (!isPriced) add({ path: `/models/${settings.alias}/price`, sentence })
    }
  }
  if (problems.length > 0) throw refuse(problems)
  return operation
}

export function listModels({ models }: OperatorSettings): ConfiguredModel[] {
  return Object.values(models).filter((model) => model !== 'stub')
}

export function isKeyMissing({ settings, variable }: ConfiguredModel): boolean {
  return variable !== undefined && settings.apiKey === undefined
}

function readModel(
  alias: ConfiguredAlias,
  entry: ModelEntry,
  findVariable: FindVariable,
  tell: (fault: ConfigProblem) => void,
): ConfiguredModel | 'stub' {
  const path = `/models/${alias}`
  const kind = configuredAliases[alias]
  const add = (member: string, sentence: string) => tell({ path: `${path}/${member}`, sentence })
  if (entry.model === 'stub') {
    const strange = Object.keys(entry).filter((name) => name !== 'model')
    for (const name of strange) add(name, 'does not apply to the stub, which has no settings')
    return 'stub'
  }
  const chosen = readChoice(entry.model, kind, entry.baseUrl)
  if (typeof chosen === 'string') add('model', chosen)
  const { name, model, provider } = typeof chosen === 'string' ? fallbackChoice : chosen
  const price = entry.price === undefined ? undefined : parsePrice(entry.price, kind)
  if (entry.price !== undefined && price === undefined) add('price', expect(entry.price, priceForms[kind]))
  const baseUrl = readBaseUrl(entry.baseUrl, provider, add)
  const variable = readKeyName(entry.apiKey, provider, findVariable, add)
  for (const name of findOptions(entry.options, isSecret)) {
    add('options', `has ${JSON.stringify(name)}; keys do not belong in files: use \`apiKey\` with "env:NAME"`)
  }
  for (const name of findOptions(entry.options, asksForSeveral)) {
    const what = kind === 'image' ? 'one picture' : 'one clip'
    add('options', `has ${JSON.stringify(name)}; each call makes ${what}, which is booked and stored: remove it`)
  }
  const { slots = defaultSlots[kind], options = {}, poseReference } = entry
  if (poseReference !== undefined && kind === 'video') add('poseReference', 'is for the model of pictures only')
  const unpriced = { micros: 0, per: kind === 'image' ? 'image' : 'clip' } as const
  const apiKey = variable === undefined ? undefined : findVariable(variable)
  const settings = { alias, kind, provider: name, model, apiKey, baseUrl, options, slots, price: price ?? unpriced }
  const chosenReference = poseReference === undefined ? {} : { poseReference }
  return { settings: { ...settings, ...chosenReference }, isPriced: entry.price !== undefined, variable }
}

interface ModelChoice {
  readonly name: ProviderName
  readonly model: string
  readonly provider: ProviderEntry
}

/** Replaces a choice that could not be read. */
const fallbackChoice: ModelChoice = { name: 'openai', model: '', provider: providers.openai }

/**
 * Parses `provider:model`; returns the rest of a sentence if it is invalid, or if only a service of the operator's own,
 * at `baseUrl`, can have the model.
 */
function readChoice(text: string, kind: ModelSettings['kind'], baseUrl?: string): ModelChoice | string {
  const [, first = '', model = ''] = /^([^:]*):(.*)$/.exec(text) ?? []
  if (first === '' || !/^[\w./:@-]{1,128}$/.test(model)) {
    return expect(
      text,
      `"stub" or a provider and its model, such as ${listProposals(kind)
        .slice(0, 2)
        .map((name) => JSON.stringify(name))
        .join(' or ')}`,
    )
  }
  const name = providerNames.find((known) => known === first)
  if (name === undefined) return `names a provider that ${unknownName(first, providerNames)}`
  if (!providers[name].makes.includes(kind)) {
    const what = kind === 'image' ? 'pictures' : 'clips'
    return `names ${name}, which does not make ${what} here; ${listWords(listMakers(kind), 'and')} do`
  }
  if (baseUrl === undefined && isOutOfReach(name, model)) {
    return `names ${model}, which svc cannot use for now: take ${proposeInstead(name, kind)}`
  }
  return { name, model, provider: providers[name] }
}

function readBaseUrl(
  text: string | undefined,
  { baseUrl }: ProviderEntry,
  add: (member: string, sentence: string) => void,
): string | undefined {
  const expected = 'the URL of the service up to its version, such as "http://127.0.0.1:4000/v1"'
  if (text === undefined) {
    if (baseUrl === undefined) add('baseUrl', expect(undefined, expected))
    return undefined
  }
  const url = URL.canParse(text) ? new URL(text) : undefined
  // Checked first, because the other message shows the text. A text that is not a URL may contain a key.
  if (url === undefined ? /[@?#]/.test(text) : `${url.username}${url.password}${url.search}${url.hash}` !== '') {
    add('baseUrl', 'must be a URL without a user, a key or a query; name the key in `apiKey`')
  } else if (url === undefined || !/^https?:$/.test(url.protocol)) add('baseUrl', expect(text, expected))
  return text.replace(/\/+$/, '')
}

function readKeyName(
  text: string | undefined,
  { variable, otherVariables = [] }: ProviderEntry,
  findVariable: FindVariable,
  add: (member: string, sentence: string) => void,
): string | undefined {
  if (text === undefined) {
    return (
      [variable, ...otherVariables].find((name) => name !== undefined && findVariable(name) !== undefined) ?? variable
    )
  }
  const [, name] = /^env:([A-Za-z_]\w{0,127})$/.exec(text) ?? []
  if (name === undefined) {
    const example = `"env:${variable ?? 'MODEL_API_KEY'}"`
    add('apiKey', `must name a variable, such as ${example}; do not put the key itself in the file`)
  } else if (name.startsWith('SVC_'))
    add('apiKey', 'must name a variable that does not begin with SVC_, as settings of svc do')
  return name
}

const counts =
  /^(n|num(berof)?(images|outputs|videos|samples|generations)|(sample|candidate|image)count|maximages|batchsize)$/

/** Finds the names of options, at any depth, that are not allowed. */
function findOptions(options: object = {}, isRefused: (name: string, value: unknown) => boolean): string[] {
  return Object.entries(options).flatMap(([name, value]) => {
    if (isRefused(name, value)) return [name]
    return typeof value === 'object' && value !== null ? findOptions(value, isRefused) : []
  })
}

/** True for an option that contains a key; numbers such as `max_tokens` are allowed. */
function isSecret(name: string, value: unknown): boolean {
  return typeof value === 'string' && name.length <= 64 && /api[-_]?key|authorization|token|secret|password/i.test(name)
}

/** True if the option makes one call produce, and charge for, several results; `1` and `"disabled"` are allowed. */
function asksForSeveral(name: string, value: unknown): boolean {
  const plain = name.toLowerCase().replaceAll(/[_-]/g, '')
  return plain === 'sequentialimagegeneration' ? value !== 'disabled' : counts.test(plain) && Number(value) !== 1
}
