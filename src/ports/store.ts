/** The database port. Adapters implement it; no other code knows SQL. */
import type { BreakerStore } from './breakers.js'
import type { ServiceClock } from './clock.js'
import type { DiaryStore } from './diary.js'
import type { FaultStore } from './faults.js'
import type { FeedbackStore } from './feedback.js'
import type { HomeInsightStore } from './home-insights.js'
import type { IdempotencyStore } from './idempotency.js'
import type { Journal } from './journal.js'
import type { KeyStore } from './keys.js'
import type { LogLineStore } from './log-lines.js'
import type { MeasuredStore } from './measures.js'
import type { UnitQueue } from './queue.js'
import type { RateStore } from './rates.js'
import type { RequestStore } from './requests.js'
import type { SettingStore } from './settings.js'
import type { TaskStore } from './tasks.js'
import type { UsageStore } from './usage.js'

export interface Store
  extends ServiceClock,
    KeyStore,
    RateStore,
    TaskStore,
    UnitQueue,
    BreakerStore,
    UsageStore,
    FeedbackStore,
    IdempotencyStore,
    HomeInsightStore,
    DiaryStore,
    RequestStore,
    LogLineStore,
    MeasuredStore,
    SettingStore,
    FaultStore {
  readonly journal: Journal
  /** True if the database answers and the journal can be written. */
  isAlive(): Promise<boolean>
  /** True if this version can use the tables: another may have changed them since the start. */
  isCompatible(): Promise<boolean>
  /** Flushes the journal and closes the database, even if the flush fails. Rejects with `unavailable` if rows are lost. */
  close(): Promise<void>
}
