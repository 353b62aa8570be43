import { type RawBuilder, sql } from 'kysely'
import type { LoggedCall } from '../../ports/requests.js'
import type { TaskKind } from '../../ports/tasks.js'

/** What a call created, and by what it is known to be that call's. */
export interface CreatedRow {
  readonly request_id: string
  readonly key_id: string
  readonly endpoint: string
  readonly created_at: number
  readonly pet_id: string
}

export interface CreatedTask extends CreatedRow {
  readonly id: string
}

/** Between clocks that are read one after the other. */
const slackMs = 2

const endpoints: Readonly<Record<TaskKind, string>> = {
  avatar: 'pet-avatar',
  animation: 'pet-animation',
  diary: 'pet-diary',
  diary_library: 'pet-diary',
}

/** The usage that was booked while these calls ran, under their IDs and keys. */
export function selectBooked(calls: readonly LoggedCall[]): RawBuilder<CreatedRow> {
  return selectCreated(calls, 'usage_entries', sql`endpoint`)
}

/** The tasks that were created so. A library comes with its tasks, of which it is the parent: it is what was asked for. */
export function selectTasks(calls: readonly LoggedCall[]): RawBuilder<CreatedTask> {
  const kinds = Object.entries(endpoints).map(([kind, endpoint]) => sql`when ${kind} then ${endpoint}`)
  const columns = sql`case kind ${sql.join(kinds, sql` `)} end as endpoint, id`
  return selectCreated(calls, 'tasks', columns, sql`and (kind <> 'diary' or parent_id is null)`)
}

/** There is no index by request alone, but the calls of a list came one after the other. Some rows may be of none of them. */
function selectCreated<Row extends CreatedRow>(
  calls: readonly LoggedCall[],
  table: 'tasks' | 'usage_entries',
  columns: RawBuilder<unknown>,
  condition = sql``,
): RawBuilder<Row> {
  const [ids, keys] = [calls.map(({ requestId }) => requestId), calls.map(({ keyId }) => keyId)]
  return sql`
    with spans (since, until) as (values ${sql.join(mergeSpans(calls).map(toSpanRow))})
    select request_id, key_id, created_at, pet_id, ${columns} from spans
    cross join ${sql.table(table)} where created_at between since and until
    and request_id in (${sql.join([...new Set(ids)])}) and key_id in (${sql.join([...new Set(keys)])}) ${condition}`
}

/** Gives each call the row that was made nearest to its receipt; no row to two calls. */
export function pairNearest<Row extends CreatedRow>(
  calls: readonly LoggedCall[],
  rows: readonly Row[],
): ReadonlyMap<LoggedCall, Row> {
  const pairs = new Map<LoggedCall, Row>()
  if (rows.length === 0) return pairs
  // What was made at one time is in one order in all tables: a call gets its pet and its task from the same one.
  const inOrder = [...rows].sort((one, other) => one.created_at - other.created_at || compare(one.pet_id, other.pet_id))
  const rowsByName = groupBy(inOrder, (row) => toName(row.request_id, row.key_id, row.endpoint))
  const callsByName = groupBy(calls, ({ requestId, keyId, endpoint }) => toName(requestId, keyId, endpoint))
  for (const [name, created] of rowsByName) {
    const alike = callsByName.get(name) ?? []
    const taken = new Set<Row>()
    const choices = alike.flatMap((call) => listNearest(created, call, alike.length))
    for (const { call, row } of choices.sort((one, other) => one.gap - other.gap)) {
      if (pairs.has(call) || taken.has(row)) continue
      pairs.set(call, row)
      taken.add(row)
    }
  }
  return pairs
}

/** None of them holds a space. */
function toName(requestId: string, keyId: string, endpoint: string): string {
  return `${requestId} ${keyId} ${endpoint}`
}

/** The rows of a call's time, which are in order, on either side of its receipt: as many as other calls may take, and one. */
function listNearest<Row extends CreatedRow>(rows: readonly Row[], call: LoggedCall, count: number) {
  const receivedAt = call.receivedAt.getTime()
  const { since, until } = toSpan(call)
  const after = rows.findIndex((row) => row.created_at >= receivedAt)
  const middle = after === -1 ? rows.length : after
  return rows
    .slice(Math.max(0, middle - count), middle + count)
    .filter((row) => row.created_at >= since && row.created_at <= until)
    .map((row) => ({ call, row, gap: Math.abs(row.created_at - receivedAt) }))
}

/** Epoch milliseconds. */
interface Span {
  readonly since: number
  readonly until: number
}

function toSpan({ receivedAt, answeredAt }: LoggedCall): Span {
  return { since: receivedAt.getTime() - slackMs, until: answeredAt.getTime() }
}

/** The times of the calls, of which those that touch are one. */
function mergeSpans(calls: readonly LoggedCall[]): Span[] {
  const spans: Span[] = []
  for (const { since, until } of calls.map(toSpan).sort((one, other) => one.since - other.since)) {
    const last = spans.at(-1)
    if (last === undefined || since > last.until) spans.push({ since, until })
    else if (until > last.until) spans[spans.length - 1] = { since: last.since, until }
  }
  return spans
}

function toSpanRow({ since, until }: Span): RawBuilder<unknown> {
  return sql`(cast(${since} as bigint), cast(${until} as bigint))`
}

function groupBy<T>(items: readonly T[], nameOf: (item: T) => string): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>()
  for (const item of items) {
    const name = nameOf(item)
    const group = groups.get(name)
    if (group === undefined) groups.set(name, [item])
    else group.push(item)
  }
  return groups
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0
}
