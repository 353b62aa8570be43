import { CompiledQuery, type Kysely } from 'kysely'
import type { Claim, ClaimedUnit, UnitQueue } from '../../../ports/queue.js'
import { fromUnitRow, isWorked, type UnitRow } from '../claims.js'
import type { MovableClock } from '../movable-clock.js'
import { createClockWatch, repairTimes } from '../repair-times.js'
import type { Tables } from '../tables.js'
import { fromTaskRow, type TaskRow } from '../task-row.js'
import type { RunStatement } from './connection.js'
import { nowText, serverNowText, tryTurn } from './engine.js'
import { isCommitUnknown, retryAfterConflict } from './failures.js'
import type { PostgresHolders } from './holders.js'
import { showUnits } from './show-units.js'

/** The interval at which a holder looks for units of holders that are gone. */
const probeMs = 500
/** A holder that did not ask for longer leaves its share to others. */
const askedMs = 2500

/** A row without a unit tells that a lease has expired. */
type ClaimRow = { readonly expired: boolean } & (
  | { readonly unit_id: null }
  | (TaskRow & Omit<UnitRow, 'id'> & { readonly unit_id: string })
)

interface ClaimParts {
  readonly db: Kysely<Tables>
  readonly run: RunStatement
  readonly holders: PostgresHolders
  readonly clock: MovableClock
}

/**
 * Claims with one statement for a provider whose slots count per holder, and in a turn of the provider otherwise. A turn
 * that another process has is not waited for: the worker polls again soon.
 */
export function createPostgresClaims({ db, run, holders, clock }: ClaimParts): Pick<UnitQueue, 'claimUnits'> {
  let leasesMade = 0
  const isSetBack = createClockWatch()
  const probedAt = new Map<string, number>()
  /** Leases whose claim was not answered: nobody works on their units. */
  const unanswered = new Set<string>()

  /** Makes units due again whose lease has expired or whose holder is gone. */
  async function freeLost(holderId: string): Promise<void> {
    const living = [holderId, ...holders.ownIds()]
    await retryAfterConflict(() => run(freeText, [holders.goneAfterMs(), living, [...unanswered]]))
    unanswered.clear()
  }

  async function hasLost(holderId: string): Promise<boolean> {
    if (performance.now() < (probedAt.get(holderId) ?? 0)) return false
    probedAt.set(holderId, performance.now() + probeMs)
    if (unanswered.size > 0) return true
    const living = [holderId, ...holders.ownIds()]
    const found = await retryAfterConflict(() => run(findLostText, [holders.goneAfterMs(), living]))
    return found.length > 0
  }

  async function claim(provider: string, limit: number, claim: Claim): Promise<ClaimRow[]> {
    const lease = `${claim.holderId}:${++leasesMade}:`
    const isOwn = claim.ownSlots?.[provider] !== undefined
    const slots = (isOwn ? claim.ownSlots : claim.slots)?.[provider] ?? 0
    const of = [provider, claim.holderId, lease, claim.leaseMs, limit]
    const values = [...of, isOwn ? slots : null, isOwn ? null : slots, JSON.stringify(provider), askedMs]
    try {
      if (isOwn) return await retryAfterConflict(() => run<ClaimRow>(claimText, values))
      return await retryAfterConflict(() =>
        db.transaction().execute(async (tx) => {
          if (!(await tryTurn(tx, `claims of ${provider}`))) return []
          return (await tx.executeQuery(CompiledQuery.raw(claimText, values))).rows as ClaimRow[]
        }),
      )
    } catch (error) {
      if (isCommitUnknown(error)) unanswered.add(lease)
      throw error
    }
  }

  /** Makes work due again that a clock of the server which was set back would delay. */
  async function checkClock(leaseMs: number): Promise<void> {
    const now = clock.now()
    if (isSetBack(now)) await retryAfterConflict(() => db.transaction().execute((tx) => repairTimes(tx, now, leaseMs)))
  }

  async function claimAll(asked: Claim): Promise<ClaimRow[]> {
    const rows: ClaimRow[] = []
    const providers = [...Object.keys(asked.slots), ...Object.keys(asked.ownSlots ?? {})]
    holders.ask(asked.holderId, providers)
    // Units past their deadline are claimed with those of any provider.
    for (const provider of providers.length > 0 ? providers : ['']) {
      const limit = asked.limit - rows.filter(({ unit_id }) => unit_id !== null).length
      if (limit > 0) rows.push(...(await claim(provider, limit, asked)))
    }
    return rows
  }

  return {
    async claimUnits(asked) {
      await checkClock(asked.leaseMs)
      if (await hasLost(asked.holderId)) await freeLost(asked.holderId)
      let rows = await claimAll(asked)
      if (rows.some(({ expired, unit_id }) => expired && unit_id === null)) {
        await freeLost(asked.holderId)
        rows = [...rows, ...(await claimAll({ ...asked, limit: asked.limit - countUnits(rows) }))]
      }
      return rows.flatMap((row) => (row.unit_id === null ? [] : toClaimedUnit(row)))
    },
  }
}

