import type { Command } from 'commander'
import { call } from '../../client/client.js'
import { addServerOptions, type ServerFlags } from '../client/connect.js'
import { finishTask } from '../client/follow.js'
import { withConnection } from '../client/run.js'
import type { CommandModule } from '../command.js'

export function declareShow(diary: Command, finish: Parameters<CommandModule['register']>[1]): void {
  addServerOptions(
    diary
      .command('show')
      .description('Show one diary picture.')
      .argument('<image-id>', 'begins with img_')
      .option('--out <folder>', 'save the picture in this folder'),
  )
    .addHelpText('after', '\nExample:\n  svc diary show img_01JCX… --out out/\n')
    .action(async (id: string, flags: ServerFlags & { out?: string }) => finish(await show(id, flags)))
}

async function show(id: string, flags: ServerFlags & { readonly out?: string }) {
  return withConnection(
    flags,
    async (connection) => {
      const picture = await call(connection, 'getDiaryImage', { params: { image_id: id } })
      return finishTask(connection, picture, flags)
    },
    'read',
  )
}
