import { setTimeout as delay } from 'node:timers/promises'
import type { Insertable, Kysely, Transaction } from 'kysely'
import { isUnavailable, SvcError } from '../../errors.js'
import type { IdempotentAnswer } from '../../ports/idempotency.js'
import { firstUnitMsAtMost, type NewTask, type TaskStore, type UnitView } from '../../ports/tasks.js'
import { createAppender } from './appender.js'
import { takeGroup } from './batch.js'
import { type Creation, createBudgets, type SerializedTask, toReservations } from './budgets.js'
import { giveUpMs, toUsageRow, writeAgainMs } from './called-writes.js'
import type { StoreParts } from './database.js'
import { countDiaryTasks } from './diary.js'
import type { Engine } from './engine.js'
import { claimSharedPicture } from './shared-pictures.js'
import type { Tables } from './tables.js'
import { toUnitId } from './task-row.js'

/** Keeps a commit within a few milliseconds. */
const tasksPerGroup = 64
const rowsPerInsert = [64, 16, 4, 1]

interface PendingCreation extends Creation {
  resolve(): void
  reject(error: unknown): void
}

/**
 * Creates tasks in groups: the requests of one event-loop turn share a commit, which costs more than the rows. A request
 * that fails does not fail the others.
 */
export function createTaskCreators({
  db,
  engine,
  runDurably,
  commit,
  isCommitUnknown = () => false,
  flush,
  onGroupWritten,
}: StoreParts): Pick<TaskStore, 'createTask' | 'createSharedTask'> {
  const insert = createInsert(db, engine)
  const insertAll = (group: readonly Creation[]) => db.transaction().execute((tx) => insert(tx, group))
  let waiting: PendingCreation[] = []
  let writing = false

  async function writeWaiting(): Promise<void> {
    const group = takeGroup(waiting, ({ tasks }) => tasks.length, tasksPerGroup)
    waiting = waiting.slice(group.length)
    await write(group)
    await onGroupWritten()
    writing = waiting.length > 0
    if (writing) setImmediate(writeWaiting)
  }

  async function write(group: readonly PendingCreation[]): Promise<void> {
    try {
      const refused = await commit(() => insertAll(group))
      void answer(group, refused)
    } catch (error) {
      if (isCommitUnknown(error)) for (const creation of group) void writeAgain(creation)
      // If the database is unavailable, retrying each alone would only wait for its lock again.
      else if (group.length === 1 || isUnavailable(error)) for (const creation of group) creation.reject(error)
      else for (const creation of group) await write([creation])
    }
  }

  /**
   * Writes a creation again whose commit may have succeeded. While that commit runs, the rows of the second one wait for it,
   * by their IDs or the idempotency key.
   */
  async function writeAgain(creation: PendingCreation): Promise<void> {
    const giveUpAt = performance.now() + giveUpMs
    let failure: unknown
    do {
      try {
        if (await isCommitted(creation)) return creation.resolve()
        const refusal = await commit(() => insertAll([creation])).then(
          (refused) => refused.get(creation),
          (error) => error,
        )
        if (refusal === undefined || (await isCommitted(creation))) return creation.resolve()
        if (!isUnavailable(refusal)) return creation.reject(refusal)
        failure = refusal
      } catch (error) {
        failure = error
      }
      await delay(writeAgainMs)
    } while (performance.now() < giveUpAt)
    creation.reject(toUnknown(failure))
  }

  async function isCommitted({ tasks }: Creation): Promise<boolean> {
    const id = tasks[0]?.task.id ?? ''
    return (await commit(() => db.selectFrom('tasks').select('id').where('id', '=', id).execute())).length > 0
  }

  /** Not awaited by the next group, which is committed meanwhile. */
  async function answer(group: readonly PendingCreation[], refused: ReadonlyMap<Creation, SvcError>): Promise<void> {
    const failure = await flush().catch((error: unknown) => toUnknown(error))
    for (const creation of group) {
      const refusal = refused.get(creation) ?? failure
      if (refusal === undefined) creation.resolve()
      else creation.reject(refusal)
    }
  }

  return {
    createTask: (task, endpoint, answer, children = []) =>
      new Promise((resolve, reject) => {
        waiting.push({ ...toCreation([task, ...children], endpoint, answer), resolve, reject })
        if (writing) return
        writing = true
        setImmediate(writeWaiting)
      }),
    // Not grouped: a transaction locks at most one shared picture, so transactions cannot deadlock.
    async createSharedTask(task, lostId) {
      const creation = toCreation([{ ...task, isAwaited: true }], null)
      const other = await runDurably(() =>
        db.transaction().execute(async (tx) => {
          const existing = await claimSharedPicture(tx, engine, task, lostId)
          if (existing !== undefined) return existing
          const refusal = (await insert(tx, [creation])).get(creation)
          if (refusal !== undefined) throw refusal
          return undefined
        }),
      )
      return other ?? task.id
    },
  }
}

/** The task may exist, although its caller gets an error. */
function toUnknown(cause: unknown): SvcError {
  const message = 'The service lost its database while it created the task. The task may exist. Try again later.'
  return new SvcError('unavailable', message, { cause, isOutcomeUnknown: true })
}

function toCreation(tasks: readonly NewTask[], endpoint: string | null, answer?: IdempotentAnswer): Creation {
  return {
    tasks: tasks.map((task) => ({ task, inputText: JSON.stringify(task.input) })),
    endpoint,
    answer,
    answerText: JSON.stringify(answer?.body ?? null),
  }
}

