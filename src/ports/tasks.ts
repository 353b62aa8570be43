/** Tasks and their units, as the store keeps them. A unit is one pose or scene of a task; its row is the queue. */
import type { Spending } from './money.js'

/** Who a task is for. `missing` names the IDs that the caller left out and `temporary` stands for. */
export interface Owner {
  readonly userId: string
  readonly petId: string
  readonly missing: readonly ('user_id' | 'pet_id')[]
}

/** Kinds whose tasks have units, for the worker. */
export type UnitKind = 'avatar' | 'animation' | 'diary'
/** A diary library has no units: it is the parent of diary tasks, and its status is what theirs come to. */
export type TaskKind = UnitKind | 'diary_library'
export type UnitStatus = 'pending' | 'processing' | 'success' | 'failed'
/** Source: gateway contract, 2.3 and 2.5. */
export type TaskStatus = UnitStatus | 'partial_success' | 'deleting' | 'delete_failed'

/** What a unit delivered: object keys by role (`image`, `webp`, `mp4`, `picture`), and of a clip how long it is. */
export interface UnitOutput {
  readonly files: Readonly<Record<string, string>>
  readonly durationSeconds?: number
}

/** Why a unit failed, for the caller. */
export interface UnitFailure {
  readonly code: string
  /** A sentence for people, in the locale of the task. */
  readonly message: string
}

/** What a task's row keeps of a unit, so that a task is read with one row. */
export interface UnitView {
  /** Pose, or scene ID. */
  readonly name: string
  readonly status: UnitStatus
  readonly output: UnitOutput | null
  readonly failure: UnitFailure | null
}

export interface Task {
  readonly id: string
  readonly kind: TaskKind
  readonly status: TaskStatus
  /** Of the call that created the task. */
  readonly requestId: string
  readonly keyId: string
  readonly owner: Owner
  /** Upstream labels. Source: gateway contract, 2.3. */
  readonly provider: string
  readonly model: string
  /** The task that this one was made from: of an animation its avatar task, of a diary picture its library task. */
  readonly parentId: string | null
  /** What was asked for, of a shape that belongs to the kind. JSON. */
  readonly input: unknown
  /** In the order in which they were asked for. */
  readonly units: readonly UnitView[]
  readonly createdAt: Date
  readonly updatedAt: Date
  /** When the status became final; null until then. */
  readonly finishedAt: Date | null
}

export type NewTask = Pick<
  Task,
  'id' | 'kind' | 'requestId' | 'keyId' | 'owner' | 'provider' | 'model' | 'parentId' | 'input' | 'createdAt'
> & {
  /** Names of the units, in order. */
  readonly units: readonly string[]
  /** The unit that is not final by then fails, however often the process restarts. */
  readonly deadlineAt: Date
  /** Where its units cost something. */
  readonly spending?: Spending | undefined
  /** What a diary task is found by. */
  readonly picture?: PictureTraits
  /** What its one unit came to before: the task is a `success` from the start, and nothing is queued or booked. */
  readonly reused?: UnitOutput
}

/** What diary pictures are found by. */
export interface PictureTraits {
  readonly species: string
  readonly sceneId: string
  /** Pictures of one pet with the same recipe can stand for each other. */
  readonly recipe: string
}

/** A diary task for one picture. */
export type NewPicture = NewTask & { readonly picture: PictureTraits }

/** A request's hold on its `Idempotency-Key`. No two holds on one key end at the same time, so that tells them apart. */
export interface Reservation {
  readonly key: string
  readonly heldUntil: Date
}

/** The answer to keep under an `Idempotency-Key`, in the transaction that creates the task. */
export interface IdempotentAnswer {
  readonly reservation: Reservation
  /** The JSON body as answered. */
  readonly body: unknown
}

export interface Page<T> {
  readonly total: number
  readonly items: readonly T[]
}

