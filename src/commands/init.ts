import type { ConfigFlags } from '../config.js'
import type { CommandModule } from './command.js'

export interface InitFlags extends Pick<ConfigFlags, 'dataDir' | 'config'> {
  readonly avatar?: string
  readonly avatarUrl?: string
  readonly avatarKey?: string
  readonly avatarPrice?: string
  readonly animation?: string
  readonly animationUrl?: string
  readonly animationKey?: string
  readonly animationPrice?: string
  readonly budgetPerPet?: string
  readonly force?: true
  readonly json?: true
}

export const register: CommandModule['register'] = (program, finish) => {
  const command = program
    .command('init')
    .description(
      'Write svc.config.json, which names the models for pictures and clips. Asks on a terminal; holds no key.',
    )
  const kinds = [
    ['avatar', 'pictures', 'openai:gpt-image-1.5', '0.04usd/image'],
    ['animation', 'clips', 'google:veo-3.1-fast-generate-preview', '0.15usd/second'],
  ]
  for (const [name, what, model, price] of kinds) {
    command
      .option(`--${name} <model>`, `who makes ${what}: stub, or a provider and its model, such as ${model}`)
      .option(`--${name}-url <address>`, 'where it is reached, if not at the provider itself')
      .option(`--${name}-key <variable>`, 'the variable that will hold its key')
      .option(`--${name}-price <price>`, `what it costs, such as ${price}`)
  }
  command
    .option('--budget-per-pet <amount>', 'what may be spent for each pet, such as 1usd/day')
    .option('--config <file>', 'the file to write (SVC_CONFIG, default svc.config.json in the data folder)')
    .option('--data-dir <folder>', 'folder of the service (SVC_DATA_DIR, default .svc)')
    .option('--force', 'write over a file that is there')
    .option('--json', 'print one JSON document')
    .addHelpText(
      'after',
      '\nExample:\n  svc init --avatar openai:gpt-image-1.5 --avatar-price 0.04usd/image --animation stub\n',
    )
    .action(async (flags: InitFlags) => {
      const { runInit } = await import('./init/run.js')
      finish(await runInit(flags))
    })
}
