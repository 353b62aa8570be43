import { checkPackage } from '../../app/check-model.js'
import type { FindVariable } from '../../config/models.js'
import { installCommand, providerNames, providers } from '../../ports/models.js'
import { printJson } from '../client/run.js'
import type { CommandResult } from '../command.js'

const words = { image: 'pictures', video: 'clips' } as const

/** `svc provider list`: what an operator's file may name. */
export function runList(findVariable: FindVariable, json: boolean): CommandResult {
  const rows = providerNames.map((name) => {
    const { packageName, variable, makes, examples } = providers[name]
    return {
      provider: name,
      makes: makes.map((kind) => words[kind]),
      examples: makes.map((kind) => `${name}:${examples[kind]?.model}`),
      package: packageName,
      install: installCommand(providers[name]),
      installed: checkPackage(name).ok,
      variable: variable ?? null,
      is_set: variable === undefined ? null : findVariable(variable) !== undefined,
    }
  })
  if (json) printJson({ providers: rows })
  else {
    const lines = rows.flatMap((row) => [
      `${row.provider}  ${row.makes.join(' and ')}, such as ${row.examples.join(' and ')}`,
      `  ${row.installed ? `${row.package} is installed` : row.install}; ${describeKey(row)}`,
    ])
    process.stdout.write(`${lines.join('\n')}\n`)
  }
  return 0
}

function describeKey({
  variable,
  is_set,
}: {
  readonly variable: string | null
  readonly is_set: boolean | null
}): string {
  if (variable === null) return 'a key only where the endpoint wants one'
  return `${variable} is ${is_set ? 'set' : 'not set'}`
}
