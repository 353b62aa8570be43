import { input, select } from '@inquirer/prompts'
import { budgetForm, parseBudget, parsePrice, priceForms } from '../../config/money.js'
import { listMakers, proposeModel } from '../../models/known-models.js'
import { type ProviderName, providers } from '../../models/providers.js'
import type { ModelSettings } from '../../models/settings.js'
import { context, requireAnswer } from '../ask.js'
import { type ModelAnswer, toKeyName } from './model-answer.js'

const ask = (question: Parameters<typeof input>[0]) => input(question, context)
const things = { image: 'pictures', video: 'clips' } as const

/** Asks for the model for pictures or clips. Throws if there is no answer. */
export async function askForModel(kind: ModelSettings['kind']): Promise<ModelAnswer> {
  const message = `Which provider makes ${things[kind]}?`
  const drawn = { value: 'stub' as const, name: 'stub (drawn on this machine, free)' }
  const choices = [drawn, ...listMakers(kind).map((name) => ({ value: name, name }))]
  const model = select<ProviderName | 'stub'>({ message, choices }, context).then((name) =>
    name === 'stub' ? { model: 'stub' } : askForDetails(name, kind),
  )
  return requireAnswer(model, 'The questions were not answered, so nothing was written.')
}

/** Asks for the budget per pet if the models have prices. */
export async function askForBudget(models: readonly ModelAnswer[]): Promise<string | undefined> {
  if (models.some(({ model, price }) => model !== 'stub' && price === undefined)) return undefined
  if (models.every(({ model }) => model === 'stub')) return undefined
  const message = 'What is the budget for each pet? (empty: no limit)'
  const validate = (text: string) => text === '' || parseBudget(text) !== undefined || `It takes ${budgetForm}.`
  return (await ask({ message, validate })) || undefined
}

async function askForDetails(name: ProviderName, kind: ModelSettings['kind']): Promise<ModelAnswer> {
  const { baseUrl, variable } = providers[name]
  const model = await ask({ message: 'Which model?', default: proposeModel(name, kind)?.model, required: true })
  const where = { message: 'What is its URL? (such as http://127.0.0.1:4000/v1)', validate: isAddress }
  const url = baseUrl === undefined ? await ask(where) : undefined
  const key = await ask({
    message: `Which variable holds its key?${variable === undefined ? ' (empty: it needs no key)' : ''}`,
    ...(variable === undefined ? {} : { default: variable }),
    validate: (text) => text === '' || /^[A-Z_][A-Z0-9_]*$/.test(text) || 'The name of a variable, not the key itself.',
  })
  const price = await ask({
    message: `What is its price? (such as ${kind === 'image' ? '0.04usd/image' : '0.08usd/second'}; empty: unknown)`,
    validate: (text) => text === '' || parsePrice(text, kind) !== undefined || `It takes ${priceForms[kind]}.`,
  })
  return {
    model: `${name}:${model}`,
    baseUrl: url,
    apiKey: key === '' || key === variable ? undefined : toKeyName(key),
    price: price || undefined,
  }
}

const isAddress = (text: string) =>
  (URL.canParse(text) && /^https?:/i.test(text)) || 'A URL that begins with http:// or https://.'
