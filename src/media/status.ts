import type { Task, TaskStatus, UnitKind, UnitStatus, UnitView } from '../ports/tasks.js'
import { filesByKind } from './task-inputs.js'

/** True if only deletion can still change the status. Source: gateway contract, 2.3 and 2.5. */
export function isFinalStatus(status: TaskStatus): boolean {
  return finalStatuses.has(status)
}

const finalStatuses: ReadonlySet<TaskStatus> = new Set(['success', 'partial_success', 'failed'])

/** The result of a unit; `partial` if it delivered only some of its files. */
type UnitState = UnitStatus | 'partial'

/**
 * The status of a task, from the results of its units: the first row that lists all of them.
 * @NOTE contract: not shown; a task succeeds if all units do, fails if no unit delivered a file, and is otherwise a
 * partial success. A clip in only one of its formats makes the task a partial success too.
 */
const statuses: readonly (readonly [TaskStatus, readonly UnitState[]])[] = [
  ['success', ['success']],
  ['failed', ['failed']],
  ['partial_success', ['success', 'partial', 'failed']],
  ['pending', ['pending']],
  ['processing', ['pending', 'processing', 'success', 'partial', 'failed']],
]

/** Returns the status of a task of this kind, which has at least one unit. Source: gateway contract, 3. */
export function settleTask(kind: UnitKind, units: readonly UnitView[]): TaskStatus {
  return settle(units.map((unit) => toResult(kind, unit)))
}

/** Returns the status of a diary library from its tasks, by the same rows. */
export function settleLibrary(tasks: readonly Pick<Task, 'status'>[]): TaskStatus {
  return settle(tasks.map(({ status }) => status))
}

function settle(results: readonly (UnitState | TaskStatus)[]): TaskStatus {
  const row = statuses.find(([, among]) => results.every((result) => (among as readonly string[]).includes(result)))
  return row?.[0] ?? 'processing'
}

function toResult(kind: UnitKind, { status, output }: UnitView): UnitState {
  const isWhole = filesByKind[kind].every((role) => output?.files[role] !== undefined)
  return status === 'success' && !isWhole ? 'partial' : status
}
