import { type Command, Option } from 'commander'
import { withStore } from '../app/storage/open-store.js'
import { loadConfig } from '../config.js'
import { SvcError } from '../errors.js'
import { getLibrary } from '../media/shared-library.js'
import type { Store } from '../ports/store.js'
import type { Task, TaskStatus } from '../ports/tasks.js'
import { findStdoutWidth } from '../runtime/style.js'
import { type Column, renderTable } from '../text/table.js'
import { addServerOptions, type ServerFlags } from './client/connect.js'
import {
  addTimeoutOptions,
  type FollowFlags,
  finishTask,
  followTask,
  readTask,
  type TaskOwner,
} from './client/follow.js'
import { printAnswer, withConnection } from './client/run.js'
import type { CommandModule } from './command.js'
import { addStorageOptions, type PrintFlags } from './storage-options.js'

export const register: CommandModule['register'] = (program, finish) => {
  const task = program
    .command('task')
    .description('List tasks, show one of any kind, or wait for it.')
    .addHelpText('after', '\nExample:\n  svc task wait avatar_01JCX…\n')

  task
    .command('list')
    .description('List the newest tasks of the data directory.')
    .option('--user-id <id>', 'only those of a user')
    .option('--pet-id <id>', 'only those of a pet')
    .addOption(new Option('--status <status>', 'only those with this status').choices(taskStatuses))
    .option('--limit <number>', 'how many', '20')
    .use(addStorageOptions)
    .option('--json', 'print one JSON document')
    .addHelpText('after', '\nExample:\n  svc task list --status failed\n')
    .action(async (flags: TaskListFlags) => finish(await printTasks(flags)))

  task
    .command('show')
    .description('Print the current state of a task.')
    .argument('<task-id>')
    .use(addServerOptions)
    .use(addOwnerOptions)
    .addHelpText('after', '\nExample:\n  svc task show avatar_01JCX…\n')
    .action(async (taskId: string, flags: ServerFlags & TaskOwner) =>
      finish(
        await withConnection('read', flags, async (connection) => {
          await finishTask(connection, await readTask(connection, taskId, flags), flags)
          return 0
        }),
      ),
    )

  task
    .command('wait')
    .description('Wait until a task has finished, and print it.')
    .argument('<task-id>')
    .use(addServerOptions)
    .use(addOwnerOptions)
    .use(addTimeoutOptions)
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

interface TaskListFlags extends PrintFlags {
  readonly userId?: string
  readonly petId?: string
  readonly status?: TaskStatus
  readonly limit: string
}

const taskStatuses: readonly TaskStatus[] = ['pending', 'processing', 'success', 'partial_success', 'failed']

const columns: readonly Column[] = [
  { title: 'task' },
  { title: 'status' },
  { title: 'done', isNumber: true },
  { title: 'user', isCut: true },
  { title: 'pet', isCut: true },
  { title: 'created', isLeftOut: true },
  { title: 'took', isNumber: true },
]

/** Prints the newest tasks of the data directory. */
async function printTasks({ userId, petId, status, limit, ...flags }: TaskListFlags): Promise<0> {
  const tasks = await withStore(loadConfig(flags), { mayCreate: false }, async (store) => {
    const listed = await store.listTasks({ userId, petId, status }, readLimit(limit))
    return Promise.all(listed.map((task) => withStatus(store, task)))
  })
  const lines =
    tasks.length === 0
      ? ['There is no task yet, or none of these.']
      : renderTable(columns, tasks.map(toRow), findStdoutWidth())
  return printAnswer(flags, { tasks: tasks.map(presentTask) }, lines)
}

/** The row of a library stays pending: its status is that of its pictures. */
async function withStatus(store: Store, task: Task): Promise<Task> {
  if (task.kind !== 'diary_library' || task.status !== 'pending') return task
  return { ...task, status: (await getLibrary(store, task)).status }
}

function readLimit(text: string): number {
  if (/^\d{1,4}$/.test(text) && text !== '0') return Number(text)
  throw new SvcError('invalid_request', `--limit is ${JSON.stringify(text)}; it must be a number from 1 to 9999.`)
}

const countDone = ({ units }: Task) => units.filter(({ status }) => status === 'success').length

/** A library of diary pictures has no units of its own. */
function toRow(task: Task): string[] {
  const { id, status, units, owner, createdAt, finishedAt } = task
  const done = units.length === 0 ? '' : `${countDone(task)}/${units.length}`
  const tookMs = finishedAt === null ? undefined : finishedAt.getTime() - createdAt.getTime()
  const took = tookMs === undefined ? '' : `${(tookMs / 1000).toFixed(1)} s`
  return [id, status, done, owner.userId, owner.petId, `${createdAt.toISOString().slice(0, 19)}Z`, took]
}

function presentTask(task: Task): Record<string, unknown> {
  const { id, kind, status, units, owner, createdAt, finishedAt } = task
  return {
    ...{ task_id: id, kind, status, user_id: owner.userId, pet_id: owner.petId },
    ...{ done_count: countDone(task), total_count: units.length, created_at: createdAt, finished_at: finishedAt },
  }
}
