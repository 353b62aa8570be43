import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { checkSetup } from '../../app/check-model.js'
import { type ConfiguredModel, listModels, readOperatorSettingsWithoutKeys } from '../../config/models.js'
import { type ConfigProblem, describeFound } from '../../config/operator-file.js'
import { loadConfig } from '../../config.js'
import { SvcError } from '../../errors.js'
import { findKnownModel, findShutdown, listProposals } from '../../models/known-models.js'
import { type ProviderName, providers } from '../../models/providers.js'
import type { ConfiguredAlias } from '../../models/settings.js'
import { createDataDir } from '../../runtime/data-dir.js'
import { programName } from '../../runtime/program-name.js'
import { reasonOf } from '../../runtime/reason.js'
import { quote } from '../../text/spelling.js'
import { printJson, printLines } from '../client/run.js'
import { type CommandResult, printProblem, requirePerson } from '../command.js'
import { type PrintFlags, repeatStorageOptions } from '../storage-options.js'
import { type ModelAnswer, toKeyName } from './model-answer.js'

/** `svc init`: asks for values that the flags leave open, and writes the operator's file if it is valid. */
export async function runInit(flags: InitFlags): Promise<CommandResult> {
  const { configFile, findVariable, dataDir } = loadConfig({ ...flags, provider: 'stub' })
  if (existsSync(configFile) && !flags.force) {
    throw new SvcError('conflict', `${configFile} exists; --force overwrites it.`)
  }
  const answers = await readAnswers(flags)
  const content = render(answers)
  // Describes the errors of the file in terms of the flags: the caller has not written that file.
  const refuse = (faults: readonly ConfigProblem[]) => {
    const sentences = faults.map((fault) => describeFault(answers, fault))
    return new SvcError('invalid_request', sentences.join('; ').replace(/([^.?])$/, '$1.'))
  }
  const operation = readOperatorSettingsWithoutKeys(configFile, findVariable, { content, refuse })
  for (const message of checkShutdowns(listModels(operation))) printProblem({ message })
  if (dirname(configFile) === dataDir) createDataDir(dataDir)
  write(configFile, content)
  const steps = listModels(operation).flatMap((model) =>
    checkSetup(model).flatMap(({ check, ok, detail }) => {
      if (ok) return []
      return check === 'key' ? `export ${model.variable}=…   (the key for ${model.settings.alias})` : detail
    }),
  )
  const next = [...new Set(steps)]
  if (flags.json) printJson({ config: configFile, next })
  else {
    // The flags with which these commands find the file.
    const where = repeatStorageOptions(flags) + (flags.config === undefined ? '' : ` --config ${quote(flags.config)}`)
    const then = `Then: ${programName()} provider check${where}, ${programName()} serve${where}`
    printLines([`Written: ${configFile}`, ...next.map((step) => `  ${step}`), then])
  }
  return 0
}

/**
 * Lists the models that their vendor will switch off. Throws `invalid_request` for one that is off; not for a service of
 * the operator's own, which may have it.
 */
function checkShutdowns(models: readonly ConfiguredModel[]): string[] {
  return models.flatMap(({ settings }) => {
    const end = findShutdown(settings, new Date())
    if (end === undefined) return []
    if (!end.isOver || settings.baseUrl !== undefined) return [`${settings.alias}: ${end.detail}.`]
    throw new SvcError('invalid_request', `Nothing was written, because ${end.detail}.`)
  })
}

function render({ models, perPet }: Answers): string {
  const file = { models, ...(perPet === undefined ? {} : { budgets: { perPet } }) }
  return `// The models for pictures and clips. Keys stay in the environment; svc provider check lists what is missing.\n${JSON.stringify(file, null, 2)}\n`
}

function write(file: string, content: string): void {
  const draft = `${file}.${process.pid}`
  try {
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(draft, content)
    renameSync(draft, file)
  } catch (cause) {
    rmSync(draft, { force: true })
    throw new SvcError('unavailable', `${file} cannot be written: ${reasonOf(cause)}.`, { cause })
  }
}

