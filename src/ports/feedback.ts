/** Feedback on a pose image. Source: gateway contract, 2.10. */
export interface Feedback {
  readonly objectKey: string
  readonly liked?: boolean
  readonly selected?: boolean
}

export interface FeedbackStore {
  /**
   * Merges field by field: an omitted field keeps its value. Saves all entries or none; returns the keys that are not pose
   * images of avatar tasks, which prevent it. Each key must occur once.
   */
  saveFeedback(feedback: readonly Feedback[], now: Date): Promise<readonly string[]>
  listFeedback(objectKeys: readonly string[]): Promise<Feedback[]>
}
