import { setTimeout as delay } from 'node:timers/promises'
import type { Insertable, Transaction } from 'kysely'
import { isUnavailable } from '../../errors.js'
import type { UsageRecord } from '../../ports/usage.js'
import type { StoreParts } from './database.js'
import type { Tables } from './tables.js'

/** After the response to a commit was lost: a database that restarts is back within a few seconds. */
export const [writeAgainMs, giveUpMs] = [500, 10_000]

export interface CalledWrite<T> {
  readonly usage: UsageRecord
  /** Inserts rows, and leaves those that exist. It waits for a commit of the same rows that still runs. */
  insert(tx: Transaction<Tables>): Promise<void>
  /** Reads the result in the transaction. */
  read(tx: Transaction<Tables>): Promise<T>
}

/**
 * Writes the rows of a call and books it, in one transaction. If the response to the commit is lost, it is written again, unless
 * the call is booked: nothing is stored or booked twice. Gives up after ten seconds of outage.
 */
export function createCalledWriter({ db, runDurably, isCommitUnknown = () => false }: StoreParts) {
  return async <T>({ usage, insert, read }: CalledWrite<T>): Promise<T> => {
    const write = (isRetry: boolean) =>
      runDurably(() =>
        db.transaction().execute(async (tx) => {
          await insert(tx)
          if (!(isRetry && (await isBooked(tx, usage.callId)))) {
            await tx.insertInto('usage_entries').values(toUsageRow(usage)).execute()
          }
          return read(tx)
        }),
      )
    const giveUpAt = performance.now() + giveUpMs
    for (let mayBeWritten = false; ; ) {
      try {
        return await write(mayBeWritten)
      } catch (error) {
        mayBeWritten ||= isCommitUnknown(error)
        if (!mayBeWritten || !isUnavailable(error) || performance.now() > giveUpAt) throw error
      }
      await delay(writeAgainMs)
    }
  }
}

/** `model` is that of the tasks that the call created. */
export function toUsageRow(record: UsageRecord, model = ''): Insertable<Tables['usage_entries']> {
  return {
    request_id: record.requestId,
    call_id: record.callId,
    key_id: record.keyId,
    endpoint: record.endpoint,
    user_id: record.owner.userId,
    pet_id: record.owner.petId,
    missing_id: record.owner.missing.length > 0 ? 1 : 0,
    created_at: record.createdAt.getTime(),
    missing: JSON.stringify(record.owner.missing),
    model,
  }
}

async function isBooked(tx: Transaction<Tables>, callId: string): Promise<boolean> {
  return (await tx.selectFrom('usage_entries').select('call_id').where('call_id', '=', callId).execute()).length > 0
}
