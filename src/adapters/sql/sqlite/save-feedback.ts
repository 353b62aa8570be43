import type { Kysely } from 'kysely'
import type { HotQueries } from '../database.js'
import { type FeedbackRow, selectPoseImages, toFeedbackRow, upsertFeedback } from '../feedback.js'
import type { Tables } from '../tables.js'
import type { Connection } from './driver.js'

/** Keeps a commit within a few milliseconds. A call has at most 100 rows. */
const rowsPerCommit = 400

interface Saving {
  readonly rows: readonly FeedbackRow[]
  resolve(unknownKeys: string[]): void
  reject(error: unknown): void
}

/** Saves the feedback of all calls of one event-loop turn in one commit, which costs more than their rows. */
export function createSaveFeedback(db: Kysely<Tables>, database: Connection): HotQueries['saveFeedback'] {
  const saveAll = createSaveAll(db, database)
  const waiting: Saving[] = []

  async function saveWaiting(): Promise<void> {
    let rowsLeft = rowsPerCommit
    const end = waiting.findIndex(({ rows }) => {
      rowsLeft -= rows.length
      return rowsLeft < 0
    })
    const group = waiting.splice(0, end === -1 ? waiting.length : Math.max(1, end))
    if (waiting.length > 0) setImmediate(saveWaiting)
    try {
      // Waits for a running transaction on the same connection.
      const unknown = await db.connection().execute(async () => saveAll(group))
      for (const [place, { resolve }] of group.entries()) resolve(unknown[place] ?? [])
    } catch (error) {
      for (const { reject } of group) reject(error)
    }
  }

  return (feedback, now) =>
    new Promise((resolve, reject) => {
      const saving = { rows: feedback.map((entry) => toFeedbackRow(entry, now)), resolve, reject }
      if (waiting.push(saving) === 1) setImmediate(saveWaiting)
    })
}

/** Returns a function that saves groups of rows in one transaction, and returns the unknown keys of each. */
function createSaveAll(db: Kysely<Tables>, database: Connection): (group: readonly Saving[]) => string[][] {
  const example: FeedbackRow = { object_key: '', liked: null, selected: null, updated_at: 0 }
  const find = database.prepare<unknown[]>(selectPoseImages(db, ['']).compile().sql)
  const save = database.prepare<unknown[]>(upsertFeedback(db, [example]).compile().sql)
  return database.transaction((group: readonly Saving[]) =>
    group.map(({ rows }) => {
      const unknown = rows.map(({ object_key }) => object_key).filter((key) => find.get(key) === undefined)
      if (unknown.length === 0) for (const row of rows) save.run(Object.values(row))
      return unknown
    }),
  ).immediate
}
