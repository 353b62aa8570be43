import { isKeyRefused } from '../adapters/providers/ai-sdk/failure.js'
import { tryToParse } from '../adapters/providers/ai-sdk/json.js'
import { fillOptions } from '../adapters/providers/ai-sdk/plan.js'
import { readReason } from '../adapters/providers/ai-sdk/reason.js'
import { vendors } from '../adapters/providers/ai-sdk/vendors/index.js'
import type { ConfiguredModel } from '../config/models.js'
import {
  describeShutdown,
  findKnownModel,
  findShutdown,
  findUnsuited,
  proposeInstead,
  proposeModel,
} from '../models/known-models.js'
import { providers } from '../models/providers.js'
import type { ModelSettings } from '../models/settings.js'
import { limitTime } from '../runtime/abort.js'
import type { ModelCheck } from './check-model.js'

const reachMs = 5000

/** Warns that the vendor shuts down the model, or has, with the replacement; returns nothing for other models. */
export function checkShutdown(settings: ModelSettings, now: Date): ModelCheck[] {
  const end = findShutdown(settings, now)
  return end === undefined ? [] : [warnOfShutdown(end.detail)]
}

const warnOfShutdown = (detail: string): ModelCheck => ({ check: 'shutdown', ok: true, warns: true, detail })

/**
 * Asks the vendor, at no cost, whether it has the model and accepts the key. If it has no lookup, or the key is
 * missing, checks only that the service responds; no key is sent then. A shutdown day that the vendor reports replaces
 * that of the known models.
 */
export async function checkVendor({ settings, variable }: ConfiguredModel, now: Date): Promise<ModelCheck[]> {
  const { provider, model, apiKey } = settings
  const baseUrl = settings.baseUrl ?? providers[provider].baseUrl ?? ''
  const isKeyless = apiKey === undefined && variable !== undefined
  const lookUp = isKeyless ? undefined : vendors[provider].lookUp({ model, apiKey: apiKey ?? '', baseUrl })
  const url = lookUp?.url ?? baseUrl
  const where = url.startsWith(baseUrl) ? baseUrl : new URL(url).origin
  const answer = await ask(url, lookUp?.headers)
  if ('problem' in answer) {
    return [{ check: 'reachable', ok: false, detail: `${where} ${answer.problem}` }, ...checkShutdown(settings, now)]
  }
  const { status, json } = answer
  const reached: ModelCheck = { check: 'reachable', ok: true, detail: `${where} answers` }
  if (lookUp === undefined) {
    const why = isKeyless ? `${variable} is not set` : 'its service has no list of models'
    const detail = `${provider} was not asked whether it has ${model}: ${why}`
    return [reached, { check: 'model', ok: true, warns: true, detail }, ...checkShutdown(settings, now)]
  }
  if (status === 403 || isKeyRefused(status, readReason(json))) {
    const held = variable === undefined ? 'the key' : `the key in ${variable}`
    const detail = `${provider} refuses ${held} (HTTP ${status})`
    return [reached, { check: 'key', ok: false, detail }, ...checkShutdown(settings, now)]
  }
  if (status === 408 || status === 429 || status >= 500) {
    const detail = `${provider} could not be asked about ${model} (HTTP ${status}): try again later`
    return [reached, { check: 'model', ok: false, detail }, ...checkShutdown(settings, now)]
  }
  const day = status === 200 ? lookUp.findShutdown?.(json) : undefined
  const shutdown =
    day === undefined ? checkShutdown(settings, now) : [warnOfShutdown(describeShutdown(settings, day, now))]
  return [reached, describeFound(settings, lookUp.read(status, json)), ...shutdown]
}

function describeFound({ provider, model, kind }: ModelSettings, isThere: boolean | undefined): ModelCheck {
  if (isThere === true) return { check: 'model', ok: true, detail: `${provider} has ${model}` }
  if (isThere === undefined) {
    return { check: 'model', ok: true, warns: true, detail: `${provider} does not say whether it has ${model}` }
  }
  const proposed = proposeModel(provider, kind)?.model
  const hint =
    proposed === undefined || proposed === model ? 'look at its list of models' : `take ${provider}:${proposed}`
  return { check: 'model', ok: false, detail: `${provider} does not know ${model}: correct its name, or ${hint}` }
}

type VendorAnswer = { readonly status: number; readonly json: unknown } | { readonly problem: string }

/**
 * Requests `url`: with GET and `headers`, which carry the key and are not sent to redirects; without them with HEAD.
 */
async function ask(url: string, headers?: Readonly<Record<string, string>>): Promise<VendorAnswer> {
  const limit = limitTime(reachMs)
  try {
    const method = headers === undefined ? 'HEAD' : 'GET'
    const response = await fetch(url, { method, headers: headers ?? {}, redirect: 'manual', signal: limit.signal })
    return { status: response.status, json: tryToParse(await response.text()) }
  } catch (error) {
    const { cause } = error as { cause?: { code?: string } }
    return { problem: `does not answer (${cause?.code ?? 'no response in 5 s'})` }
  } finally {
    limit.close()
  }
}

/** Warns of a model that is not made for this work, and of a length of clips that the model does not make. */
export function checkLimits(settings: ModelSettings): ModelCheck[] {
  const warnings = [describeUnsuited(settings), describeLength(settings)]
  return warnings.flatMap((warning) => (warning === undefined ? [] : [{ ok: true, warns: true, ...warning } as const]))
}

function describeUnsuited({ provider, model, kind, options }: ModelSettings) {
  const unsuited = findUnsuited(provider, model)
  // The operator knows the field that takes the picture.
  const isNamed = fillOptions(options, { $reference: undefined, $references: [] }).named.size > 0
  if (unsuited === undefined || isNamed) return undefined
  return { check: 'model', detail: `${model} ${unsuited.why}: take ${proposeInstead(provider, kind)}` } as const
}

function describeLength({ provider, model, options }: ModelSettings) {
  const { seconds } = findKnownModel(provider, model) ?? {}
  const chosen = Number.parseFloat(String(options[vendors[provider].clip?.secondsOption ?? '']))
  if (seconds === undefined || Number.isNaN(chosen) || (chosen >= seconds[0] && chosen <= seconds[1])) return undefined
  return {
    check: 'options',
    detail: `${model} makes clips of ${seconds[0]} to ${seconds[1]} s, not of ${chosen} s`,
  } as const
}