const keyLost =
  'Another request with this Idempotency-Key was answered meanwhile. Send the request again for its response.'

/** Inserts a group. Returns the errors of creations that exceed a budget or have lost their idempotency key. */
function createInsert(db: Kysely<Tables>, engine: Engine) {
  const insertTasks = createAppender(db, 'tasks', rowsPerInsert)
  const insertUnits = createAppender(db, 'units', rowsPerInsert)
  const insertUsage = createAppender(db, 'usage_entries', rowsPerInsert)
  const budgets = createBudgets()
  const insertReservations = createAppender(db, 'reservations', rowsPerInsert)
  const answer = db
    .updateTable('idempotency_keys')
    .set({ body: '' })
    .where('key', '=', '')
    .where('held_until', '=', 0)
    .where('body', 'is', null)
    .compile()
  async function keepAnswer(tx: Transaction<Tables>, creation: Creation): Promise<SvcError | undefined> {
    if (creation.answer === undefined) return undefined
    const { key, heldUntil } = creation.answer.reservation
    const parameters = [creation.answerText, key, heldUntil.getTime()]
    const { numAffectedRows } = await tx.executeQuery({ ...answer, parameters })
    return numAffectedRows === 1n ? undefined : new SvcError('conflict', keyLost)
  }
  return async (tx: Transaction<Tables>, group: readonly Creation[]): Promise<ReadonlyMap<Creation, SvcError>> => {
    const refused = new Map<Creation, SvcError>()
    for (const turn of await budgets.listTurns(tx, group)) await engine.takeTurn(tx, turn)
    const { now } = await tx.selectNoFrom(engine.now.as('now')).executeTakeFirstOrThrow()
    const checked = budgets.begin(tx, now)
    for (const creation of group) {
      const asked = creation.tasks.map(({ task }) => task)
      const refusal = (await checked.findOverrun(asked)) ?? (await keepAnswer(tx, creation))
      if (refusal === undefined) checked.add(asked)
      else refused.set(creation, refusal)
    }
    const created = refused.size === 0 ? group : group.filter((creation) => !refused.has(creation))
    const tasks = created.flatMap((creation) => creation.tasks)
    await insertTasks(tx, tasks.map(toTaskRow))
    await insertUnits(
      tx,
      tasks.flatMap(({ task }) => toUnitRows(task, now)),
    )
    await insertUsage(tx, created.flatMap(toUsageRows))
    const diaryUsers = tasks.flatMap(({ task }) => (task.kind === 'diary' ? [task.owner.userId] : []))
    await countDiaryTasks(tx, diaryUsers, 1)
    // Last, and in one order: sums by key and by pet are locked for the shortest time.
    const reservations = tasks.flatMap(({ task }) => toReservations(task))
    await insertReservations(tx, reservations.sort(compareOwners))
    return refused
  }
}

function compareOwners(one: Insertable<Tables['reservations']>, other: Insertable<Tables['reservations']>): number {
  const [first, second] = [one, other].map(({ key_id, pet_id }) => `${key_id} ${pet_id}`)
  return first === second ? 0 : (first ?? '') < (second ?? '') ? -1 : 1
}

function toTaskRow({ task, inputText }: SerializedTask): Insertable<Tables['tasks']> {
  const { reused = null, picture } = task
  const status = reused === null ? 'pending' : 'success'
  const units = task.units.map((name): UnitView => ({ name, status, output: reused, failure: null }))
  const createdAt = task.createdAt.getTime()
  return {
    id: task.id,
    kind: task.kind,
    status,
    request_id: task.requestId,
    call_id: task.callId,
    traceparent: task.traceparent ?? null,
    key_id: task.keyId,
    user_id: task.owner.userId,
    pet_id: task.owner.petId,
    missing: JSON.stringify(task.owner.missing),
    provider: task.provider,
    model: task.model,
    parent_id: task.parentId,
    input: inputText,
    units: JSON.stringify(units),
    created_at: createdAt,
    updated_at: createdAt,
    finished_at: reused === null ? 0 : createdAt,
    species: picture?.species ?? null,
    scene_id: picture?.sceneId ?? null,
    recipe: picture?.recipe ?? null,
  }
}

/** Units are claimed in the order of this time, so those that a caller waits for come first. */
export const awaitedRunAt = 0

/** The deadline's duration comes from the caller's clock, its start from the database's. */
function toUnitRows(task: NewTask, now: number): Insertable<Tables['units']>[] {
  if (task.reused !== undefined) return []
  const deadlineAt = now + task.deadlineAt.getTime() - task.createdAt.getTime()
  return task.units.map((name, place) => ({
    id: toUnitId(task.id, place),
    task_id: task.id,
    name,
    provider: task.provider,
    status: 'pending',
    run_at: task.isAwaited ? awaitedRunAt : task.waitsForFirst && place > 0 ? now + firstUnitMsAtMost : now,
    deadline_at: deadlineAt,
  }))
}

/** One row per request, for any number of tasks. */
function toUsageRows({ tasks, endpoint }: Creation): Insertable<Tables['usage_entries']>[] {
  const task = tasks[0]?.task
  return endpoint === null || task === undefined ? [] : [toUsageRow({ ...task, endpoint }, task.model)]
}
