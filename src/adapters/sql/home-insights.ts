import type { Selectable } from 'kysely'
import type { HomeInsightStore, InsightCard } from '../../ports/home-insights.js'
import { createCalledWriter } from './called-writes.js'
import type { StoreParts } from './database.js'
import { readPage } from './pages.js'
import type { Tables } from './tables.js'

type Row = Tables['home_insights']

export function createHomeInsightStore(parts: StoreParts): HomeInsightStore {
  const { db, runDurably } = parts
  const save = createCalledWriter(parts)
  return {
    saveInsights(cards, usage) {
      return save({
        usage,
        async insert(tx) {
          if (cards.length === 0) return
          await tx
            .insertInto('home_insights')
            .values(cards.map(toRow))
            .onConflict((conflict) => conflict.column('id').doNothing())
            .execute()
        },
        async read(tx) {
          if (cards.length === 0) return []
          const ids = cards.map(({ id }) => id)
          const rows = await tx.selectFrom('home_insights').selectAll().where('id', 'in', ids).execute()
          const stored = new Map(rows.map((row) => [row.id, fromRow(row)]))
          return ids.flatMap((id) => stored.get(id) ?? [])
        },
      })
    },
    async findInsight(id) {
      const row = await runDurably(() =>
        db.selectFrom('home_insights').selectAll().where('id', '=', id).executeTakeFirst(),
      )
      return row && fromRow(row)
    },
    async listInsights({ userId, petId }, page, pageSize) {
      const ofUser = db.selectFrom('home_insights').where('user_id', '=', userId)
      const cards = petId === undefined ? ofUser : ofUser.where('pet_id', '=', petId)
      const { total, items } = await readPage(runDurably, cards, 'created_at', { page, pageSize })
      return { total, items: items.map(fromRow) }
    },
  }
}

function toRow(card: InsightCard): Row {
  return {
    id: card.id,
    source: card.source,
    user_id: card.userId,
    pet_id: card.petId,
    locale: card.locale,
    local_date: card.date,
    type: card.type,
    title: card.title,
    body: card.body,
    priority: card.priority,
    created_at: card.createdAt.getTime(),
  }
}

function fromRow(row: Selectable<Row>): InsightCard {
  return {
    id: row.id,
    source: row.source,
    userId: row.user_id,
    petId: row.pet_id,
    locale: row.locale,
    date: row.local_date,
    type: row.type,
    title: row.title,
    body: row.body,
    priority: row.priority,
    createdAt: new Date(row.created_at),
  }
}
