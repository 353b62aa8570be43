import type { Generated } from 'kysely'
import type { InsightCard } from '../../ports/home-insights.js'
import type { Budget } from '../../ports/money.js'
import type { Trouble } from '../../ports/store.js'
import type { TaskKind, TaskStatus, UnitStatus } from '../../ports/tasks.js'

/**
 * The tables, for Kysely. Booleans are 0 or 1, times are epoch milliseconds, lists are JSON text: the same on SQLite and
 * PostgreSQL.
 */
export interface Tables {
  api_keys: {
    id: string
    name: string
    secret_hash: string
    endpoints: string | null
    models: string | null
    capabilities: string
    pets: string | null
    rate_limit: number
    budget_micros: number | null
    budget_per: Budget['per'] | null
    is_admin: number
    created_at: number
    expires_at: number | null
    revoked_at: number | null
    replaces: string | null
  }
  insight_archive: {
    insight_id: string
    request_id: string
    call_id: string | null
    key_id: string
    user_hash: string
    pet_hash: string
    metric: string
    view_window: string
    locale: string
    status: string
    rule_id: string
    rule_version: string
    fact_version: string
    summary_hash: string
    generated_at: number
  }
  usage_entries: {
    request_id: string
    /** Null in rows that are older than the column; so in `tasks`. */
    call_id: string | null
    key_id: string
    endpoint: string
    user_id: string
    pet_id: string
    missing_id: number
    created_at: number
    /** The missing IDs, a list. */
    missing: Generated<string>
    model: Generated<string>
  }
  rate_slots: {
    key_id: string
    slot_at: number
    calls: number
  }
  /** One row holds all that a caller sees of a task: `units` repeats the state of the unit rows. */
  tasks: {
    id: string
    kind: TaskKind
    status: TaskStatus
    request_id: string
    call_id: string | null
    key_id: string
    user_id: string
    pet_id: string
    missing: string
    provider: string
    model: string
    parent_id: string | null
    input: string
    units: string
    created_at: number
    updated_at: number
    /** The trace context of the call that created the task. */
    traceparent: Generated<string | null>
    /** 0 until the task is finished: lists are ordered by it, and the engines sort nulls differently. */
    finished_at: number
    /** For finding diary tasks. */
    species: string | null
    scene_id: string | null
    recipe: string | null
    /** The holder that deletes the task. */
    deleter: Generated<string | null>
  }
  /** The number of diary tasks per user. Counting a million rows would cost each list 20 ms. */
  diary_counts: {
    /** Empty in the row for all users. */
    user_id: string
    total: number
  }
  /** The newest task of each shared picture, per model. */
  shared_pictures: {
    recipe: string
    provider: string
    task_id: string
  }
  selections: {
    id: string
    user_id: string
    pet_id: string
    diary_id: string | null
    day: string
    image_id: string
    scene_id: string
    score: number
    matched: string
    created_at: number
  }
  /** The queue. */
  units: {
    /** The task's ID and the unit's index: sorts in the order of the request. */
    id: string
    task_id: string
    name: string
    provider: string
    status: UnitStatus
    run_at: number
    deadline_at: number
    /** The number of leases so far; numbers the rows of the ledger. */
    claims: Generated<number>
    claimed_at: Generated<number>
    /** Attempts that ended in a failure. */
    attempts: Generated<number>
    lease: string | null
    lease_expires_at: Generated<number>
    holder_id: string | null
    memo: string | null
    /** The key of a delivered pose image. */
    image_key: string | null
  }
  usage_ledger: {
    unit_id: string
    attempt: number
    task_id: string
    key_id: string
    user_id: string
    pet_id: string
    missing: string
    model: string
    unit: string
    quantity: number
    /** The quantity if the result of this call was delivered, else 0. */
    delivered: number
    cost_micros: number
    certain: number
    maybe_duplicate: number
    created_at: number
  }
  /** Usage of whole days. A column that differs within a sum is null. */
  usage_days: {
    summed_by: 'pet' | 'user' | 'key' | 'model'
    /** Days since the epoch, UTC. */
    day: number
    /** The pet, user, key or model. */
    name: string
    missing: string
    pet_id: string | null
    user_id: string | null
    key_id: string | null
    model: string | null
    requests: number
    units: number
    cost: number
    maybe_cost: number
  }
  /** The breakers that were opened and not closed since. */
  breakers: {
    provider: string
    trouble: Trouble
    open_until: number
    /** Consecutive openings. */
    openings: number
  }
  /** The expected cost of each unit that is not final. */
  reservations: {
    unit_id: string
    key_id: string
    pet_id: string
    cost_micros: number
  }
  /** The sums of paid calls per UTC day and month, and of reservations, by key and by pet. Triggers keep them. */
  spending: {
    owner_kind: 'key' | 'pet' | 'key month' | 'pet month'
    owner_id: string
    /** The start of the day or the month; 0 for reservations. */
    starts_at: number
    micros: number
  }
  feedback: {
    object_key: string
    liked: number | null
    selected: number | null
    updated_at: number
  }
  idempotency_keys: {
    key: string
    fingerprint: string
    /** Null while the request is in flight. */
    body: string | null
    held_until: number
    expires_at: number
    /** The process that handles the request. */
    holder_id: string | null
  }
  home_insights: {
    id: string
    source: InsightCard['source']
    user_id: string
    pet_id: string
    locale: string
    local_date: string
    type: string
    title: string
    body: string
    priority: number
    created_at: number
  }
  /** The request log; with SQLite, in a file of its own. */
  log_lines: {
    /** In the order of writing. */
    id: Generated<number>
    instance: string
    line_number: number
    at: number
    request_id: string | null
    caller_request_id: string | null
    trace_id: string | null
    status: number | null
    line: string
  }
  holders: {
    id: string
    /** The last time at which its process told that it lives. */
    beat_at: number
    /** A hash of its models. Null in rows that are older than the column. */
    models: string | null
    /** The last time at which it asked for units, and the providers that it asked for, a list. */
    asked_at: Generated<number>
    asks: Generated<string>
  }
  settings: {
    name: string
    value: string
  }
  /** The rules of faults on demand. */
  faults: {
    id: string
    /** The fields of the rule in the form of the command line, as JSON. */
    fields: string
    created_at: number
    expires_at: number | null
    times: number | null
    every: number
    matched: Generated<number>
    fired: Generated<number>
  }
  /** The units that were matched against rules that count. */
  fault_units: {
    unit_id: string
    /** Empty if no rule fired. */
    fault_id: string
  }
}
