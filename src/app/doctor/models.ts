import { type ConfiguredModel, readOperatorSettingsWithoutKeys } from '../../config/models.js'
import type { Config } from '../../config.js'
import { isSvcError, type SvcError } from '../../errors.js'
import { providers } from '../../models/providers.js'
import { programName } from '../../runtime/program-name.js'
import { listWords, quote } from '../../text/spelling.js'
import { checkSetup } from '../check-model.js'
import { checkShutdown } from '../check-vendor.js'
import { type CheckResult, note, ok, problem } from './check-result.js'

/** Checks each model of the operator's file without a call of it. */
export function checkModels({ configFile, findVariable }: Config, now: number): CheckResult[] {
  try {
    const { models } = readOperatorSettingsWithoutKeys(configFile, findVariable)
    return Object.entries(models).flatMap(([alias, model]) =>
      model === 'stub'
        ? [ok('model', `${alias} is drawn here, by the built-in provider`)]
        : [checkModel(model), ...noteShutdown(model, now)],
    )
  } catch (error) {
    if (!isSvcError(error)) throw error
    return [problem('config', error.message, describeFix(error, configFile))]
  }
}

function describeFix({ code }: SvcError, configFile: string): string {
  const write = `${programName()} init --config ${quote(configFile)}`
  return code === 'not_found'
    ? `Write it: ${write}; or take the built-in provider: ${programName()} serve --provider stub`
    : `Change the file, or replace it: ${write} --force`
}

function noteShutdown({ settings }: ConfiguredModel, now: number): CheckResult[] {
  return checkShutdown(settings, new Date(now)).map(({ detail }) => note('model', `${settings.alias}: ${detail}.`))
}

function checkModel(model: ConfiguredModel): CheckResult {
  const { settings, variable } = model
  const { alias, provider } = settings
  const { packageName, major } = providers[provider]
  const name = `${alias} (${provider}:${settings.model})`
  const lacks = checkSetup(model).filter((check) => !check.ok)
  if (lacks.length === 0) {
    return ok(
      'model',
      `${name}: ${packageName} is installed, ${variable === undefined ? 'no key is needed' : `${variable} is set`}`,
    )
  }
  const parts = lacks.map(({ check, detail }) =>
    check === 'key'
      ? { what: `a key in ${variable}`, step: `export ${variable}=…` }
      : { what: `${packageName} ${major}`, step: detail },
  )
  const what = listWords(
    parts.map((part) => part.what),
    'and',
  )
  return problem('model', `${name} lacks ${what}.`, parts.map(({ step }) => step).join(' && '))
}
