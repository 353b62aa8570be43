import type { Command } from 'commander'
import { addServerOptions, type ServerFlags } from './client/connect.js'
import {
  addTimeoutOptions,
  type FollowFlags,
  finishTask,
  followTask,
  readTask,
  type TaskOwner,
} from './client/follow.js'
import { withConnection } from './client/run.js'
import type { CommandModule } from './command.js'

export const register: CommandModule['register'] = (program, finish) => {
  const task = program
    .command('task')
    .description('Look at a task of any kind, or wait for it.')
    .addHelpText('after', '\nExample:\n  svc task wait avatar_01JCX…\n')

  addOwnerOptions(
    addServerOptions(task.command('show').description('Print a task as it is now.').argument('<task-id>')),
  )
    .addHelpText('after', '\nExample:\n  svc task show avatar_01JCX…\n')
    .action(async (taskId: string, flags: ServerFlags & TaskOwner) =>
      finish(
        await withConnection(flags, async (connection) => {
          await finishTask(connection, await readTask(connection, taskId, flags), flags)
          return 0
        }),
      ),
    )

  addTimeoutOptions(
    addOwnerOptions(
      addServerOptions(
        task.command('wait').description('Wait until a task has ended, and print it.').argument('<task-id>'),
      ),
    ),
  )
    .addHelpText('after', `${exitCodes}\nExample:\n  svc task wait avatar_01JCX… --timeout 10m --out out/\n`)
    .action(async (taskId: string, flags: ServerFlags & FollowFlags & { json?: true }) =>
      finish(await withConnection(flags, (connection) => followTask(connection, taskId, flags))),
    )
}

/** Whose task it is: diary tasks are found under their owner alone. */
function addOwnerOptions(command: Command): Command {
  return command
    .option('--user-id <id>', 'of a diary task: whose it is')
    .option('--pet-id <id>', 'of a diary task: which pet it is of')
}

const exitCodes = `
Exit codes: 0 done, 1 failed or unknown, 2 could not be done, 3 some poses failed, 4 not ended in time.
`
