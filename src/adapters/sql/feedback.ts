import { type Kysely, sql } from 'kysely'
import type { Feedback, FeedbackStore } from '../../ports/store.js'
import { createBatch } from './batch.js'
import type { FeedbackRow, StoreParts } from './database.js'
import type { Tables } from './tables.js'

/** Keeps a commit within a few milliseconds. A call has at most 100 rows. */
const rowsPerCommit = 400

export function createFeedbackStore({ db, hotQueries, runDurably }: StoreParts): FeedbackStore {
  const save = createBatch(hotQueries.saveFeedback, { atMost: rowsPerCommit, weigh: ({ length }) => length })
  return {
    saveFeedback(feedback, now) {
      const rows = feedback.map((entry) => toRow(entry, now))
      return runDurably(() => save(rows))
    },
    async listFeedback(objectKeys) {
      if (objectKeys.length === 0) return []
      const rows = await runDurably(() =>
        db.selectFrom('feedback').selectAll().where('object_key', 'in', objectKeys).orderBy('object_key').execute(),
      )
      return rows.map(({ object_key, liked, selected }) => ({
        objectKey: object_key,
        ...(liked === null ? {} : { liked: liked === 1 }),
        ...(selected === null ? {} : { selected: selected === 1 }),
      }))
    },
  }
}

function toRow({ objectKey, liked, selected }: Feedback, now: Date): FeedbackRow {
  return { object_key: objectKey, liked: toFlag(liked), selected: toFlag(selected), updated_at: now.getTime() }
}

function toFlag(value: boolean | undefined): number | null {
  if (value === undefined) return null
  return value ? 1 : 0
}

export function selectPoseImages(db: Kysely<Tables>, objectKeys: readonly string[]) {
  return db.selectFrom('units').select('image_key').where('image_key', 'in', objectKeys)
}

/** A value that is null keeps the stored one. */
export function upsertFeedback(db: Kysely<Tables>, rows: readonly FeedbackRow[]) {
  return db
    .insertInto('feedback')
    .values(rows)
    .onConflict((conflict) =>
      conflict.column('object_key').doUpdateSet({
        liked: sql<number | null>`coalesce(excluded.liked, feedback.liked)`,
        selected: sql<number | null>`coalesce(excluded.selected, feedback.selected)`,
        updated_at: sql<number>`excluded.updated_at`,
      }),
    )
}