function countUnits(rows: readonly ClaimRow[]): number {
  return rows.filter(({ unit_id }) => unit_id !== null).length
}

function toClaimedUnit(row: Exclude<ClaimRow, { unit_id: null }>): ClaimedUnit[] {
  const task = fromTaskRow(row)
  return isWorked(task) ? [{ ...fromUnitRow({ ...row, id: row.unit_id }), task }] : []
}

// `+ 0` keeps the planner from the index of deadlines, with which it would sort the whole queue.
const isDue = `status = 'pending' and provider = $1 and run_at <= ${nowText} and deadline_at + 0 > ${nowText}`

/**
 * $1 provider, $2 holder, $3 lease, $4 its milliseconds, $5 limit, $6 slots of the holder or null, $7 slots of all holders or
 * null, $8 the provider as JSON, $9 the time for which a holder counts that asked. The conditions on statuses are literals:
 * the planner must see that they match partial indexes.
 */
export const claimText = `
  with overdue as materialized (
    select id from units where status = 'pending' and deadline_at <= ${nowText}
      order by deadline_at, id limit $5 for update skip locked
  ),
  busy as materialized (
    select count(*) as total, count(*) filter (where holder_id = $2) as own
      from units where status = 'processing' and provider = $1
  ),
  share as materialized (
    select case when $7::int is null then null else ceil($7::numeric / (1 + (
      select count(*) from holders where id <> $2 and beat_at > ${serverNowText} - $9::bigint
        and asked_at > ${serverNowText} - $9::bigint and position($8 in asks) > 0))) end as units
  ),
  trial as materialized (
    select case when open_until > ${nowText} then 0 else greatest(0, 1 - (
      select count(*) from units where status = 'processing' and units.provider = $1 and claimed_at >= open_until)) end as units
      from breakers where provider = $1
  ),
  room as materialized (
    select greatest(0, least($5 - (select count(*) from overdue), $6::int - own, $7::int - total,
      (select units from share) - own, (select units from trial))) as units from busy
  ),
  due as materialized (
    select id from units where ${isDue} order by run_at, id limit (select units from room) for update skip locked
  ),
  claimed as (
    update units set status = 'processing', claims = claims + 1, claimed_at = ${nowText}, lease = $3 || units.id,
      lease_expires_at = ${nowText} + $4::bigint, holder_id = $2
      where units.id = any (array (select id from overdue union all select id from due)) returning units.*
  ),
  ${showUnits('claimed', 'processing', "'processing'")}
  select expired, claimed.id as unit_id, claimed.task_id, claimed.name, claimed.claims, claimed.attempts, claimed.lease,
      claimed.memo, claimed.run_at, claimed.deadline_at, shown.*
    from (select exists (select from units where status = 'processing' and lease_expires_at <= ${nowText}) as expired) as leases
    left join (claimed join tasks_shown as shown on shown.id = claimed.task_id) on true
    order by claimed.run_at, claimed.id`

/** $1 the time after which a holder is gone, $2 the holders of this process. */
const isLost = `status = 'processing' and holder_id <> all ($2::text[]) and not exists (
  select from holders where holders.id = units.holder_id and beat_at > ${serverNowText} - $1::bigint)`

const findLostText = `select 1 from units where ${isLost} limit 1`

/** $3 beginnings of leases. */
const freeText = `
  with freed as (
    update units set status = 'pending', lease = null, holder_id = null
      where id = any (array (
        select id from units where status = 'processing' and (
          lease_expires_at <= ${nowText} or (${isLost})
          or exists (select from unnest($3::text[]) as unanswered (lease) where starts_with(units.lease, unanswered.lease)))
        order by id for update))
      returning task_id, name
  ),
  ${showUnits('freed', 'pending', 'tasks.status')}
  select id from tasks_shown`