export interface TaskStore {
  /**
   * Inserts the task and its children, their units, the usage log's one entry of the request, and the answer: all or
   * nothing, and durable. Without `endpoint` there was no request.
   * Throws `conflict` where the answer's reservation is over and another request has the key, `rate_limit_exceeded` where
   * the whole would cost more than a budget leaves, counting what is paid in its window and what unfinished units are
   * expected to cost; `unavailable` where there is a budget and nobody knows the cost.
   */
  createTask(
    task: NewTask,
    endpoint: string | null,
    answer?: IdempotentAnswer,
    children?: readonly NewTask[],
  ): Promise<void>
  /**
   * Creates the task of a picture that all pets share, as `createTask` does without a request; but where one of its recipe
   * was created for the same provider and did not fail, nothing. Answers the ID of the one that stands. Whoever asks at the
   * same moment, in whichever process, gets the same. The task `lostId` does not stand: its picture is lost.
   */
  createSharedTask(task: NewPicture, lostId?: string): Promise<string>
  findTask(id: string): Promise<Task | undefined>
  /** Avatar tasks of a user that ended in `success`, latest end first, ID as tie-break; `page` counts from 1. */
  listFinishedAvatars(userId: string, page: number, pageSize: number): Promise<Page<Task>>
  /** The newest animation task of each avatar task that has one. Those that are being deleted do not count. */
  findNewestAnimations(avatarTaskIds: readonly string[]): Promise<ReadonlyMap<string, Task>>
  /** Sets `deleting` where the status is one of `from`; answers whether it did. */
  beginDelete(id: string, from: readonly TaskStatus[]): Promise<boolean>
  /** Removes a task in `deleting`, its units with it. Its ledger stays. */
  finishDelete(id: string): Promise<void>
  failDelete(id: string): Promise<void>
  /** Tasks whose deletion a process began and did not end. */
  listDeleting(): Promise<Task[]>
}

/** A unit in the hands of one worker. All writes of it fail once the lease is another's. */
export interface ClaimedUnit {
  readonly id: string
  readonly name: string
  readonly task: Task & { readonly kind: UnitKind }
  /** Of a try: 1 is the first. A try that a crash or a shutdown cut short does not count. */
  readonly attempt: number
  /** Fencing token. */
  readonly lease: string
  /** What an earlier attempt left behind: what is done and paid already. JSON. */
  readonly memo: unknown
  readonly deadlineAt: Date
}

/** One paid (or perhaps paid) call of a provider. Unique by unit and claim; what was delivered counts once per unit. */
export interface LedgerEntry {
  readonly model: string
  readonly quantity: number
  readonly unit: 'image' | 'clip'
  /** Price at the time of the call, millionths of a US dollar. */
  readonly costMicros: number
  /** False where the answer was lost: the call may have been paid. */
  readonly certain: boolean
  /** Whether an earlier call for the same unit may have been paid too. */
  readonly maybeDuplicate: boolean
}

export type UnitOutcome =
  | { readonly status: 'success'; readonly output: UnitOutput; readonly usage: LedgerEntry | null }
  | { readonly status: 'failed'; readonly failure: UnitFailure; readonly usage: LedgerEntry | null }

export interface Retry {
  readonly delayMs: number
  readonly memo: unknown
  /** Of the call that failed, if it may have been paid. */
  readonly usage: LedgerEntry | null
}

/** Settles a task: its status from what its units came to. Pure. */
export type Settle = (units: readonly UnitView[]) => TaskStatus

/** A process that claims units, as others see it: its units are free as soon as it is gone, however it ended. */
export interface Holder {
  readonly id: string
  close(): Promise<void>
}

