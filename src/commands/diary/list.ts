import type { Command } from 'commander'
import { call } from '../../client/client.js'
import { addServerOptions, type ServerFlags } from '../client/connect.js'
import { describePage } from '../client/describe.js'
import { printJson, printLines, withConnection } from '../client/run.js'
import type { CommandModule } from '../command.js'

interface ListFlags extends ServerFlags {
  readonly userId?: string
  readonly page?: string
  readonly pageSize?: string
}

export function declareList(diary: Command, finish: Parameters<CommandModule['register']>[1]): void {
  addServerOptions(
    diary
      .command('list')
      .description('List diary pictures in every state, newest first.')
      .option('--user-id <id>', 'ID of the owner (default: all users with SVC_ENV=test, else calls without a user)')
      .option('--page <number>', 'page number, from 1')
      .option('--page-size <number>', 'pictures per page, 1 to 100 (default 20)'),
  )
    .addHelpText('after', '\nExample:\n  svc diary list --user-id user-7\n')
    .action(async (flags: ListFlags) => finish(await list(flags)))
}

async function list({ userId, page, pageSize, ...flags }: ListFlags) {
  return withConnection(
    flags,
    async (connection) => {
      const answer = await call(connection, 'listDiaryImages', {
        query: { user_id: userId, page, page_size: pageSize },
      })
      if (flags.json) printJson(answer)
      else {
        const lines = answer.items.map(({ task_id, status, scene_id, user_id, pet_id, image_id }) =>
          [task_id, status, scene_id, `user ${user_id}`, `pet ${pet_id}`, image_id ?? ''].join('  ').trimEnd(),
        )
        printLines([...lines, describePage(answer)])
      }
      return 0
    },
    'read',
  )
}
