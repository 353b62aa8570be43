import type { Task, TaskStatus, UnitKind, UnitStatus, UnitView } from '../ports/tasks.js'
import { filesByKind } from './tasks.js'

/** Whether nothing changes a status any more but the deletion of the task. Source: gateway contract, 2.3 and 2.5. */
export function isFinalStatus(status: TaskStatus): boolean {
  return finalStatuses.has(status)
}

const finalStatuses: ReadonlySet<TaskStatus> = new Set(['success', 'partial_success', 'failed'])

/** What a unit came to: one that delivered some of its files only is `partial`. */
type UnitResult = UnitStatus | 'partial'

/**
 * The status of a task from its units: the first row of which all results are among those listed.
 * @NOTE contract: not shown; all units of a task succeed or it is a partial success, and it failed if none delivered
 * anything. A clip of which only one format exists makes the task a partial success too.
 */
const statuses: readonly (readonly [TaskStatus, readonly UnitResult[]])[] = [
  ['success', ['success']],
  ['failed', ['failed']],
  ['partial_success', ['success', 'partial', 'failed']],
  ['pending', ['pending']],
  ['processing', ['pending', 'processing', 'success', 'partial', 'failed']],
]

/** Answers the status of a task of this kind, which has at least one unit. Source: gateway contract, 3. */
export function settleTask(kind: UnitKind, units: readonly UnitView[]): TaskStatus {
  return settle(units.map((unit) => toResult(kind, unit)))
}

/** Answers the status of a diary library from its tasks, by the same rows. */
export function settleLibrary(tasks: readonly Pick<Task, 'status'>[]): TaskStatus {
  return settle(tasks.map(({ status }) => status))
}

function settle(results: readonly (UnitResult | TaskStatus)[]): TaskStatus {
  const row = statuses.find(([, among]) => results.every((result) => (among as readonly string[]).includes(result)))
  return row?.[0] ?? 'processing'
}

function toResult(kind: UnitKind, { status, output }: UnitView): UnitResult {
  const isWhole = filesByKind[kind].every((role) => output?.files[role] !== undefined)
  return status === 'success' && !isWhole ? 'partial' : status
}
