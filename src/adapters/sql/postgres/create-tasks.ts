import { SvcError } from '../../../errors.js'
import { isLimited, toReservations } from '../budgets.js'
import { toTaskRow, toUnitRows, toUsageRow } from '../create-tasks.js'
import { type Creation, keyLost } from '../creation.js'
import type { HotQueries } from '../database.js'
import type { RunStatement } from './connection.js'
import { nowText } from './engine.js'
import { createValues, type Type } from './values.js'

/**
 * Writes a group of creations with one statement, which needs no transaction around it. A creation whose answer cannot be
 * stored is left out.
 */
export function createInsertCreations(run: RunStatement): NonNullable<HotQueries['insertCreations']> {
  return (group) => {
    if (group.some(({ tasks }) => tasks.some(({ task }) => isLimited(task)))) return undefined
    return insert(run, group)
  }
}

async function insert(run: RunStatement, group: readonly Creation[]): Promise<ReadonlyMap<Creation, SvcError>> {
  const answers = group.flatMap(({ answer, answerText }, creation) =>
    answer === undefined
      ? []
      : [{ creation, key: answer.reservation.key, held: answer.reservation.heldUntil.getTime(), body: answerText }],
  )
  const { text, values } = toStatement(group, answers)
  const [row] = await run<{ answered: number[] | null }>(text, values)
  const answered = new Set(row?.answered ?? [])
  const refused = new Map<Creation, SvcError>()
  for (const { creation } of answers) {
    const lost = group[creation]
    if (lost !== undefined && !answered.has(creation)) refused.set(lost, new SvcError('conflict', keyLost))
  }
  return refused
}

interface StoredAnswer {
  readonly creation: number
  readonly key: string
  readonly held: number
  readonly body: string
}

/** The statement for given kinds of rows is always the same, and prepared once. */
function toStatement(group: readonly Creation[], answers: readonly StoredAnswer[]) {
  const { values, add, addRows } = createValues()
  const ctes: string[] = []
  const unkeyed = group.flatMap(({ answer }, creation) => (answer === undefined ? [creation] : []))
  if (answers.length > 0) {
    const columns = { creation: 'integer', key: 'text', held: 'bigint', body: 'text' } as const
    ctes.push(
      `answered as (
        update idempotency_keys set body = answers.body from ${addRows('answers', columns, answers)}
          where idempotency_keys.key = any ($2::text[]) and idempotency_keys.key = answers.key and held_until = answers.held and idempotency_keys.body is null
          returning answers.creation
      )`,
      `kept as materialized (
        select creation from answered union all select unnest(${add(unkeyed)}::integer[])
      )`,
    )
  }
  const isKept = answers.length > 0 ? 'where creation in (select creation from kept)' : ''
  const tasks = group.flatMap((creation, place) => creation.tasks.map((of) => ({ ...of, creation: place })))
  const insertRows = <Column extends string>(
    table: string,
    columns: Readonly<Record<Column, Type>>,
    rows: readonly (Readonly<Partial<Record<NoInfer<Column>, unknown>>> & { readonly creation: number })[],
    { order = '', more = {} }: { readonly order?: string; readonly more?: Readonly<Record<string, string>> } = {},
  ): void => {
    if (rows.length === 0) return
    const names = Object.keys(columns)
    const source = addRows<string>('made', { ...columns, creation: 'integer' }, rows)
    const targets = [...names.filter((name) => !(name in dropped)), ...Object.keys(more)].join(', ')
    const sources = [...names.filter((name) => !(name in dropped)), ...Object.values(more)].join(', ')
    ctes.push(
      `made_${table} as (insert into ${table} (${targets}) select ${sources} from ${source} ${isKept} ${order})`,
    )
  }
  insertRows(
    'tasks',
    taskColumns,
    tasks.map(({ creation, ...task }) => ({ ...toTaskRow(task), creation })),
  )
  insertRows(
    'units',
    unitColumns,
    tasks.flatMap(({ creation, task }) =>
      toUnitRows(task, 0).map((row) => ({ ...row, wait_ms: row.run_at, life_ms: row.deadline_at, creation })),
    ),
    { more: { status: "'pending'", run_at: `${nowText} + wait_ms`, deadline_at: `${nowText} + life_ms` } },
  )
  insertRows(
    'usage_entries',
    usageColumns,
    group.flatMap((creation, place) => toUsageRow(creation).map((row) => ({ ...row, creation: place }))),
  )
  insertRows(
    'reservations',
    reservationColumns,
    tasks.flatMap(({ creation, task }) => toReservations(task).map((row) => ({ ...row, creation }))),
    // Budgets sum them by key and by pet: in one order, so that no two statements wait for each other.
    { order: 'order by key_id, pet_id' },
  )
  const diaries = tasks.filter(({ task }) => task.kind === 'diary')
  if (diaries.length > 0) {
    const rows = diaries.flatMap(({ creation, task }) =>
      ['', task.owner.userId].map((user_id) => ({ user_id, creation })),
    )
    ctes.push(`counted as (
      insert into diary_counts (user_id, total)
        select user_id, count(*) from ${addRows('made', { user_id: 'text', creation: 'integer' }, rows)} ${isKept}
        group by user_id order by user_id
        on conflict (user_id) do update set total = diary_counts.total + excluded.total
    )`)
  }
  const answered = answers.length > 0 ? '(select array_agg(creation) from answered)' : 'null'
  return { text: `with ${ctes.join(',\n')}\nselect ${answered} as answered`, values }
}

/** A column of the parameters that is none of the table. */
const dropped = { wait_ms: true, life_ms: true }

const taskColumns = {
  ...({ id: 'text', kind: 'text', status: 'text', request_id: 'text', call_id: 'text', key_id: 'text' } as const),
  ...({
    user_id: 'text',
    pet_id: 'text',
    missing: 'text',
    provider: 'text',
    model: 'text',
    parent_id: 'text',
  } as const),
  ...({ input: 'text', units: 'text', created_at: 'bigint', updated_at: 'bigint', finished_at: 'bigint' } as const),
  ...({ species: 'text', scene_id: 'text', recipe: 'text', traceparent: 'text' } as const),
} satisfies Readonly<Record<Exclude<keyof ReturnType<typeof toTaskRow>, 'deleter'>, Type>>
const unitColumns = {
  ...({ id: 'text', task_id: 'text', name: 'text', provider: 'text' } as const),
  ...({ wait_ms: 'bigint', life_ms: 'bigint' } as const),
}
const usageColumns = {
  ...({
    request_id: 'text',
    call_id: 'text',
    key_id: 'text',
    endpoint: 'text',
    user_id: 'text',
    pet_id: 'text',
  } as const),
  ...({ missing_id: 'integer', created_at: 'bigint', missing: 'text', model: 'text' } as const),
}
const reservationColumns = { unit_id: 'text', key_id: 'text', pet_id: 'text', cost_micros: 'bigint' } as const
