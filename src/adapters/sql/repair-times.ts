import { sql, type Transaction } from 'kysely'
import { firstUnitMsAtMost } from '../../ports/tasks.js'
import { openMsAtMost } from './breakers.js'
import type { Tables } from './tables.js'

/** After the clock was set back, a retry that would wait for longer is due at once. */
const retryMsAtMost = 600_000
/** A smaller step back is ignored: it is the correction of a synchronized clock. */
const jumpMs = 1000

/**
 * Returns a function that compares the database's time with the time that has passed in this process. It returns true on
 * its first call, because the clock may have been set back before, and after the clock was set back.
 */
export function createClockWatch(elapsed: () => number = () => performance.now()): (now: number) => boolean {
  let offset: number | undefined
  return (now) => {
    const before = offset
    offset = now - elapsed()
    return before === undefined || offset < before - jumpMs
  }
}

export type LeaseWatch = ReturnType<typeof createLeaseWatch>

/**
 * Finds the leases that are lost although their holder lives. All leases expire when the clock is set forward, and a unit of a living holder must not be bought twice. A holder renews
 * its leases each third of their time: one that is not renewed within half of it, by the time that has passed in this
 * process, is lost.
 */
export function createLeaseWatch(elapsed: () => number = () => performance.now()) {
  let seenAt = new Map<string, number>()
  return {
    /** Returns those of the expired leases that their holder has had time to renew. */
    findLost(expired: readonly string[], leaseMs: number): ReadonlySet<string> {
      const now = elapsed()
      seenAt = new Map(expired.map((lease) => [lease, seenAt.get(lease) ?? now]))
      return new Set(expired.filter((lease) => now - (seenAt.get(lease) ?? now) >= leaseMs / 2))
    },
  }
}

/** A unit may wait for the first of its task, whose end makes it due. The ID is that of `toUnitId`. */
const waitsForFirst = sql<boolean>`exists (
  select 1 from units as opener
  where opener.id = units.task_id || '/000' and opener.id <> units.id and opener.status in ('pending', 'processing')
)`

/**
 * Shortens times that are further in the future than the program sets them: new and released units are due at once, and those
 * that wait for the first wait no longer than new ones. The clock of the process that made a task may be a little ahead.
 */
export async function repairTimes(tx: Transaction<Tables>, now: number, leaseMs: number): Promise<void> {
  // Literals, not parameters: the engine must see that the condition matches a partial index.
  await tx
    .updateTable('units')
    .set({
      run_at: sql<number>`case when ${waitsForFirst} then ${sql.lit(now + firstUnitMsAtMost)} else ${sql.lit(now)} end`,
    })
    .where(sql<boolean>`status = 'pending'`)
    .where('run_at', '>', now)
    .where((where) => where.or([where('attempts', '=', 0), where('run_at', '>', now + retryMsAtMost)]))
    .where(sql<boolean>`(run_at > ${now + firstUnitMsAtMost} or not ${waitsForFirst})`)
    .execute()
  // The unit was due when it was claimed, and must be due when its lease is lost.
  await tx
    .updateTable('units')
    .set({ run_at: now })
    .where(sql<boolean>`status = 'processing'`)
    .where('run_at', '>', now)
    .execute()
  await tx
    .updateTable('units')
    .set({ lease_expires_at: now + leaseMs })
    .where(sql<boolean>`status = 'processing'`)
    .where('lease_expires_at', '>', now + leaseMs)
    .execute()
  await tx
    .updateTable('breakers')
    .set({ open_until: now + openMsAtMost })
    .where('open_until', '>', now + openMsAtMost)
    .execute()
  await tx
    .updateTable('faults')
    .set({ created_at: now, expires_at: sql<number>`${now} + expires_at - created_at` })
    .where('created_at', '>', now)
    .execute()
}
