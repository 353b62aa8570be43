/** Books two payments of one month, on two days, in a database whose budgets have no sums per month yet. */
export const bookOldPayments = `insert into usage_ledger (unit_id, attempt, task_id, key_id, user_id, pet_id, missing, model, unit,
    quantity, delivered, cost_micros, certain, maybe_duplicate, created_at)
  values ('a', 1, 't', 'k', 'u', 'p', '[]', 'm', 'image', 1, 1, 700, 1, 0, ${Date.UTC(2026, 1, 1)}),
    ('b', 1, 't', 'k', 'u', 'p', '[]', 'm', 'image', 1, 1, 50, 1, 0, ${Date.UTC(2026, 1, 28, 23)})`

export const readMonths = `select owner_kind, owner_id, starts_at, micros from spending where owner_kind like '% month'
  order by owner_kind`

/** The sums that `readMonths` finds. */
export const oldMonths = [
  { owner_kind: 'key month', owner_id: 'k' },
  { owner_kind: 'pet month', owner_id: 'p' },
].map((owner) => ({ ...owner, starts_at: Date.UTC(2026, 1, 1), micros: 750 }))
