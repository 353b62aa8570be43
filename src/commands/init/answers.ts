import { SvcError } from '../../errors.js'
import { type ConfiguredAlias, type ProviderName, providers } from '../../ports/models.js'
import type { InitFlags } from '../init.js'

/** A model as the file has it. */
export interface ModelAnswer {
  readonly model: string
  readonly baseUrl?: string | undefined
  readonly apiKey?: string | undefined
  readonly price?: string | undefined
  /** Those that the model needs, where it is known. */
  readonly options?: Readonly<Record<string, unknown>> | undefined
}

export interface Answers {
  readonly models: Readonly<Record<ConfiguredAlias, ModelAnswer | string>>
  readonly perPet?: string | undefined
}

/** What the file is to say, from the flags; a person at a terminal is asked for what they leave open. */
export async function readAnswers(flags: InitFlags): Promise<Answers> {
  const { avatar, animation } = fromFlags(flags)
  if (avatar !== undefined) return toAnswers(avatar, animation ?? { model: 'stub' }, flags.budgetPerPet)
  if (!process.stdin.isTTY || !process.stderr.isTTY) {
    const example = '--avatar openai:gpt-image-1.5, or --avatar stub'
    throw new SvcError('invalid_request', `--avatar is missing: say who makes pictures, such as ${example}.`)
  }
  // Loaded when it asks: the prompts are larger than all the rest of this command.
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
  const { examples = {} } = Object.hasOwn(providers, name) ? providers[name as ProviderName] : {}
  const known = Object.values(examples).find((example) => example.model === model.join(':'))
  return { ...answer, options: known?.options }
}

/** A model alone is written as a text. */
function shorten(answer: ModelAnswer): ModelAnswer | string {
  return Object.values(answer).filter((value) => value !== undefined).length === 1 ? answer.model : answer
}

function fromFlags(flags: InitFlags): { readonly avatar?: ModelAnswer; readonly animation?: ModelAnswer } {
  const read = (flag: string, model?: string, baseUrl?: string, key?: string, price?: string) => {
    if (model !== undefined) return { model, baseUrl, apiKey: key && toKeyName(key), price }
    const [end] = Object.entries({ url: baseUrl, key, price }).find(([, value]) => value !== undefined) ?? []
    if (end === undefined) return undefined
    throw new SvcError('invalid_request', `${flag}-${end} goes with ${flag}, which is missing: say whose it is.`)
  }
  const avatar = read('--avatar', flags.avatar, flags.avatarUrl, flags.avatarKey, flags.avatarPrice)
  const { animationUrl, animationKey, animationPrice } = flags
  const animation = read('--animation', flags.animation, animationUrl, animationKey, animationPrice)
  return { ...(avatar && { avatar }), ...(animation && { animation }) }
}

/** `env:NAME` from either form; a key that was given instead of its variable is refused, and not repeated. */
export function toKeyName(text: string): string {
  const name = text.replace(/^env:/, '')
  if (/^[A-Z_][A-Z0-9_]{0,63}$/.test(name)) return `env:${name}`
  throw new SvcError(
    'invalid_request',
    'The flag for a key takes the name of a variable in capitals, such as OPENAI_API_KEY; the key itself goes into the environment.',
  )
}
