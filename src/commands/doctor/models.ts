import { checkSetup } from '../../app/check-model.js'
import { type ConfiguredModel, readOperationWithoutKeys } from '../../config/models.js'
import type { Config } from '../../config.js'
import { isSvcError, type SvcError } from '../../errors.js'
import { providers } from '../../ports/models.js'
import { listWords, quote } from '../../spelling.js'
import { type Finding, ok, problem } from './finding.js'

/** What each model of the operator's file lacks that can be seen from here. None is called. */
export function checkModels({ configFile, findVariable }: Config): Finding[] {
  try {
    const { models } = readOperationWithoutKeys(configFile, findVariable)
    return Object.entries(models).map(([alias, model]) =>
      model === 'stub' ? ok('model', `${alias} is drawn here, by the built-in provider`) : checkModel(model),
    )
  } catch (error) {
    if (!isSvcError(error)) throw error
    return [problem('config', error.message, describeWay(error, configFile))]
  }
}

function describeWay({ code }: SvcError, configFile: string): string {
  const write = `svc init --config ${quote(configFile)}`
  return code === 'not_found'
    ? `Write it: ${write}; or take the built-in provider: svc serve --provider stub`
    : `Change the file, or write it anew: ${write} --force`
}

function checkModel(model: ConfiguredModel): Finding {
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