export interface UnitQueue {
  openHolder(): Promise<Holder>
  /** Whether there are holders in other processes. */
  hasOtherHolders(): Promise<boolean>
  /** How many units are unfinished, by the labels of the providers that they were made for. */
  countQueued(): Promise<ReadonlyMap<string, number>>
  /**
   * Leases units that are due or whose holder is gone: up to `limit`, and of each provider no more than its slots leave
   * room for, or its breaker. Their tasks become `processing`. A unit past its deadline needs no slot: it is only to be settled.
   */
  claimUnits(claim: {
    readonly holderId: string
    readonly limit: number
    readonly leaseMs: number
    /** Units of a provider in work at once, all processes together; of one without an entry only those past their deadline. */
    readonly slots: Readonly<Record<string, number>>
  }): Promise<ClaimedUnit[]>
  /** Answers the leases that are still held. */
  renewLeases(leases: readonly string[], leaseMs: number): Promise<string[]>
  /** These answer false, and write nothing, when the lease is lost. */
  saveMemo(lease: string, memo: unknown): Promise<boolean>
  settleUnit(lease: string, outcome: UnitOutcome, settle: Settle): Promise<boolean>
  retryUnit(lease: string, retry: Retry): Promise<boolean>
  /** Hands units back as they were: due at once, the attempt not counted. */
  releaseUnits(leases: readonly string[]): Promise<void>
  /** Milliseconds until the next unit of these providers is due, or any loses its lease or its time; undefined if none. */
  findNextDueMs(providers: readonly string[]): Promise<number | undefined>
}

export type UsageGroup = 'pet' | 'user' | 'key' | 'model' | 'day'

export interface UsageFilter {
  /** Only what has, or has not, an ID that a caller left out. */
  readonly isMissingId?: boolean | undefined
  /** First and last day, `YYYY-MM-DD`, UTC. */
  readonly from?: string | undefined
  readonly to?: string | undefined
}

/** A sum of usage. A member that is not the same for all that is summed is null. Source: gateway contract, 1. */
export interface UsageSum {
  readonly petId: string | null
  readonly userId: string | null
  readonly keyId: string | null
  readonly model: string | null
  /** `YYYY-MM-DD`, UTC. */
  readonly day: string | null
  /** IDs that callers left out, in any of what is summed. */
  readonly missing: Owner['missing']
  readonly requests: number
  /** Delivered pictures and clips. */
  readonly units: number
  readonly costMicros: number
  /** The part of the cost of calls that may not have been paid. */
  readonly maybeCostMicros: number
}

/** A call of a model that no task asked for, under an ID of its own. */
export interface SoleCall {
  readonly id: string
  /** Who made it, in place of a key, a pet and a user. */
  readonly maker: string
  readonly usage: LedgerEntry
  readonly isDelivered: boolean
  readonly at: Date
}

export interface UsageStore {
  bookCall(call: SoleCall): Promise<void>
  /** The sums by pet, user, key or model, the dearest first, or by day, the last first. `page` counts from 1. */
  sumUsage(by: UsageGroup, filter: UsageFilter, page: number, pageSize: number): Promise<Page<UsageSum>>
}

/** Feedback on a pose image. Source: gateway contract, 2.10. */
export interface Feedback {
  readonly objectKey: string
  readonly liked?: boolean
  readonly selected?: boolean
}

export interface FeedbackStore {
  /** The keys among these that are pose images of avatar tasks. */
  findPoseImages(objectKeys: readonly string[]): Promise<ReadonlySet<string>>
  /** Merges by member: what is left out keeps what stands. All or none. */
  saveFeedback(feedback: readonly Feedback[], now: Date): Promise<void>
  listFeedback(objectKeys: readonly string[]): Promise<Feedback[]>
}

export type IdempotencyState =
  | { readonly state: 'begun'; readonly reservation: Reservation }
  | { readonly state: 'in_flight' }
  | { readonly state: 'answered'; readonly body: unknown }
  | { readonly state: 'other_request' }

export interface IdempotencyStore {
  /**
   * Reserves the key for one request, of which `fingerprint` is a hash. `begun` is this caller's to end, with
   * `createTask` or `cancelReservation`; a reservation ends when its process is gone, and after `holdMs` at the latest.
   */
  beginIdempotent(
    key: string,
    fingerprint: string,
    now: Date,
    holdMs: number,
    keepMs: number,
  ): Promise<IdempotencyState>
  /** Frees the key, unless it was answered or another request has it by now. */
  cancelReservation(reservation: Reservation): Promise<void>
}
