import { SvcError } from '../errors.js'
import {
  type ConfiguredAlias,
  configuredAliases,
  type ModelSettings,
  type ProviderEntry,
  type ProviderName,
  providerNames,
  providers,
} from '../ports/models.js'
import type { Budget } from '../ports/money.js'
import { listWords } from '../spelling.js'
import { expect, type Fault, unknownName } from './faults.js'
import { findCountNames, findSecretNames } from './model-options.js'
import { budgetForm, parseBudget, parsePrice, priceForms } from './money.js'
import { type ModelEntry, readOperatorFile, refuseFile } from './operator-file.js'

/** A model of the operator's file. */
export interface ConfiguredModel {
  readonly settings: ModelSettings
  /** Whether the file says what it costs; its price is 0 otherwise. */
  readonly isPriced: boolean
  /** The variable that its key is read from, if it has one. */
  readonly variable: string | undefined
}

export interface Operation {
  readonly models: Readonly<Record<ConfiguredAlias, ConfiguredModel | 'stub'>>
  /** What may be spent for each pet. */
  readonly perPet: Budget | undefined
}

/** What a variable of the environment holds; undefined where it is not set, or empty. */
export type FindVariable = (name: string) => string | undefined

const defaultSlots = { image: 4, video: 2 } as const

/**
 * What the operator's file says, with the keys that it names. Throws `invalid_request` that names each fault by its JSON
 * Pointer, and a key that is missing by its variable. No message shows a key.
 */
export function readOperation(file: string, findVariable: FindVariable): Operation {
  const operation = readOperationWithoutKeys(file, findVariable)
  const missing = listModels(operation).filter(isKeyMissing)
  if (missing.length === 0) return operation
  const sentences = missing.map(({ settings: { alias }, variable }) => `${variable} (for ${alias})`)
  throw new SvcError(
    'invalid_request',
    `${listWords(sentences, 'and')} ${sentences.length === 1 ? 'is' : 'are'} not set: put the key of the model service ` +
      'into the environment of svc.',
  )
}

/** What a file is to hold, and in whose words its faults are told. */
export interface Draft {
  readonly content: string
  readonly refuse: (faults: readonly Fault[]) => SvcError
}

/** The same where keys need not be there, for looking at what is missing, or at a file before it is written. */
export function readOperationWithoutKeys(file: string, findVariable: FindVariable, draft?: Draft): Operation {
  const refuse = draft?.refuse ?? ((faults) => refuseFile(file, faults))
  const { models, budgets = {}, short } = readOperatorFile(file, draft?.content, refuse)
  const faults: Fault[] = []
  const add = ({ path, sentence }: Fault) => {
    const alias = /^\/models\/([^/]+)\/model$/.exec(path)?.[1] ?? ''
    faults.push({ path: short.includes(alias) ? `/models/${alias}` : path, sentence })
  }
  const aliases = Object.keys(configuredAliases) as ConfiguredAlias[]
  const read = aliases.map((alias) => [alias, readModel(alias, models[alias], findVariable, add)] as const)
  const perPet = budgets.perPet === undefined ? undefined : parseBudget(budgets.perPet)
  if (budgets.perPet !== undefined && perPet === undefined) {
    add({ path: '/budgets/perPet', sentence: expect(budgets.perPet, budgetForm) })
  }
  const operation = { models: Object.fromEntries(read) as Operation['models'], perPet }
  if (perPet !== undefined) {
    for (const { settings, isPriced } of listModels(operation)) {
      const sentence = `is missing; a budget needs to know it: ${priceForms[settings.kind]}`
      if (!isPriced) add({ path: `/models/${settings.alias}/price`, sentence })
    }
  }
  if (faults.length > 0) throw refuse(faults)
  return operation
}

export function listModels({ models }: Operation): ConfiguredModel[] {
  return Object.values(models).filter((model) => model !== 'stub')
}

export function isKeyMissing({ settings, variable }: ConfiguredModel): boolean {
  return variable !== undefined && settings.apiKey === undefined
}

