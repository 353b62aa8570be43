import type { UnitQueue } from '../../../ports/queue.js'
import { createBatch } from './batch.js'
import type { RunStatement } from './connection.js'
import { retryAfterConflict } from './failures.js'

const memosAtOnce = 100

interface LeasedMemo {
  readonly lease: string
  readonly memo: string
}

/** Saves the memos of concurrent calls in one statement: results that arrive together are also settled together. */
export function createSaveMemo(run: RunStatement): UnitQueue['saveMemo'] {
  const save = createBatch((memos: readonly LeasedMemo[]) => retryAfterConflict(() => saveAll(run, memos)), {
    itemsAtMost: memosAtOnce,
    runsAtMost: 1,
    keyOf: ({ lease }) => lease,
  })
  return (lease, memo) => save({ lease, memo: JSON.stringify(memo) })
}

// Rows are found by an array of leases: for a join, the planner might read the whole table.
const saveText = `
  update units set memo = saved.memo from unnest($1::text[], $2::text[]) as saved (lease, memo)
    where units.lease = any ($1::text[]) and units.lease = saved.lease
    returning units.lease`

async function saveAll(run: RunStatement, memos: readonly LeasedMemo[]): Promise<boolean[]> {
  const values = [memos.map(({ lease }) => lease), memos.map(({ memo }) => memo)]
  const saved = new Set((await run<{ lease: string }>(saveText, values)).map(({ lease }) => lease))
  return memos.map(({ lease }) => saved.has(lease))
}