const flagByAlias: Readonly<Record<ConfiguredAlias, string>> = {
  'svc-avatar': '--avatar',
  'svc-animation': '--animation',
}
const endByMember: Readonly<Record<string, string>> = { baseUrl: '-url', apiKey: '-key', price: '-price' }

function describeFault({ models }: Answers, { path, sentence }: ConfigProblem): string {
  const [, group, alias = '', member = 'model'] = path.split('/')
  if (group !== 'models' || !isAlias(alias)) return `--budget-per-pet ${toTakes(sentence)}`
  const flag = `${flagByAlias[alias]}${endByMember[member] ?? ''}`
  if (member !== 'model' || sentence.startsWith('is ')) return `${flag} ${toTakes(sentence)}`
  const answer = models[alias]
  return `${flag} is ${describeFound(typeof answer === 'string' ? answer : answer.model)}, which ${sentence}`
}

const isAlias = (name: string): name is ConfiguredAlias => Object.hasOwn(flagByAlias, name)

/** Rewords a sentence about a member for a flag. */
const toTakes = (sentence: string) => sentence.replace('; it must be ', '; it takes ')

type ModelName = 'avatar' | 'animation'
type ModelFlags = { readonly [Flag in `${ModelName}${'' | 'Url' | 'Key' | 'Price'}`]?: string }

export interface InitFlags extends PrintFlags, ModelFlags {
  readonly config?: string
  readonly budgetPerPet?: string
  readonly force?: true
}

interface Answers {
  readonly models: Readonly<Record<ConfiguredAlias, ModelAnswer | string>>
  readonly perPet?: string | undefined
}

/** Reads the contents of the file from the flags; asks a person at a terminal for the rest. */
async function readAnswers(flags: InitFlags): Promise<Answers> {
  const [avatar, animation] = [readModel(flags, 'avatar'), readModel(flags, 'animation')]
  if (avatar !== undefined) return toAnswers(avatar, animation ?? { model: 'stub' }, flags.budgetPerPet)
  const example = `--avatar ${listProposals('image')[0]}, or --avatar stub`
  requirePerson(`--avatar is missing: name the model for pictures, such as ${example}.`)
  // Loaded on demand: the prompts are larger than the rest of this command.
  const { askForModel, askForBudget } = await import('./ask-for-models.js')
  const pictures = await askForModel('image')
  const clips = animation ?? (await askForModel('video'))
  const perPet = flags.budgetPerPet ?? (await askForBudget([pictures, clips]))
  return toAnswers(pictures, clips, perPet)
}

function toAnswers(avatar: ModelAnswer, animation: ModelAnswer, perPet: string | undefined): Answers {
  return {
    models: { 'svc-avatar': shorten(addOptions(avatar)), 'svc-animation': shorten(addOptions(animation)) },
    perPet,
  }
}

function addOptions(answer: ModelAnswer): ModelAnswer {
  const [name = '', ...model] = answer.model.split(':')
  const known = Object.hasOwn(providers, name) ? findKnownModel(name as ProviderName, model.join(':')) : undefined
  return { ...answer, options: known?.options }
}

/** A model without other members is written as a string. */
function shorten(answer: ModelAnswer): ModelAnswer | string {
  return Object.values(answer).filter((value) => value !== undefined).length === 1 ? answer.model : answer
}

/** Reads the model of a flag; undefined if it is not given. */
function readModel(flags: InitFlags, name: ModelName): ModelAnswer | undefined {
  const [model, baseUrl] = [flags[name], flags[`${name}Url`]]
  const [key, price] = [flags[`${name}Key`], flags[`${name}Price`]]
  if (model !== undefined) return { model, baseUrl, apiKey: key && toKeyName(key), price }
  const [end] = Object.entries({ url: baseUrl, key, price }).find(([, value]) => value !== undefined) ?? []
  if (end === undefined) return undefined
  throw new SvcError('invalid_request', `--${name}-${end} needs --${name}, which is missing.`)
}
