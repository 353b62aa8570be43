import { loadConfig } from '../config.js'
import type { CommandModule } from './command.js'
import type { CheckFlags } from './provider/check.js'
import type { CompareFlags } from './provider/compare.js'
import { addStorageOptions } from './storage-options.js'

export const register: CommandModule['register'] = (program, finish) => {
  const provider = program
    .command('provider')
    .description('List the models that can be used, check the configured ones, and compare models.')
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

  const check = declare(
    'check [alias]',
    'Check that the configured models are ready. Exit code 1 if one is not.',
    'svc provider check',
  )
    .option('--live', 'make one picture or clip with each, which is paid and counted under provider-check')
    .option('--yes', 'do not ask for confirmation')
    .option('--config <file>', 'the file that names models (SVC_CONFIG, default svc.config.json in the data folder)')
  addStorageOptions(check).action(async (alias: string | undefined, flags: CheckFlags) => {
    const { runCheck } = await import('./provider/check.js')
    finish(await runCheck(alias, flags))
  })

  const compare = declare(
    'compare',
    'Make the same pictures with several models, and write a page that shows them side by side. Exit code 3 if some failed.',
    'svc provider compare --photo dog.jpg --models stub --poses sitting,walking',
  )
    .requiredOption('--photo <file>', 'photo of the pet: a JPEG, PNG or WebP file')
    .requiredOption('--models <list>', 'models separated by commas: stub, or a provider and its model')
    .option('--poses <list>', 'poses separated by commas: lying, sitting, walking, running', 'sitting')
    .option('--species <species>', 'dog or cat', 'dog')
    .option('--locale <locale>', 'language of the prompt: en-US or zh-CN', 'en-US')
    .option('--budget <amount>', 'the most that all pictures together may cost, such as 1usd')
    .option(
      '--price <model=price>',
      'price of a model, such as openai:…=0.04usd/image; repeatable',
      (text, prices: readonly string[] = []) => [...prices, text],
    )
    .option('--out <file>', 'the page to write', 'compare.html')
    .option('--config <file>', 'the file that names models (SVC_CONFIG, default svc.config.json in the data folder)')
  addStorageOptions(compare).action(async (flags: CompareFlags) => {
    const { runCompare } = await import('./provider/compare.js')
    finish(await runCompare(flags))
  })
}
