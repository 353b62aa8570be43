import type { TaskRow } from '../task-row.js'

/** A task's row, and the transaction that wrote it. */
export type VersionedTask = TaskRow & { readonly version: string }

/** A unit in work. */
export interface LeasedUnit {
  readonly id: string
  readonly task_id: string
  readonly name: string
  readonly claims: number
  readonly lease: string
  /** The amount that is reserved for the unit; null without a reservation. */
  readonly reserved: number | null
}

export interface KnownTasks {
  find(lease: string): { readonly unit: LeasedUnit; readonly task: VersionedTask } | undefined
  keep(unit: LeasedUnit, task: VersionedTask): void
  /** Replaces the row of a task that has units here. */
  update(task: VersionedTask): void
  forget(lease: string): void
}

/**
 * The units in work in this process, with their tasks as last seen: most results can be written without reading first. A
 * row may be outdated; its version tells.
 */
export function createKnownTasks(): KnownTasks {
  const units = new Map<string, LeasedUnit>()
  const tasks = new Map<string, { task: VersionedTask; leases: number }>()

  function forget(lease: string): void {
    const taskId = units.get(lease)?.task_id ?? ''
    const entry = tasks.get(taskId)
    if (!units.delete(lease) || entry === undefined) return
    entry.leases--
    if (entry.leases === 0) tasks.delete(taskId)
  }

  return {
    find(lease) {
      const unit = units.get(lease)
      const entry = unit && tasks.get(unit.task_id)
      return unit && entry && { unit, task: entry.task }
    },
    keep(unit, task) {
      forget(unit.lease)
      units.set(unit.lease, unit)
      const entry = tasks.get(task.id) ?? { task, leases: 0 }
      tasks.set(task.id, { task, leases: entry.leases + 1 })
    },
    update(task) {
      const entry = tasks.get(task.id)
      if (entry !== undefined) entry.task = task
    },
    forget,
  }
}
