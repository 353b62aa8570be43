import { type ConfigFlags, loadConfig } from '../config.js'
import type { CommandModule } from './command.js'

type FileFlags = Pick<ConfigFlags, 'dataDir' | 'config'>

export interface CheckFlags extends FileFlags {
  readonly live?: true
  readonly yes?: true
  readonly json?: true
}

export const register: CommandModule['register'] = (program, finish) => {
  const provider = program
    .command('provider')
    .description('See which models can be used, and what they lack.')
    .addHelpText('after', '\nExample:\n  svc provider check\n')
  const declare = (usage: string, summary: string, example: string) =>
    provider
      .command(usage)
      .description(summary)
      .option('--json', 'print one JSON document')
      .addHelpText('after', `\nExample:\n  ${example}\n`)

  declare('list', 'List the providers that can be named, their packages and their keys.', 'svc provider list').action(
    async ({ json }: { readonly json?: true }) => {
      const { runList } = await import('./provider/list.js')
      finish(runList(loadConfig().findVariable, json === true))
    },
  )

  declare(
    'check [alias]',
    'Tell what the configured models lack. Exit code 1 where it is anything.',
    'svc provider check',
  )
    .option('--live', 'have each make one picture or clip, which is paid and booked under provider-check')
    .option('--yes', 'do not ask before that')
    .option('--config <file>', 'the file that names models (SVC_CONFIG, default svc.config.json in the data folder)')
    .option('--data-dir <folder>', 'folder of the service (SVC_DATA_DIR, default .svc)')
    .action(async (alias: string | undefined, flags: CheckFlags) => {
      const { runCheck } = await import('./provider/check.js')
      finish(await runCheck(alias, flags))
    })
}
