import { isKeyRefused } from '../adapters/providers/ai-sdk/failure.js'
import { readReason } from '../adapters/providers/ai-sdk/reason.js'
import { vendors } from '../adapters/providers/ai-sdk/vendors/index.js'
import type { ConfiguredModel } from '../config/models.js'
import { findKnownModel, listProposals, proposeModel } from '../models/known-models.js'
import { providers } from '../models/providers.js'
import type { ModelSettings } from '../models/settings.js'
import { limitTime } from '../runtime/abort.js'
import type { Check } from './check-model.js'

const reachMs = 5000

/** Warns that the vendor shuts down the model, or has, with the replacement; returns nothing for other models. */
export function checkShutdown({ provider, model, kind }: ModelSettings, now: Date): Check[] {
  const { shutdown } = findKnownModel(provider, model) ?? {}
  if (shutdown === undefined) return []
  const { on, successor } = shutdown
  const verb = on <= now.toISOString().slice(0, 10) ? 'was switched off' : 'will be switched off'
  const way =
    findKnownModel(provider, successor) === undefined
      ? `its successor, ${successor}, cannot be used here; take ${listProposals(kind)[0]}`
      : `take ${provider}:${successor}`
  return [{ check: 'shutdown', ok: true, warns: true, detail: `${model} ${verb} on ${on}: ${way}` }]
}

/**
 * Asks the vendor, at no cost, whether it has the model and accepts the key. If it has no lookup, or the key is
 * missing, checks only that the service responds; no key is sent then.
 */
export async function checkVendor({ settings, variable }: ConfiguredModel): Promise<Check[]> {
  const { provider, model, apiKey } = settings
  const baseUrl = settings.baseUrl ?? providers[provider].baseUrl ?? ''
  const isKeyless = apiKey === undefined && variable !== undefined
  const lookUp = isKeyless ? undefined : vendors[provider].lookUp({ model, apiKey: apiKey ?? '', baseUrl })
  const url = lookUp?.url ?? baseUrl
  const where = url.startsWith(baseUrl) ? baseUrl : new URL(url).origin
  const answer = await ask(url, lookUp?.headers)
  if ('problem' in answer) return [{ check: 'reachable', ok: false, detail: `${where} ${answer.problem}` }]
  const { status, json } = answer
  const reached: Check = { check: 'reachable', ok: true, detail: `${where} answers (${status})` }
  if (lookUp === undefined) return [reached]
  if (status === 403 || isKeyRefused(status, readReason(json))) {
    const held = variable === undefined ? 'the key' : `the key in ${variable}`
    const detail = `${provider} refuses ${held} (HTTP ${status})`
    return [reached, { check: 'key', ok: false, detail }]
  }
  if (status === 408 || status === 429 || status >= 500) {
    const detail = `${provider} could not be asked about ${model} (HTTP ${status}): try again later`
    return [reached, { check: 'model', ok: false, detail }]
  }
  return [reached, describeModel(settings, lookUp.read(status, json))]
}

function describeModel({ provider, model, kind }: ModelSettings, isThere: boolean | undefined): Check {
  if (isThere === true) return { check: 'model', ok: true, detail: `${provider} has ${model}` }
  if (isThere === undefined) {
    return { check: 'model', ok: true, warns: true, detail: `${provider} does not say whether it has ${model}` }
  }
  const proposed = proposeModel(provider, kind)?.model
  const hint =
    proposed === undefined || proposed === model ? 'look at its list of models' : `take ${provider}:${proposed}`
  return { check: 'model', ok: false, detail: `${provider} does not know ${model}: correct its name, or ${hint}` }
}

type Answer = { readonly status: number; readonly json: unknown } | { readonly problem: string }

/**
 * Requests `url`: with GET and `headers`, which carry the key and are not sent to redirects; without them with HEAD.
 */
async function ask(url: string, headers?: Readonly<Record<string, string>>): Promise<Answer> {
  const limit = limitTime(reachMs)
  try {
    const method = headers === undefined ? 'HEAD' : 'GET'
    const response = await fetch(url, { method, headers: headers ?? {}, redirect: 'manual', signal: limit.signal })
    const text = await response.text()
    return { status: response.status, json: parse(text) }
  } catch (error) {
    const { cause } = error as { cause?: { code?: string } }
    return { problem: `does not answer (${cause?.code ?? 'no answer in 5 s'})` }
  } finally {
    limit.close()
  }
}

/** Returns undefined for what is not JSON. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
