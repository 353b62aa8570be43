import { input, select } from '@inquirer/prompts'
import { budgetForm, parseBudget, parsePrice, priceForms } from '../../config/money.js'
import { SvcError } from '../../errors.js'
import { type ModelSettings, type ProviderName, providerNames, providers } from '../../ports/models.js'
import { type ModelAnswer, toKeyName } from './answers.js'

/** Questions go to standard error: standard output is the answer's alone. */
const context = { output: process.stderr }
const things = { image: 'pictures', video: 'clips' } as const

/** Asks who makes pictures or clips. Throws when nobody answers. */
export async function askForModel(kind: ModelSettings['kind']): Promise<ModelAnswer> {
  try {
    const message = `Who makes ${things[kind]}?`
    const names = providerNames.filter((name) => providers[name].makes.includes(kind))
    const choices = [{ value: 'stub' as const, name: 'stub (drawn here, costs nothing)' }, ...names.map(toChoice)]
    const name = await select<ProviderName | 'stub'>({ message, choices }, context)
    return name === 'stub' ? { model: 'stub' } : await askForDetails(name, kind)
  } catch (cause) {
    throw new SvcError('invalid_request', 'The questions were not answered, so nothing was written.', { cause })
  }
}

/** Asks what a pet may cost, where anything costs something. */
export async function askForBudget(models: readonly ModelAnswer[]): Promise<string | undefined> {
  if (models.some(({ model, price }) => model !== 'stub' && price === undefined)) return undefined
  if (models.every(({ model }) => model === 'stub')) return undefined
  const message = 'What may be spent for each pet? (empty: no limit)'
  const validate = (text: string) => text === '' || parseBudget(text) !== undefined || `It takes ${budgetForm}.`
  return (await input({ message, validate }, context)) || undefined
}

async function askForDetails(name: ProviderName, kind: ModelSettings['kind']): Promise<ModelAnswer> {
  const { baseUrl, variable, examples } = providers[name]
  const model = await input({ message: 'Which model?', default: examples[kind]?.model, required: true }, context)
  const url =
    baseUrl === undefined
      ? await input({ message: 'Where is it? (such as http://127.0.0.1:4000/v1)', validate: isAddress }, context)
      : undefined
  const key = await input(
    {
      message: `Which variable holds its key?${variable === undefined ? ' (empty: it needs none)' : ''}`,
      ...(variable === undefined ? {} : { default: variable }),
      validate: (text) =>
        text === '' || /^[A-Z_][A-Z0-9_]*$/.test(text) || 'The name of a variable, not the key itself.',
    },
    context,
  )
  const price = await input(
    {
      message: `What does it cost? (such as ${kind === 'image' ? '0.04usd/image' : '0.08usd/second'}; empty: not known)`,
      validate: (text) => text === '' || parsePrice(text, kind) !== undefined || `It takes ${priceForms[kind]}.`,
    },
    context,
  )
  return {
    model: `${name}:${model}`,
    baseUrl: url,
    apiKey: key === '' || key === variable ? undefined : toKeyName(key),
    price: price || undefined,
  }
}

const isAddress = (text: string) =>
  (URL.canParse(text) && /^https?:/i.test(text)) || 'An address that begins with http:// or https://.'

const toChoice = (name: ProviderName) => ({ value: name, name })
