import { existsSync } from 'node:fs'
import { type ConfiguredModel, readModelChoice, readOperatorSettingsWithoutKeys } from '../../config/models.js'
import { parsePrice } from '../../config/money.js'
import type { Config } from '../../config.js'
import { SvcError } from '../../errors.js'
import { findKnownModel } from '../../models/known-models.js'
import { providers } from '../../models/providers.js'

export interface ChosenModel {
  readonly name: string
  readonly model: ConfiguredModel | 'stub'
}

/** Parses the flag `--budget`, such as `1usd`, to millionths of a US dollar. Throws `invalid_request`. */
export function parseBudgetFlag(text: string): number {
  const [, amount] = /^\$?(\d{1,7}(?:\.\d{1,6})?) *(?:usd)?$/i.exec(text.trim()) ?? []
  if (amount === undefined) throw new SvcError('invalid_request', '--budget takes an amount, such as 1usd.')
  return Math.round(Number(amount) * 1e6)
}

/**
 * Reads the list of models. A model of the operator's file has its settings there; another one has those of the known
 * model, with the key and the URL of its provider in the file. Throws `invalid_request`.
 */
export function chooseModels(list: string, prices: readonly string[], config: Config): ChosenModel[] {
  const { configFile, findVariable } = config
  const file = existsSync(configFile)
    ? readOperatorSettingsWithoutKeys(configFile, findVariable).models['svc-avatar']
    : 'stub'
  const names = [...new Set(list.split(',').map((name) => name.trim()))]
  const priceOf = readPrices(prices, names)
  return names.map((name) => {
    if (name === 'stub') return { name, model: 'stub' }
    const model = choose(name, file, config)
    const price = priceOf.get(name)
    const settings = price === undefined ? model.settings : { ...model.settings, price }
    return { name, model: { ...model, settings, isPriced: model.isPriced || price !== undefined } }
  })
}

function choose(name: string, file: ConfiguredModel | 'stub', { configFile, findVariable }: Config): ConfiguredModel {
  const chosen = readModelChoice(name, 'image')
  if (typeof chosen === 'string') throw new SvcError('invalid_request', `--models ${chosen}.`)
  const { provider, model } = chosen
  const own = file !== 'stub' && file.settings.provider === provider ? file : undefined
  if (own?.settings.model === model) return own
  const known = findKnownModel(provider, model)
  const { variable, otherVariables = [] } = providers[provider]
  const set =
    [variable, ...otherVariables].find((one) => one !== undefined && findVariable(one) !== undefined) ?? variable
  const key = own ?? { variable: set, settings: { apiKey: set && findVariable(set), baseUrl: undefined } }
  if (providers[provider].baseUrl === undefined && key.settings.baseUrl === undefined) {
    throw new SvcError(
      'invalid_request',
      `The URL of ${name} is not known: make it the model of svc-avatar in ${configFile}, with its \`baseUrl\`, or leave it out.`,
    )
  }
  const price = known?.price === undefined ? undefined : parsePrice(known.price, 'image')
  const settings: ConfiguredModel['settings'] = {
    alias: 'svc-avatar',
    kind: 'image',
    provider,
    model,
    apiKey: key.settings.apiKey,
    baseUrl: key.settings.baseUrl,
    options: known?.options ?? {},
    slots: 1,
    price: price ?? { micros: 0, per: 'image' },
  }
  return { settings, isPriced: price !== undefined, variable: key.variable }
}

function readPrices(prices: readonly string[], names: readonly string[]) {
  return new Map(
    prices.map((text) => {
      const at = text.lastIndexOf('=')
      const name = text.slice(0, Math.max(0, at))
      const price = parsePrice(text.slice(at + 1), 'image')
      if (price !== undefined && names.includes(name)) return [name, price] as const
      throw new SvcError(
        'invalid_request',
        `--price takes a model of --models and its price, such as ${names[0]}=0.04usd/image.`,
      )
    }),
  )
}
