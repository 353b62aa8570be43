import { setTimeout as delay } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import { SvcError } from '../../errors.js'
import { clockIsReal, type ServiceClock } from '../../ports/clock.js'
import type { RunWork } from './database.js'
import type { Engine } from './engine.js'
import { followMs, type MovableClock, settingName } from './movable-clock.js'
import type { Tables } from './tables.js'

/** After this time all processes have read a stored offset. */
const followedMs = followMs + 200

interface ClockParts {
  readonly db: Kysely<Tables>
  readonly engine: Engine
  readonly clock: MovableClock
  readonly runDurably: RunWork
  readonly holders: { hasOthers(): Promise<boolean> }
}

export function createServiceClock({ db, engine, clock, runDurably, holders }: ClockParts): ServiceClock {
  /** Returns the stored value; undefined if there is no offset any more. */
  const store = (change: (offsetMs: number) => number) =>
    db.transaction().execute(async (tx) => {
      await engine.takeTurn(tx, 'clock')
      const row = await tx.selectFrom('settings').select('value').where('name', '=', settingName).executeTakeFirst()
      const offsetMs = Math.round(change(Number(row?.value ?? 0)))
      if (offsetMs === 0) {
        await tx.deleteFrom('settings').where('name', '=', settingName).execute()
        return undefined
      }
      const value = String(offsetMs)
      await tx
        .insertInto('settings')
        .values({ name: settingName, value })
        .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
        .execute()
      return value
    })
  return {
    now: clock.now,
    clockOffsetMs: clock.offsetMs,
    async moveClock(change) {
      if (!clock.mayMove) throw new SvcError('forbidden', clockIsReal)
      clock.move(await runDurably(() => store(change)))
      if (await holders.hasOthers()) await delay(followedMs)
    },
  }
}
