import type { Owner } from './tasks.js'

/** An insight card as it is kept. One ID always stands for the same card: it never changes. */
export interface InsightCard {
  readonly id: string
  /** What wrote it: `ai` are cards of the time before templates. */
  readonly source: 'home_template' | 'ai'
  readonly userId: string
  readonly petId: string
  readonly locale: string
  /** The local date that it speaks of, `YYYY-MM-DD`. */
  readonly date: string
  readonly type: string
  readonly title: string
  readonly body: string
  /** 1 to 100; the higher comes first. */
  readonly priority: number
  readonly createdAt: Date
}

/** The call that asked for cards, for the usage log. */
export interface InsightCall {
  readonly requestId: string
  readonly keyId: string
  readonly owner: Owner
  readonly endpoint: string
  readonly calledAt: Date
}

export interface HomeInsightStore {
  /**
   * Keeps the cards that are not there yet and books the call, all or nothing. Answers the cards as they are kept, in the
   * order given: one that was there keeps the time at which it was created.
   */
  saveInsights(cards: readonly InsightCard[], call: InsightCall): Promise<readonly InsightCard[]>
  findInsight(id: string): Promise<InsightCard | undefined>
  /** The cards of a user, or of one pet of that user, newest first; `page` counts from 1. */
  listInsights(
    of: { readonly userId: string; readonly petId?: string | undefined },
    page: number,
    pageSize: number,
  ): Promise<{ readonly total: number; readonly items: readonly InsightCard[] }>
}
