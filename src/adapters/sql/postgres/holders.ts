import { randomUUID } from 'node:crypto'
import { CompiledQuery } from 'kysely'
import type { Holders } from '../database.js'
import { offsetText } from '../movable-clock.js'
import type { RunStatement } from './connection.js'
import { serverNowText } from './engine.js'
import { retryAfterConflict } from './failures.js'

/** A holder is gone after this time without a beat. A restart of the database takes less. */
const defaultGoneMs = 5000
const beatsUntilGone = 5
/** Rows of holders that are gone are deleted after this time. */
const keptMs = 3_600_000
/** A holder that did not ask for longer leaves its share to others. */
const askedMs = 2500
/** Longer than any holder lives without a beat. */
const neverMs = 10_000_000_000_000

/** The response of the database to a beat. */
export interface Beat {
  readonly now: number
  readonly clock_offset: string | null
}

/** Takes a beat, which was sent at `sentAt` on the monotonic clock. */
export type TakeBeat = (beat: Beat | undefined, sentAt: number) => void

export const readBeatText = `select ${serverNowText} as now, (${offsetText}) as clock_offset`

/** The last request of a holder for units. */
interface Asking {
  at: number
  asks: string
}

/**
 * A holder is a row whose time its process renews every second. `run` uses a connection for holders only, because others may
 * have taken all connections of a pool. Each beat brings the database's time and the offset of its clock to `takeBeat`.
 *
 * A process judges others only after it has reached the database without a gap for as long as a holder takes to be gone:
 * after an outage, the others need that time to renew their rows. A process that was stopped renews its row when it goes on;
 * what it held is fenced by leases.
 */
export function createHolders(run: RunStatement, takeBeat: TakeBeat, goneMs = defaultGoneMs): Holders {
  const beatMs = goneMs / beatsUntilGone
  const own = new Map<string, Asking>()
  const openedAt = performance.now()
  let reachedAt = Number.NEGATIVE_INFINITY
  let reachedSince = Number.POSITIVE_INFINITY
  let timer: NodeJS.Timeout | undefined
  let closed = false

  async function beat(): Promise<void> {
    const sentAt = performance.now()
    // Also without own holders: only who reaches the database may judge.
    const [answer] = own.size > 0 ? await renew([...own]) : await run<Beat>(readBeatText, [])
    if (sentAt - reachedAt > goneMs / 2) reachedSince = sentAt
    reachedAt = sentAt
    takeBeat(answer, sentAt)
  }

  function renew(holders: readonly (readonly [string, Asking])[]): Promise<Beat[]> {
    const now = performance.now()
    return run(renewText, [
      holders.map(([id]) => id),
      holders.map(([, { at }]) => Math.min(neverMs, Math.round(now - at))),
      holders.map(([, { asks }]) => asks),
    ])
  }

  async function beatAgain(): Promise<void> {
    await beat().catch(() => {})
    if (!closed)
      timer = setTimeout(() => {
        beating = beatAgain()
      }, beatMs).unref()
  }
  let beating = beatAgain()

  /** The time after which a holder without a beat counts as gone; `neverMs` while this process may not judge. */
  function goneAfterMs(): number {
    const now = performance.now()
    return now - reachedAt <= goneMs / 2 && now - reachedSince >= goneMs ? goneMs : neverMs
  }

  async function closeOne(id: string): Promise<void> {
    if (own.delete(id)) await retryAfterConflict(() => run('delete from holders where id = $1', [id]))
  }

  return {
    async open(models) {
      const id = `worker_${randomUUID()}`
      const asking = { at: Number.NEGATIVE_INFINITY, asks: '[]' }
      await retryAfterConflict(async () => {
        await renew([[id, asking]])
        await run('update holders set models = $2 where id = $1', [id, models ?? null])
        await run(`delete from holders where beat_at < ${serverNowText} - $1`, [keptMs])
      })
      own.set(id, asking)
      return { id, close: () => closeOne(id) }
    },
    // Told with the next beat.
    ask(id, providers) {
      const asking = own.get(id)
      if (asking === undefined) return
      asking.at = performance.now()
      asking.asks = JSON.stringify(providers)
    },
    async countAsking(tx, id) {
      const text = `select asks from holders where id <> $1 and beat_at > ${serverNowText} - $2 and asked_at > ${serverNowText} - $2`
      const { rows } = await tx.executeQuery(CompiledQuery.raw(text, [id, askedMs]))
      const counts = new Map<string, number>()
      for (const { asks } of rows as { asks: string }[]) {
        for (const provider of JSON.parse(asks) as string[]) counts.set(provider, (counts.get(provider) ?? 0) + 1)
      }
      return counts
    },
    async findAbandoned(ids) {
      const others = ids.filter((id) => !own.has(id))
      if (others.length === 0) return []
      // A holder that was closed has no row.
      const text = `select id from holders where id = any ($1) and beat_at > ${serverNowText} - $2`
      const living = await retryAfterConflict(() => run<{ id: string }>(text, [others, goneAfterMs()]))
      const alive = new Set(living.map(({ id }) => id))
      return others.filter((id) => !alive.has(id))
    },
    async hasOthers() {
      const text = `select id from holders where beat_at > ${serverNowText} - $1`
      const living = await retryAfterConflict(() => run<{ id: string }>(text, [goneMs]))
      return living.some(({ id }) => !own.has(id))
    },
    async countOtherModels(models) {
      const text = `select id from holders where beat_at > ${serverNowText} - $1 and models <> $2`
      const others = await retryAfterConflict(() => run<{ id: string }>(text, [goneMs, models]))
      return others.filter(({ id }) => !own.has(id)).length
    },
    findBeatAgeMs: () => performance.now() - Math.max(reachedAt, openedAt),
    async close() {
      closed = true
      clearTimeout(timer)
      await beating
      for (const id of [...own.keys()]) await closeOne(id)
    },
  }
}

const renewText = `
  insert into holders (id, beat_at, asked_at, asks)
  select id, ${serverNowText}, ${serverNowText} - asked_ms, asks
    from unnest($1::text[], $2::bigint[], $3::text[]) as renewed (id, asked_ms, asks)
  on conflict (id) do update set beat_at = excluded.beat_at, asked_at = excluded.asked_at, asks = excluded.asks
  returning beat_at as now, (${offsetText}) as clock_offset`
