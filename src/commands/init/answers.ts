import type { ConfigFlags } from '../../config.js'
import { SvcError } from '../../errors.js'
import { findKnownModel, listProposals } from '../../models/known-models.js'
import { type ProviderName, providers } from '../../models/providers.js'
import type { ConfiguredAlias } from '../../models/settings.js'
import { type ModelAnswer, toKeyName } from './model-answer.js'

export interface InitFlags extends Pick<ConfigFlags, 'dataDir' | 'database' | 'objects' | 'config'> {
  readonly avatar?: string
  readonly avatarUrl?: string
  readonly avatarKey?: string
  readonly avatarPrice?: string
  readonly animation?: string
  readonly animationUrl?: string
  readonly animationKey?: string
  readonly animationPrice?: string
  readonly budgetPerPet?: string
  readonly force?: true
  readonly json?: true
}

export interface Answers {
  readonly models: Readonly<Record<ConfiguredAlias, ModelAnswer | string>>
  readonly perPet?: string | undefined
}

/** Reads the contents of the file from the flags; asks a person at a terminal for the rest. */
export async function readAnswers(flags: InitFlags): Promise<Answers> {
  const { avatar, animation } = fromFlags(flags)
  if (avatar !== undefined) return toAnswers(avatar, animation ?? { model: 'stub' }, flags.budgetPerPet)
  if (!process.stdin.isTTY || !process.stderr.isTTY) {
    const example = `--avatar ${listProposals('image')[0]}, or --avatar stub`
    throw new SvcError('invalid_request', `--avatar is missing: name the model for pictures, such as ${example}.`)
  }
  // Loaded on demand: the prompts are larger than the rest of this command.
  const { askForModel, askForBudget } = await import('./ask.js')
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

function fromFlags(flags: InitFlags): { readonly avatar?: ModelAnswer; readonly animation?: ModelAnswer } {
  const read = (flag: string, model?: string, baseUrl?: string, key?: string, price?: string) => {
    if (model !== undefined) return { model, baseUrl, apiKey: key && toKeyName(key), price }
    const [end] = Object.entries({ url: baseUrl, key, price }).find(([, value]) => value !== undefined) ?? []
    if (end === undefined) return undefined
    throw new SvcError('invalid_request', `${flag}-${end} needs ${flag}, which is missing.`)
  }
  const avatar = read('--avatar', flags.avatar, flags.avatarUrl, flags.avatarKey, flags.avatarPrice)
  const { animationUrl, animationKey, animationPrice } = flags
  const animation = read('--animation', flags.animation, animationUrl, animationKey, animationPrice)
  return { ...(avatar && { avatar }), ...(animation && { animation }) }
}
