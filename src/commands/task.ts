import { type Command, Option } from 'commander'
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
import { addStorageOptions } from './storage-options.js'
import { printTasks, type TaskListFlags, taskStatuses } from './task/list.js'

export const register: CommandModule['register'] = (program, finish) => {
  const task = program
    .command('task')
    .description('List tasks, show one of any kind, or wait for it.')
    .addHelpText('after', '\nExample:\n  svc task wait avatar_01JCX…\n')

  addStorageOptions(
    task
      .command('list')
      .description('List the newest tasks of the data folder.')
      .option('--user-id <id>', 'only those of a user')
      .option('--pet-id <id>', 'only those of a pet')
      .addOption(new Option('--status <status>', 'only those with this status').choices(taskStatuses))
      .option('--limit <number>', 'how many', '20'),
  )
    .option('--json', 'print one JSON document')
    .addHelpText('after', '\nExample:\n  svc task list --status failed\n')
    .action(async (flags: TaskListFlags) => finish(await printTasks(flags)))

  addOwnerOptions(
    addServerOptions(task.command('show').description('Print the current state of a task.').argument('<task-id>')),
  )
    .addHelpText('after', '\nExample:\n  svc task show avatar_01JCX…\n')
    .action(async (taskId: string, flags: ServerFlags & TaskOwner) =>
      finish(
        await withConnection('read', flags, async (connection) => {
          await finishTask(connection, await readTask(connection, taskId, flags), flags)
          return 0
        }),
      ),
    )

  addTimeoutOptions(
    addOwnerOptions(
      addServerOptions(
        task.command('wait').description('Wait until a task has finished, and print it.').argument('<task-id>'),
      ),
    ),
  )
    .addHelpText('after', `${exitCodes}\nExample:\n  svc task wait avatar_01JCX… --timeout 10m --out out/\n`)
    .action(async (taskId: string, flags: ServerFlags & FollowFlags) =>
      finish(await withConnection('existing', flags, (connection) => followTask(connection, taskId, flags))),
    )
}

/** Adds the options for the owner of a task: diary tasks are found only with their owner. */
function addOwnerOptions(command: Command): Command {
  return command.option('--user-id <id>', 'owner of a diary task').option('--pet-id <id>', 'pet of a diary task')
}

const exitCodes = `
Exit codes: 0 done, 1 failed or unknown, 2 could not run, 3 some poses failed, 4 not finished in time.
`
