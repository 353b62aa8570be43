/** Feedback on a pose image. Source: gateway contract, 2.10. */
export interface Feedback {
  readonly objectKey: string
  readonly liked?: boolean
  readonly selected?: boolean
}

export interface FeedbackStore {
  /** Returns the keys that are pose images of avatar tasks. */
  findPoseImages(objectKeys: readonly string[]): Promise<ReadonlySet<string>>
  /** Merges field by field: an omitted field keeps its value. Saves all entries or none. */
  saveFeedback(feedback: readonly Feedback[], now: Date): Promise<void>
  listFeedback(objectKeys: readonly string[]): Promise<Feedback[]>
}
