import type { StoredInsight } from '../../contract/home.js'
import { SvcError } from '../../errors.js'
import type { HomeCardType } from '../../home/card-types.js'
import { generateHomeCards, type HomeCopy } from '../../home/home.js'
import { defaultLocale } from '../../insight/types.js'
import { temporaryId, toOwner } from '../../media/task-base.js'
import type { HomeInsightStore, InsightCard } from '../../ports/home-insights.js'
import { deriveId } from '../../runtime/ids.js'
import type { Handlers } from '../pipeline/handler.js'
import { presentTimes } from '../present/task.js'

/** Source: gateway contract, 4.15. */
export function createHomeHandlers({ store, copy }: { readonly store: HomeInsightStore; readonly copy: HomeCopy }) {
  return {
    async generateHomeInsights({ key, body, requestId, callId, now }) {
      const petId = body.pet_id ?? body.dailyDiarySnapshot?.petProfile?.petId
      const owner = toOwner({ user_id: body.user_id, pet_id: petId })
      const { pet_name, species, facts } = body
      const locale = body.locale ?? defaultLocale
      const of = { userId: owner.userId, petId: owner.petId, locale, date: body.date ?? now.toISOString().slice(0, 10) }
      const cards = generateHomeCards(
        { ...of, petName: pet_name ?? undefined, species: species ?? undefined, facts: facts ?? {} },
        copy,
      )
      const kept = await store.saveInsights(
        cards.map(({ identity, ...card }) => ({
          id: deriveId('ins_', identity),
          source: 'home_template',
          createdAt: now,
          ...of,
          ...card,
        })),
        { requestId, callId, keyId: key.id, owner, endpoint: 'home-insights', createdAt: now },
      )
      const { userId: user_id, petId: pet_id, date } = of
      // The cards were made just now, or are equal to stored ones.
      const insights = kept.map((card) => presentCard(card, { type: card.type as HomeCardType }))
      return { body: { request_id: requestId, user_id, pet_id, locale, date, insights } }
    },
    async listInsights({ query: { user_id, pet_id, page, page_size } }) {
      const of = { userId: user_id ?? temporaryId, petId: pet_id }
      const { total, items } = await store.listInsights(of, page, page_size)
      return { body: { page, page_size, total, items: items.map(presentStored) } }
    },
    async getInsight({ params }) {
      const card = await store.findInsight(params.insight_id)
      if (card === undefined) throw new SvcError('not_found', 'There is no insight card with this ID.')
      return { body: presentStored(card) }
    },
  } satisfies Partial<Handlers>
}

/** Presents the fields of a card in every response. A card is immutable. */
function presentCard<T extends object>({ id, type, title, body, priority, createdAt }: InsightCard, more: T) {
  const times = presentTimes({ createdAt, updatedAt: createdAt })
  return { insight_id: id, type, title, body, priority, ...more, ...times }
}

function presentStored(card: InsightCard): StoredInsight {
  const { source, userId: user_id, petId: pet_id, locale, date } = card
  return presentCard(card, { source, user_id, pet_id, locale, date })
}
