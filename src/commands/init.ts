import { listProposals } from '../models/known-models.js'
import type { CommandModule } from './command.js'
import type { InitFlags } from './init/write-settings.js'
import { addStorageOptions } from './storage-options.js'

export const register: CommandModule['register'] = (program, finish) => {
  const command = program
    .command('init')
    .description(
      'Write svc.config.json, which names the models for pictures and clips. Asks on a terminal. The file has no keys.',
    )
  const [picture] = listProposals('image')
  const kinds = [
    ['avatar', 'pictures', picture, '0.04usd/image'],
    ['animation', 'clips', listProposals('video')[0], '0.18usd/second'],
  ]
  for (const [name, what, model, price] of kinds) {
    command
      .option(`--${name} <model>`, `model for ${what}: stub, or a provider and its model, such as ${model}`)
      .option(`--${name}-url <address>`, 'URL of the model, if not that of the provider')
      .option(`--${name}-key <variable>`, 'environment variable with its key')
      .option(`--${name}-price <price>`, `its price, such as ${price}`)
  }
  command
    .option('--budget-per-pet <amount>', 'budget for each pet, such as 1usd/day')
    .option('--config <file>', 'the file to write (SVC_CONFIG, default svc.config.json in the data directory)')
    .use(addStorageOptions)
    .option('--force', 'overwrite an existing file')
    .option('--json', 'print one JSON document')
    .addHelpText('after', `\nExample:\n  svc init --avatar ${picture} --avatar-price 0.04usd/image --animation stub\n`)
    .action(async (flags: InitFlags) => {
      const { runInit } = await import('./init/write-settings.js')
      finish(await runInit(flags))
    })
}
