import { type Kysely, sql } from 'kysely'
import type { FeedbackStore } from '../../ports/feedback.js'
import type { RetryWhileBusy } from './database.js'
import type { Tables } from './tables.js'

/** `commit` does not wait for the disk, as `retryWhileBusy` does. */
export function createFeedbackStore(
  db: Kysely<Tables>,
  retryWhileBusy: RetryWhileBusy,
  commit: RetryWhileBusy,
): FeedbackStore {
  return {
    async findPoseImages(objectKeys) {
      if (objectKeys.length === 0) return new Set()
      // The feedback itself waits for the disk.
      const rows = await commit(() =>
        db.selectFrom('units').select('image_key').where('image_key', 'in', objectKeys).execute(),
      )
      return new Set(rows.flatMap(({ image_key }) => image_key ?? []))
    },
    async saveFeedback(feedback, now) {
      if (feedback.length === 0) return
      await retryWhileBusy(() =>
        db
          .insertInto('feedback')
          .values(
            feedback.map(({ objectKey, liked, selected }) => ({
              object_key: objectKey,
              liked: toFlag(liked),
              selected: toFlag(selected),
              updated_at: now.getTime(),
            })),
          )
          .onConflict((conflict) =>
            conflict.column('object_key').doUpdateSet({
              liked: sql<number | null>`coalesce(excluded.liked, feedback.liked)`,
              selected: sql<number | null>`coalesce(excluded.selected, feedback.selected)`,
              updated_at: now.getTime(),
            }),
          )
          .execute(),
      )
    },
    async listFeedback(objectKeys) {
      if (objectKeys.length === 0) return []
      const rows = await retryWhileBusy(() =>
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

function toFlag(value: boolean | undefined): number | null {
  if (value === undefined) return null
  return value ? 1 : 0
}
