import { setTimeout as delay } from 'node:timers/promises'
import type { TaskTrace } from '../../contract/requests.js'
import { scanLog } from '../../log/read-log.js'
import type { ErrorNote } from '../../log/redact.js'
import type { TaskEntry } from '../../log/request-log.js'
import { settleLibrary } from '../../media/status.js'
import type { DiaryStore } from '../../ports/diary.js'
import type { LogLineStore } from '../../ports/log-lines.js'
import type { ObjectStore } from '../../ports/objects.js'
import type { RequestStore } from '../../ports/store.js'
import type { Task, TaskStore, UnitView } from '../../ports/tasks.js'

export interface TraceParts {
  readonly log: LogLineStore
  readonly store: Pick<RequestStore, 'listLedger'> & Pick<TaskStore, 'findTask'> & Pick<DiaryStore, 'listChildren'>
  readonly objects: Pick<ObjectStore, 'findHead'>
}

type UnitTrace = TaskTrace['units'][number]
type UnitEvent = UnitTrace['events'][number]

const microsPerDollar = 1_000_000
/** Longer than the log takes to write a group. */
const logGroupMs = 100

/** Returns the history of a task; for a library, of all its tasks. Undefined if the task does not exist any more. */
export async function findTaskTrace(parts: TraceParts, taskId: string, now: Date): Promise<TaskTrace | undefined> {
  const task = await parts.store.findTask(taskId)
  if (task === undefined) return undefined
  const children = task.kind === 'diary_library' ? await parts.store.listChildren(taskId) : []
  const tasks = children.length === 0 ? [task] : children
  const finishedAt = findEnd(tasks)
  // Its last log lines may still be waiting.
  if (finishedAt !== undefined && now.getTime() - finishedAt.getTime() < logGroupMs) await delay(logGroupMs)
  const events = await readEvents(parts.log, task, tasks)
  const units = await Promise.all(
    tasks.flatMap((one) => one.units.map((unit) => traceUnit(parts.objects, one, unit, events.get(one.id) ?? []))),
  )
  const ledger = await Promise.all(tasks.map(({ id }) => parts.store.listLedger(id)))
  return {
    task_id: task.id,
    kind: task.kind,
    status: children.length === 0 ? task.status : settleLibrary(children),
    created_at: task.createdAt.toISOString(),
    ...(finishedAt === undefined ? {} : { finished_at: finishedAt.toISOString() }),
    units,
    usage: ledger.flat().map(({ model, quantity, unit, costMicros, certain }) => {
      return { model, quantity, unit, cost: costMicros / microsPerDollar, certain }
    }),
  }
}

/** Returns the latest end if all tasks have ended. */
function findEnd(tasks: readonly Task[]): Date | undefined {
  const ends = tasks.flatMap(({ finishedAt }) => finishedAt?.getTime() ?? [])
  return ends.length === tasks.length ? new Date(Math.max(...ends)) : undefined
}

/** Reads the log lines of these tasks, which one call created. Returns them by task, oldest first. */
async function readEvents(
  log: LogLineStore,
  { requestId }: Task,
  tasks: readonly Task[],
): Promise<ReadonlyMap<string, readonly TaskEntry[]>> {
  const events = new Map<string, TaskEntry[]>(tasks.map(({ id }) => [id, []]))
  const matches = (entry: TaskEntry) => events.has(entry.task_id ?? '')
  const scan = scanLog<TaskEntry>(log, { kind: 'event', id: requestId, matches }, {})
  for (const entry of await scan.next(Number.POSITIVE_INFINITY)) events.get(entry.task_id ?? '')?.push(entry)
  return events
}

async function traceUnit(
  objects: TraceParts['objects'],
  { createdAt }: Task,
  { name, status, output }: UnitView,
  entries: readonly TaskEntry[],
): Promise<UnitTrace> {
  const heads = await Promise.all(Object.values(output?.files ?? {}).map((key) => objects.findHead(key)))
  return {
    unit: name,
    status,
    events: [
      { time: createdAt.toISOString(), event: 'queued', attempt: 0 },
      ...entries.flatMap((entry) => (entry.unit === name ? toEvents(entry) : [])),
    ],
    files: heads.flatMap((head) => (head ? [{ content_type: head.contentType, bytes: head.sizeBytes }] : [])),
  }
}

function toEvents({ time, event, attempt = 0, duration_ms, code, fault, error }: TaskEntry): UnitEvent[] {
  if (event === 'claim_failed' || event === 'deletions_failed') return []
  if (event === 'breaker_opened' || event === 'breaker_closed') return []
  const detail = findDetail(error)
  return [
    {
      ...{ time, event, attempt },
      ...(duration_ms === undefined ? {} : { duration_ms }),
      ...(code && { code }),
      ...(fault && { fault }),
      ...(detail === undefined ? {} : { detail }),
    },
  ]
}

/** Returns the message of a provider, which was redacted before it was logged. Other errors may show internals. */
function findDetail(error: unknown): string | undefined {
  const notes: readonly Partial<ErrorNote>[] = Array.isArray(error) ? error : []
  const { message } = notes.find(({ name }) => name === 'ProviderError') ?? {}
  return typeof message === 'string' ? message : undefined
}
