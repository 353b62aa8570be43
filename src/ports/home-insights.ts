import type { Page } from './tasks.js'
import type { UsageRecord } from './usage.js'

/** A stored insight card. It is immutable: an ID always names the same card. */
export interface InsightCard {
  readonly id: string
  /** The author. `ai` cards are older than the templates. */
  readonly source: 'home_template' | 'ai'
  readonly userId: string
  readonly petId: string
  readonly locale: string
  /** The local date that the card is about, `YYYY-MM-DD`. */
  readonly date: string
  readonly type: string
  readonly title: string
  readonly body: string
  /** 1 to 100; higher comes first. */
  readonly priority: number
  readonly createdAt: Date
}

export interface HomeInsightStore {
  /**
   * Inserts the cards that do not exist yet and books the call, in one transaction. Returns the stored cards in the order
   * given. An existing card keeps its creation time.
   */
  saveInsights(cards: readonly InsightCard[], call: UsageRecord): Promise<readonly InsightCard[]>
  findInsight(id: string): Promise<InsightCard | undefined>
  /** Lists the cards of a user, or of one pet of that user, newest first. `page` counts from 1. */
  listInsights(
    of: { readonly userId: string; readonly petId?: string | undefined },
    page: number,
    pageSize: number,
  ): Promise<Page<InsightCard>>
}
