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
  }
  rate_slots: {
    key_id: string
    slot_at: number
    calls: number
  }
}
