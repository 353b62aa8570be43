import type { Command } from 'commander'
import { call } from '../../client/client.js'
import { addServerOptions, type ServerFlags } from '../client/connect.js'
import { describePage, type ListFlags } from '../client/describe.js'
import { finishTask } from '../client/follow.js'
import { printAnswer, withConnection } from '../client/run.js'
import type { Finish } from '../command.js'

interface ShowFlags extends ServerFlags {
  readonly out?: string
}

/** Declares `svc diary list` and `show`, which read diary pictures of a service. */
export function declarePictures(diary: Command, finish: Finish): void {
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

  addServerOptions(
    diary
      .command('show')
      .description('Show one diary picture.')
      .argument('<image-id>', 'begins with img_')
      .option('--out <folder>', 'save the picture in this folder'),
  )
    .addHelpText('after', '\nExample:\n  svc diary show img_01JCX… --out out/\n')
    .action(async (id: string, flags: ShowFlags) => finish(await show(id, flags)))
}

async function list({ userId, page, pageSize, ...flags }: ListFlags) {
  return withConnection('read', flags, async (connection) => {
    const query = { user_id: userId, page, page_size: pageSize }
    const answer = await call(connection, 'listDiaryImages', { query })
    const lines = answer.items.map(({ task_id, status, scene_id, user_id, pet_id, image_id }) =>
      [task_id, status, scene_id, `user ${user_id}`, `pet ${pet_id}`, image_id ?? ''].join('  ').trimEnd(),
    )
    return printAnswer(flags, answer, [...lines, describePage(answer)])
  })
}

async function show(id: string, flags: ShowFlags) {
  return withConnection('read', flags, async (connection) => {
    const picture = await call(connection, 'getDiaryImage', { params: { image_id: id } })
    return finishTask(connection, picture, flags)
  })
}
