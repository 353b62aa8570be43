import type { Command } from 'commander'
import { call, Refusal } from '../../client/client.js'
import { isFinal, waitForTask } from '../../client/wait.js'
import { SvcError } from '../../errors.js'
import { untilAborted } from '../../runtime/abort.js'
import { programName } from '../../runtime/program-name.js'
import { createPaint, createStdoutPaint } from '../../runtime/style.js'
import { parseDurationMs } from '../../text/duration.js'
import { quote } from '../../text/spelling.js'
import { toPrintable } from '../../text/words.js'
import type { CommandResult } from '../command.js'
import type { ServiceConnection } from './connect.js'
import { describeTask } from './describe.js'
import { startTaskProgress } from './progress.js'
import { paintMarks, type TaskRecord } from './resources.js'
import { printJson, untilInterrupted } from './run.js'
import { saveFiles } from './save.js'
import { sleepUntilTaskUpdate } from './sleep-until-task-update.js'
import { describeEnd } from './summary.js'

/** The owner of a diary task, which is not found without its user. Other tasks are found by their ID. */
export interface TaskOwner {
  readonly userId?: string | undefined
  readonly petId?: string | undefined
}

/** The options of every command that may wait for a task. */
export interface FollowFlags extends TaskOwner {
  readonly wait?: true
  readonly timeout: string
  readonly out?: string
  readonly json?: true
}

export function addFollowOptions(command: Command): Command {
  return addTimeoutOptions(command.option('--wait', 'wait until the task has ended'))
}

export function addTimeoutOptions(command: Command): Command {
  return command
    .option('--timeout <time>', 'longest wait, such as 30s or 5m', '5m')
    .option('--out <folder>', 'wait, and save the pictures or clips there, one file per pose or scene')
}

/** Reads a task of one kind. */
type Read = (connection: ServiceConnection, task_id: string, owner: TaskOwner) => Promise<TaskRecord>

const readDiaryTask: Read = (connection, task_id, { userId, petId }) =>
  call(connection, 'getDiaryTask', { params: { task_id }, query: { user_id: userId, pet_id: petId } }).catch(
    (error) => {
      if (userId !== undefined || !(error instanceof Refusal) || error.code !== 'not_found') throw error
      const hint = 'A diary task is found only with its user: give --user-id.'
      throw new Refusal('not_found', `${error.message} ${hint}`, error)
    },
  )

const readers: Readonly<Record<string, Read>> = {
  avatar_: (connection, task_id) => call(connection, 'getAvatarTask', { params: { task_id } }),
  anim_: (connection, task_id) => call(connection, 'getAnimationTask', { params: { task_id } }),
  diary_: readDiaryTask,
  diary_lib_: readDiaryTask,
}

/** The flags with which another command finds the task. */
export function toTaskOwnerFlags(taskId: string, { userId, petId }: TaskOwner): string {
  if (readers[prefixOf(taskId)] !== readDiaryTask) return ''
  const flags = { '--user-id': userId, '--pet-id': petId }
  return Object.entries(flags)
    .flatMap(([flag, id]) => (id === undefined ? [] : [` ${flag} ${quote(id)}`]))
    .join('')
}

/** Returns `diary_lib_` for `diary_lib_01JCX…`. */
function prefixOf(taskId: string): string {
  return taskId.slice(0, taskId.lastIndexOf('_') + 1)
}

/** Reads a task of any kind. Throws a `Refusal`, or `invalid_request` if the ID is not a task ID. */
export async function readTask(connection: ServiceConnection, taskId: string, owner: TaskOwner): Promise<TaskRecord> {
  const read = readers[prefixOf(taskId)]
  if (read !== undefined) return read(connection, taskId, owner)
  const prefixes = Object.keys(readers).join(' or ')
  throw new SvcError('invalid_request', `${JSON.stringify(taskId)} is not a task ID; it must begin with ${prefixes}.`)
}

/** Waits for a task, saves its files with `out`, and prints it. Returns 0, 1 failed, 3 partial success, 4 not finished in time. */
export async function followTask(
  connection: ServiceConnection,
  taskId: string,
  flags: FollowFlags,
): Promise<CommandResult> {
  const deadlineAt = performance.now() + parseDurationMs(flags.timeout, '--timeout')
  const out = flags.out === undefined ? '' : ` --out ${quote(flags.out)}`
  const flagsAgain = `${toTaskOwnerFlags(taskId, flags)}${out}${connection.flags}`
  const resume = toPrintable(`${programName()} task wait ${taskId}${flagsAgain}`)
  const progress = await startTaskProgress()
  const tellResume = () => {
    progress.stop()
    process.stderr.write(`\nsvc: the task ${taskId} is not lost. Continue to wait with:\n  ${resume}\n`)
  }
  const { task, timedOut } = await untilInterrupted(
    (signal) =>
      waitForTask({
        read: () => untilAborted(readTask(connection, taskId, flags), signal),
        onTask: progress.update,
        onTrouble: (message) => progress.warn(`${message} Trying again.`),
        sleep: sleepUntilTaskUpdate(connection, signal),
        now: () => performance.now(),
        deadlineAt,
      }),
    tellResume,
  ).finally(progress.stop)
  if (timedOut) {
    process.stderr.write(`svc: ${taskId} did not finish within ${flags.timeout}. Continue to wait with:\n  ${resume}\n`)
  }
  if (task === undefined) return 4
  return finishTask(connection, task, flags)
}

/** Saves the files of a task with `out`, and prints its current state. */
export async function finishTask(
  connection: ServiceConnection,
  task: TaskRecord,
  { out, json }: Pick<FollowFlags, 'out' | 'json'>,
): Promise<CommandResult> {
  const files = out === undefined ? undefined : await saveFiles(task, out, connection.transport)
  if (json) printJson({ ...task, files })
  else {
    const paint = createStdoutPaint()
    const lines = describeTask(task, files).map((line) => `${paintMarks(toPrintable(line), paint)}\n`)
    process.stdout.write(lines.join(''))
    // The URLs need a server on the folder.
    const isLocal =
      connection.idle !== undefined && connection.server === undefined && out === undefined && isFinal(task)
    const serve = toPrintable(`${programName()} serve${connection.flags}`)
    if (isLocal) process.stderr.write(`The URLs work while "${serve}" runs; --out saves the files.\n`)
    if (process.stderr.isTTY && isFinal(task)) {
      const paintHint = createPaint(process.stderr)
      for (const line of await describeEnd(connection, task)) {
        process.stderr.write(`${paintHint('dim', toPrintable(line))}\n`)
      }
    }
  }
  return resultOf(task)
}

/** Returns the exit code for a task. */
export function resultOf(task: TaskRecord): CommandResult {
  if (!isFinal(task)) return 4
  if (task.status === 'partial_success') return 3
  return task.status === 'success' ? 0 : 1
}