function readModel(
  alias: ConfiguredAlias,
  entry: ModelEntry,
  findVariable: FindVariable,
  tell: (fault: Fault) => void,
): ConfiguredModel | 'stub' {
  const path = `/models/${alias}`
  const kind = configuredAliases[alias]
  const add = (member: string, sentence: string) => tell({ path: `${path}/${member}`, sentence })
  if (entry.model === 'stub') {
    const strange = Object.keys(entry).filter((name) => name !== 'model')
    for (const name of strange) add(name, 'is not for the stub, which takes nothing else')
    return 'stub'
  }
  const chosen = readChoice(entry.model, kind)
  if (typeof chosen === 'string') add('model', chosen)
  const { name, model, provider } = typeof chosen === 'string' ? nobody : chosen
  const price = entry.price === undefined ? undefined : parsePrice(entry.price, kind)
  if (entry.price !== undefined && price === undefined) add('price', expect(entry.price, priceForms[kind]))
  const baseUrl = readBaseUrl(entry.baseUrl, provider, add)
  const variable = readKeyName(entry.apiKey, provider, add)
  for (const name of findSecretNames(entry.options ?? {})) {
    add('options', `has ${JSON.stringify(name)}; keys stay out of files: use \`apiKey\` with "env:NAME"`)
  }
  for (const name of findCountNames(entry.options ?? {})) {
    const what = kind === 'image' ? 'one picture' : 'one clip'
    add('options', `has ${JSON.stringify(name)}; a call makes ${what}, which is booked and kept: leave it out`)
  }
  const { slots = defaultSlots[kind], options = {} } = entry
  const unpriced = { micros: 0, per: kind === 'image' ? 'image' : 'clip' } as const
  const apiKey = variable === undefined ? undefined : findVariable(variable)
  const settings = { alias, kind, provider: name, model, apiKey, baseUrl, options, slots, price: price ?? unpriced }
  return { settings, isPriced: entry.price !== undefined, variable }
}

interface Choice {
  readonly name: ProviderName
  readonly model: string
  readonly provider: ProviderEntry
}

/** Stands for what a fault was found in. */
const nobody: Choice = { name: 'openai', model: '', provider: providers.openai }

/** What `openai:gpt-image-1.5` names, or what is wrong with it. */
function readChoice(text: string, kind: ModelSettings['kind']): Choice | string {
  const [, first = '', model = ''] = /^([^:]*):(.*)$/.exec(text) ?? []
  const makers = providerNames.filter((name) => providers[name].makes.includes(kind))
  if (first === '' || !/^[\w./:@-]{1,128}$/.test(model)) {
    return expect(
      text,
      `"stub" or a provider and its model, such as ${makers.slice(0, 2).map(toExample(kind)).join(' or ')}`,
    )
  }
  const name = providerNames.find((known) => known === first)
  if (name === undefined) return `names a provider that ${unknownName(first, providerNames)}`
  if (!makers.includes(name)) {
    const what = kind === 'image' ? 'pictures' : 'clips'
    return `names ${name}, which makes no ${what} here; ${listWords(makers, 'and')} do`
  }
  return { name, model, provider: providers[name] }
}

const toExample = (kind: ModelSettings['kind']) => (name: ProviderName) =>
  `"${name}:${providers[name].examples[kind]?.model}"`

function readBaseUrl(
  text: string | undefined,
  { baseUrl }: ProviderEntry,
  add: (member: string, sentence: string) => void,
): string | undefined {
  const expected = 'the address of the service up to its version, such as "http://127.0.0.1:4000/v1"'
  if (text === undefined) {
    if (baseUrl === undefined) add('baseUrl', expect(undefined, expected))
    return undefined
  }
  const url = URL.canParse(text) ? new URL(text) : undefined
  // Looked at first: the other sentence shows the text. What is no URL is taken to hold a key where it looks so.
  if (url === undefined ? /[@?#]/.test(text) : `${url.username}${url.password}${url.search}${url.hash}` !== '') {
    add('baseUrl', 'must be an address alone, without a user, a key or a query; a key is named by `apiKey`')
  } else if (url === undefined || !/^https?:$/.test(url.protocol)) add('baseUrl', expect(text, expected))
  return text.replace(/\/+$/, '')
}

function readKeyName(
  text: string | undefined,
  { variable }: ProviderEntry,
  add: (member: string, sentence: string) => void,
): string | undefined {
  if (text === undefined) return variable
  const [, name] = /^env:([A-Za-z_]\w{0,127})$/.exec(text) ?? []
  if (name === undefined) {
    const example = `"env:${variable ?? 'MODEL_API_KEY'}"`
    add('apiKey', `must name a variable, such as ${example}; a key itself stays out of the file`)
  }
  return name
}
