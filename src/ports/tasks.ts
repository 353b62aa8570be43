/** Stored tasks and their units. A unit is one pose or scene of a task; its row is the queue. */
import type { IdempotentAnswer } from './idempotency.js'
import type { Spending } from './money.js'

/** The owner of a task. `missing` names the IDs that the caller omitted; `temporary` replaces them. */
export interface Owner {
  readonly userId: string
  readonly petId: string
  readonly missing: readonly ('user_id' | 'pet_id')[]
}

/** The kinds of task that have units. */
export type UnitKind = 'avatar' | 'animation' | 'diary'
/** A diary library has no units: it is the parent of diary tasks, and its status is derived from theirs. */
export type TaskKind = UnitKind | 'diary_library'
export type UnitStatus = 'pending' | 'processing' | 'success' | 'failed'
/** Source: gateway contract, 2.3 and 2.5. */
export type TaskStatus = UnitStatus | 'partial_success' | 'deleting' | 'delete_failed'

/** The result of a unit: object keys by role (`image`, `webp`, `mp4`, `picture`), and the duration of a clip. */
export interface UnitOutput {
  readonly files: Readonly<Record<string, string>>
  readonly durationSeconds?: number
}

/** The reason that a unit failed, for the caller. */
export interface UnitFailure {
  readonly code: string
  /** A sentence for the user, in the locale of the task. */
  readonly message: string
}

/** The copy of a unit's state in its task's row, so that one row is enough to read a task. */
export interface UnitView {
  /** Pose or scene ID. */
  readonly name: string
  readonly status: UnitStatus
  readonly output: UnitOutput | null
  readonly failure: UnitFailure | null
}

export interface Task {
  readonly id: string
  readonly kind: TaskKind
  readonly status: TaskStatus
  /** Request ID of the call that created the task. */
  readonly requestId: string
  /** The position of that call in a trace, as W3C Trace Context defines it. */
  readonly traceparent?: string | undefined
  readonly keyId: string
  readonly owner: Owner
  /** Upstream labels. Source: gateway contract, 2.3. */
  readonly provider: string
  readonly model: string
  /** The parent task: an animation's avatar task, or a diary picture's library task. */
  readonly parentId: string | null
  /** The input of the task. JSON; its shape depends on the kind. */
  readonly input: unknown
  /** In the order of the request. */
  readonly units: readonly UnitView[]
  readonly createdAt: Date
  readonly updatedAt: Date
  /** The time at which the status became final; null until then. */
  readonly finishedAt: Date | null
}

/** After this time, units that wait for the first one go on without it. */
export const firstUnitMsAtMost = 300_000

export type NewTask = Omit<Task, 'status' | 'units' | 'updatedAt' | 'finishedAt'> & {
  /** ID of the call that creates the task. */
  readonly callId: string
  /** Names of the units, in order. */
  readonly units: readonly string[]
  /** A unit that is not final at this time fails. Restarts do not extend it. */
  readonly deadlineAt: Date
  /** True if the other units wait for the end of the first, at most for `firstUnitMsAtMost`. */
  readonly waitsForFirst?: boolean
  /** True if a caller waits for the units: they are claimed before all others. */
  readonly isAwaited?: boolean
  /** Absent if the units are free. */
  readonly spending?: Spending | undefined
  /** For diary tasks only. */
  readonly picture?: PictureTraits
  /** The output of an earlier task that is reused: the task starts as `success`, and nothing is queued or booked. */
  readonly reused?: UnitOutput
}

/** The traits by which diary pictures are found. */
export interface PictureTraits {
  readonly species: string
  readonly sceneId: string
  /** Pictures of one pet with the same recipe are interchangeable. */
  readonly recipe: string
}

/** A diary task for one picture. */
export type NewPicture = NewTask & { readonly picture: PictureTraits }

export interface TaskFilter {
  readonly userId?: string | undefined
  readonly petId?: string | undefined
  readonly status?: TaskStatus | undefined
}

export interface Page<T> {
  readonly total: number
  readonly items: readonly T[]
}

export interface TaskStore {
  /**
   * Inserts the task, its children, their units, one usage entry for the request, and the response, in one durable
   * transaction. Without `endpoint` nothing is booked.
   * Throws `conflict` if the response's reservation has expired and another request has the key, `rate_limit_exceeded` if the
   * expected cost exceeds what a budget leaves (after the payments of its window and the expected cost of unfinished
   * units), and `unavailable` if a budget exists but the cost is unknown.
   */
  createTask(
    task: NewTask,
    endpoint: string | null,
    answer?: IdempotentAnswer,
    children?: readonly NewTask[],
  ): Promise<void>
  /**
   * Creates the task of a shared picture, as `createTask` does without `endpoint`, unless one of the same recipe and
   * provider exists and has not failed. Returns the ID of the existing or created task; concurrent calls in any process get
   * the same ID. Its unit is claimed before all others, since a caller waits. The task `lostId` is ignored: its picture is lost.
   */
  createSharedTask(task: NewPicture, lostId?: string): Promise<string>
  findTask(id: string): Promise<Task | undefined>
  /** Lists the newest tasks of all kinds that match, newest first, then by ID. A library has no status of its own to match. */
  listTasks(filter: TaskFilter, limit: number): Promise<Task[]>
  /** Lists the `success` avatar tasks of a user, latest end first, then by ID. `page` counts from 1. */
  listFinishedAvatars(userId: string, page: number, pageSize: number): Promise<Page<Task>>
  /** Finds the newest animation task of each avatar task. Animations in `deleting` do not count. */
  findNewestAnimations(avatarTaskIds: readonly string[]): Promise<ReadonlyMap<string, Task>>
  /** Sets `deleting` if the status is one of `from`. Returns true if it did. */
  beginDelete(id: string, from: readonly TaskStatus[]): Promise<boolean>
  /** Deletes a task in `deleting` and its units. The ledger keeps its rows. */
  finishDelete(id: string): Promise<void>
  failDelete(id: string): Promise<void>
  /**
   * Takes over the deletions that were started by a process which is gone, and returns their tasks. Only one process gets
   * each.
   */
  takeDeletions(): Promise<Task[]>
}
