import { loadConfig } from '../config.js'
import type { CommandModule } from './command.js'
import type { CheckFlags } from './provider/check.js'
import { addStorageOptions } from './storage-options.js'
import { declareRemoved } from './strict-command.js'

export const register: CommandModule['register'] = (program, finish) => {
  const provider = program
    .command('provider')
    .description('List the models that can be used, and check the configured ones.')
    .addHelpText('after', '\nExample:\n  svc provider check\n')
  const declare = (usage: string, summary: string, example: string) =>
    provider
      .command(usage)
      .description(summary)
      .option('--json', 'print one JSON document')
      .addHelpText('after', `\nExample:\n  ${example}\n`)

  declare('list', 'List the supported providers, their packages and their keys.', 'svc provider list').action(
    async ({ json }: { readonly json?: true }) => {
      const { runList } = await import('./provider/list.js')
      finish(runList(loadConfig().findVariable, json === true))
    },
  )

  declare(
    'check [alias]',
    'Check that the configured models are ready. Exit code 1 if one is not.',
    'svc provider check',
  )
    .option('--live', 'make one picture or clip with each, which is paid and counted under provider-check')
    .option('--yes', 'do not ask for confirmation')
    .option('--config <file>', 'the file that names models (SVC_CONFIG, default svc.config.json in the data directory)')
    .use(addStorageOptions)
    .action(async (alias: string | undefined, flags: CheckFlags) => {
      const { runCheck } = await import('./provider/check.js')
      finish(await runCheck(alias, flags))
    })

  declareRemoved(
    provider,
    'compare',
    'svc provider check --live makes a picture with each configured model, svc demo with the built-in provider.',
  )
}
