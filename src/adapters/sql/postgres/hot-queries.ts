import { type Insertable, type Kysely, sql, type Transaction } from 'kysely'
import { createAppender } from '../appender.js'
import { createBatch } from '../batch.js'
import type { ArchiveRow, FeedbackRow, HotQueries } from '../database.js'
import { selectPoseImages, upsertFeedback } from '../feedback.js'
import type { Tables } from '../tables.js'
import { taskColumns } from '../task-row.js'
import { isCommitUnknown } from './failures.js'

const tasksPerQuery = 100
const rowsPerInsert = [256, 64, 16, 4, 1]

export function createHotQueries(db: Kysely<Tables>): HotQueries {
  async function findTasks(ids: readonly string[]) {
    const isAsked = sql<boolean>`id = any (${ids})`
    const rows = await db.selectFrom('tasks').select(taskColumns).where(isAsked).execute()
    const byId = new Map(rows.map((row) => [row.id, row]))
    return ids.map((id) => byId.get(id))
  }

  return {
    findTask: createBatch(findTasks, { atMost: tasksPerQuery }),
    saveFeedback: (calls) => db.transaction().execute((tx) => saveFeedback(tx, calls)),
    archive: createArchive(db),
  }
}

async function saveFeedback(tx: Transaction<Tables>, calls: readonly (readonly FeedbackRow[])[]): Promise<string[][]> {
  const images = await selectPoseImages(
    tx,
    calls.flat().map(({ object_key }) => object_key),
  ).execute()
  const known = new Set(images.map(({ image_key }) => image_key))
  const unknown = calls.map((rows) => rows.map(({ object_key }) => object_key).filter((key) => !known.has(key)))
  const saved = new Map<string, FeedbackRow>()
  for (const row of calls.filter((_, place) => unknown[place]?.length === 0).flat()) {
    const { liked = null, selected = null } = saved.get(row.object_key) ?? {}
    saved.set(row.object_key, { ...row, liked: row.liked ?? liked, selected: row.selected ?? selected })
  }
  // In one order, so that no two transactions wait for each other.
  const rows = [...saved.values()].sort((one, other) => (one.object_key < other.object_key ? -1 : 1))
  if (rows.length > 0) await upsertFeedback(tx, rows).execute()
  return unknown
}

/** After a commit whose response was lost, only the rows are written that it did not write. */
function createArchive(db: Kysely<Tables>): HotQueries['archive'] {
  const archive = createAppender(db, 'insight_archive', rowsPerInsert)
  const book = createAppender(db, 'usage_entries', rowsPerInsert)
  let mayBeWritten = false
  return async (rows, endpoint) => {
    try {
      await db.transaction().execute(async (tx) => {
        const left = mayBeWritten ? await dropBooked(tx, rows) : rows
        await archive(tx, left)
        await book(
          tx,
          left.map((row) => toUsageRow(row, endpoint)),
        )
      })
      mayBeWritten = false
    } catch (error) {
      mayBeWritten ||= isCommitUnknown(error)
      throw error
    }
  }
}

async function dropBooked(tx: Transaction<Tables>, rows: readonly ArchiveRow[]): Promise<ArchiveRow[]> {
  const isAsked = sql<boolean>`call_id = any (${rows.map(({ call_id }) => call_id)})`
  const booked = await tx.selectFrom('usage_entries').select('call_id').where(isAsked).execute()
  const known = new Set(booked.map(({ call_id }) => call_id))
  return rows.filter(({ call_id = null }) => !known.has(call_id))
}

function toUsageRow(row: ArchiveRow, endpoint: string): Insertable<Tables['usage_entries']> {
  return {
    request_id: row.request_id,
    call_id: row.call_id,
    key_id: row.key_id,
    endpoint,
    user_id: row.user_hash,
    pet_id: row.pet_hash,
    missing_id: 0,
    created_at: row.generated_at,
  }
}
