import type { Generated } from 'kysely'
import type { Trouble } from '../../ports/breakers.js'
import type { InsightCard } from '../../ports/home-insights.js'
import type { Budget } from '../../ports/money.js'
import type { TaskKind, TaskStatus, UnitStatus } from '../../ports/tasks.js'

/**
 * The tables as Kysely sees them. Booleans are 0 or 1, times epoch milliseconds, lists JSON texts: the same on SQLite
 * and PostgreSQL.
 */
export interface Tables {
  api_keys: {
    id: string
    name: string
    secret_hash: string
    endpoints: string | null
    models: string | null
    capabilities: string
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
    key_id: string
    endpoint: string
    user_id: string
    pet_id: string
    missing_id: number
    created_at: number
    /** Which IDs were missing, a list. */
    missing: Generated<string>
    model: Generated<string>
  }
  rate_slots: {
    key_id: string
    slot_at: number
    calls: number
  }
  /** One row is all that a caller sees of a task; `units` repeats the state of the unit rows. */
  tasks: {
    id: string
    kind: TaskKind
    status: TaskStatus
    request_id: string
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
    /** 0 until then: lists are ordered by it, and engines differ in where a null comes. */
    finished_at: number
    /** Of a diary task, to be found by. */
    species: string | null
    scene_id: string | null
    recipe: string | null
  }
  /** How many diary tasks there are: they are never deleted, and counting a million takes a list 20 ms. */
  diary_counts: {
    /** Empty for the tasks of all users. */
    user_id: string
    total: number
  }
  /** The task that was created last for a picture that all pets share; of each model that paints it. */
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
    /** The task's ID and the place in it: sorts as the units were asked for. */
    id: string
    task_id: string
    name: string
    provider: string
    status: UnitStatus
    run_at: number
    deadline_at: number
    /** How often it was leased: numbers the rows of the ledger. */
    claims: Generated<number>
    claimed_at: Generated<number>
    /** Tries that came to an end and failed. */
    attempts: Generated<number>
    lease: string | null
    lease_expires_at: Generated<number>
    holder_id: string | null
    memo: string | null
    /** Of a delivered pose image. */
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
    /** The quantity if this call's result was delivered, else 0. */
    delivered: number
    cost_micros: number
    certain: number
    maybe_duplicate: number
    created_at: number
  }
  /** Of providers that do not work: opened and not closed since. */
  breakers: {
    provider: string
    trouble: Trouble
    open_until: number
    /** How often in a row. */
    openings: number
  }
  /** What units that are not final yet are expected to cost. */
  reservations: {
    unit_id: string
    key_id: string
    pet_id: string
    cost_micros: number
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
    /** Who works on the request. */
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
}
