import { setTimeout as delay } from 'node:timers/promises'
import type { Command } from 'commander'
import { call, Refusal } from '../../client/client.js'
import { isFinal, waitForTask } from '../../client/wait.js'
import { SvcError } from '../../errors.js'
import { untilAborted } from '../../runtime/abort.js'
import { programName } from '../../runtime/program-name.js'
import { createPaint, createStdoutPaint } from '../../runtime/style.js'
import { quote } from '../../text/spelling.js'
import { parseDurationMs } from '../../text/time.js'
import { toPrintable } from '../../text/words.js'
import { type CommandResult, printProblem } from '../command.js'
import { addServerOptions, type ServerFlags, type ServiceConnection } from './connect.js'
import { describeTask } from './describe.js'
import { describeUnit, listUnits, paintMarks, type TaskRecord } from './resources.js'
import { printAnswer, printJson, untilInterrupted } from './run.js'
import { saveFiles } from './save.js'
import type { TaskProgress } from './spinner.js'
import { dollars } from './usage-report.js'

/** The owner of a diary task, which is not found without its user. Other tasks are found by their ID. */
export interface TaskOwner {
  readonly userId?: string | undefined
  readonly petId?: string | undefined
}

/** The options of every command that may wait for a task. */
export interface FollowFlags extends TaskOwner {
  readonly timeout: string
  readonly out?: string
  readonly json?: true
}

/** The options of a command that creates a task. */
export interface TaskFlags extends ServerFlags, FollowFlags {
  readonly idempotencyKey?: string
  readonly wait?: true
}

/** Declares the options of a command that creates a task. */
export function addTaskOptions(command: Command): Command {
  command.option('--idempotency-key <key>', 'a repeated request with the same key creates no second task')
  addServerOptions(command).option('--wait', 'wait until the task has ended')
  return addTimeoutOptions(command)
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
function toTaskOwnerFlags(taskId: string, { userId, petId }: TaskOwner): string {
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

/** Waits for a created task if the flags say so, else prints it with the command that waits. */
export async function followCreated(
  connection: ServiceConnection,
  created: { readonly task_id: string; readonly status: string; readonly message?: string },
  flags: TaskFlags,
  findOwner: () => Promise<TaskOwner> = async () => ({}),
): Promise<CommandResult> {
  const isFollowed = flags.wait || flags.out !== undefined
  if (flags.json && !isFollowed) return printAnswer(flags, created, [])
  const owner = await findOwner()
  const { task_id, status, message } = created
  if (isFollowed) return followTask(connection, task_id, { ...flags, ...owner })
  const wait = `${programName()} task wait ${task_id}${toTaskOwnerFlags(task_id, owner)}${connection.flags}`
  return printAnswer(flags, created, [
    `${task_id} ${status}`,
    ...(message ? [message] : []),
    `Wait for it with: ${wait}`,
  ])
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

/** The shortest pause between two reads of a task that this process runs. */
const localPauseMs = 250

/**
 * Returns a sleep between two reads of a task: it lasts as long as the service asks or, if this process runs the task, at most
 * until the worker is idle. It rejects with the reason of `signal` when that is aborted.
 */
export function sleepUntilTaskUpdate({ idle }: Pick<ServiceConnection, 'idle'>, signal: AbortSignal) {
  let waiting: Promise<void> | undefined
  /** Asks again only after the last response: the worker keeps each waiter until then. */
  const untilIdle = (ask: () => Promise<void>) => {
    waiting ??= ask().finally(() => {
      waiting = undefined
    })
    return waiting
  }
  return async (ms: number): Promise<void> => {
    const rest = new AbortController()
    const pause = (pauseMs: number) => delay(pauseMs, undefined, { signal: rest.signal })
    const updates = idle === undefined ? [] : [Promise.all([pause(Math.min(localPauseMs, ms)), untilIdle(idle)])]
    try {
      await untilAborted(Promise.race([pause(ms), ...updates]), signal)
    } finally {
      rest.abort()
    }
  }
}

/** Describes the end of a task for a person: its time, its cost if the key may see it, and the next command. */
async function describeEnd(connection: ServiceConnection, task: TaskRecord): Promise<string[]> {
  const seconds = (Date.parse(task.updated_at) - Date.parse(task.created_at)) / 1000
  const cost = await findCost(connection, task)
  const next = findNext(task)
  const end = [`${seconds.toFixed(1)} s`, ...(cost === undefined ? [] : [dollars(cost)])].join(', ')
  return [`Ended after ${end}.`, ...(next === undefined ? [] : [`Next: ${next}${connection.flags}`])]
}

/** Returns what was paid for the task; undefined if the key may not see it. */
async function findCost(
  connection: ServiceConnection,
  { request_id, task_id }: TaskRecord,
): Promise<number | undefined> {
  try {
    const { task } = await call(connection, 'getRequest', { params: { request_id } })
    return task?.task_id === task_id ? task.usage.reduce((sum, { cost }) => sum + cost, 0) : undefined
  } catch (error) {
    // The key is not that of an admin, or the log has dropped the call.
    if (error instanceof Refusal) return undefined
    throw error
  }
}

function findNext({ task_id, request_id, status }: TaskRecord): string | undefined {
  if (status !== 'success') return `${programName()} logs --request-id ${quote(request_id)}`
  return task_id.startsWith('avatar_') ? `${programName()} animation generate ${task_id} --wait` : undefined
}

/** Shows the progress of a task on standard error: updates lines in place on a terminal, else prints a line when a unit ends. */
async function startTaskProgress(): Promise<TaskProgress> {
  const { stderr } = process
  // Without a width, the spinner would clear lines without end.
  if (!stderr.isTTY || stderr.columns < 40) return startLines()
  // Loaded only on a terminal.
  const { startSpinner } = await import('./spinner.js')
  return startSpinner(stderr)
}

function startLines(): TaskProgress {
  const printed = new Set<string>()
  return {
    update(task) {
      for (const [name, unit] of listUnits(task)) {
        if (printed.has(name) || !['success', 'failed'].includes(unit.status)) continue
        printed.add(name)
        process.stderr.write(`${describeUnit(name, unit)}\n`)
      }
    },
    warn: (message) => printProblem({ message }),
    stop() {},
  }
}
