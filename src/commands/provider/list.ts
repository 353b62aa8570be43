import { checkPackage } from '../../app/check-model.js'
import type { FindVariable } from '../../config/models.js'
import { describeModel, listKnownModels, proposeModel } from '../../models/known-models.js'
import { installCommand, providerNames, providers } from '../../models/providers.js'
import { printJson } from '../client/run.js'
import type { CommandResult } from '../command.js'

const words = { image: 'pictures', video: 'clips' } as const

/** `svc provider list`: prints the providers that an operator's file may name. */
export function runList(findVariable: FindVariable, json: boolean): CommandResult {
  const rows = providerNames.map((name) => {
    const { packageName, variable, otherVariables = [], makes } = providers[name]
    const variables = [...(variable === undefined ? [] : [variable]), ...otherVariables]
    const proposals = makes.flatMap((kind) => proposeModel(name, kind) ?? [])
    return {
      provider: name,
      makes: proposals.map(({ kind }) => words[kind]),
      makes_no_more: makes.filter((kind) => proposeModel(name, kind) === undefined).map((kind) => words[kind]),
      examples: proposals.map(({ model }) => `${name}:${model}`),
      models: listKnownModels(name).map(({ model, checkedOn, source, price = null, ...known }) => {
        return {
          model: `${name}:${model}`,
          limits: describeModel({ model, checkedOn, source, ...known }),
          price,
          checked_on: checkedOn,
          source,
        }
      }),
      package: packageName,
      install: installCommand(providers[name]),
      installed: checkPackage(name).ok,
      variable: variable ?? null,
      is_set: variable === undefined ? null : variables.some((one) => findVariable(one) !== undefined),
    }
  })
  if (json) printJson({ providers: rows })
  else {
    const lines = rows.flatMap((row) => [
      `${row.provider}  ${row.makes.join(' and ')}, such as ${row.examples.join(' and ')}`,
      ...row.makes_no_more.map(
        (what) => `  makes no ${what} for now: the vendor has switched off the models that svc can use`,
      ),
      ...row.models.map(
        ({ model, limits, price }) => `  ${model}: ${limits}${price === null ? '' : `, about ${price}`}`,
      ),
      `  ${row.installed ? `${row.package} is installed` : row.install}; ${describeKey(row.variable, row.is_set)}`,
    ])
    process.stdout.write(`${lines.join('\n')}\n`)
  }
  return 0
}

function describeKey(variable: string | null, isSet: boolean | null): string {
  return variable === null ? 'a key only if the endpoint needs one' : `${variable} is ${isSet ? 'set' : 'not set'}`
}
