import { sql } from 'kysely'
import type { UpkeepDatabase } from './upkeep-database.js'

/** Tables that mention object keys but do not need the objects, and large ones without keys. */
const skippedTables: ReadonlySet<string> = new Set([
  ...['feedback', 'idempotency_keys', 'log_lines'],
  ...['insight_archive', 'usage_entries', 'usage_ledger'],
])
/** The columns with the ID of the task that a row is of. */
const taskColumns: Readonly<Record<string, string>> = { tasks: 'id', units: 'task_id' }

/** Returns the object keys in a text. */
export function findKeys(text: string): string[] {
  return text.match(/ai-gateway(?:\/[\w-][\w.-]*)+/g) ?? []
}

/**
 * Iterates over the object keys in all text columns of all tables, including columns of later schema versions, so that a
 * needed file is never taken for an orphan. `exceptTasks` are task IDs whose rows are skipped.
 */
export async function* iterateNamedObjects(
  database: UpkeepDatabase,
  exceptTasks: ReadonlySet<string> = new Set(),
): AsyncGenerator<string> {
  for (const { name, textColumns } of await database.listTables()) {
    if (skippedTables.has(name) || textColumns.length === 0) continue
    const taskColumn = taskColumns[name]
    const task = taskColumn === undefined ? sql`''` : sql.ref(taskColumn)
    const texts = sql.join(
      textColumns.map((column) => sql`coalesce(${sql.ref(column)}, '')`),
      sql` || ' ' || `,
    )
    // Without texts for rows that name no object: they are most of what would be read.
    const columns = sql`${task} as task, case when ${namesObject(textColumns)} then ${texts} end as texts`
    for await (const rows of database.scan(name, columns)) {
      for (const { task, texts } of rows) {
        if (texts !== null && !exceptTasks.has(String(task))) yield* findKeys(String(texts))
      }
    }
  }
}

function namesObject(columns: readonly string[]) {
  const conditions = columns.map((column) => sql`${sql.ref(column)} like '%ai-gateway/%'`)
  return sql<boolean>`(${sql.join(conditions, sql` or `)})`
}

/** Removes from a set the keys that any row names, except rows of some tasks. */
export async function dropNamed(
  database: UpkeepDatabase,
  keys: Set<string>,
  exceptTasks?: ReadonlySet<string>,
): Promise<void> {
  if (keys.size > 0) for await (const key of iterateNamedObjects(database, exceptTasks)) keys.delete(key)
}

const keysPerQuery = 500

/** Returns the keys that are not named by the task whose ID they contain. Others may name them nevertheless. */
export async function dropNamedByOwner(database: UpkeepDatabase, keys: readonly string[]): Promise<string[]> {
  const named = new Set<string>()
  for (let first = 0; first < keys.length; first += keysPerQuery) {
    const owners = new Set(keys.slice(first, first + keysPerQuery).flatMap((key) => findOwner(key) ?? []))
    if (owners.size === 0) continue
    const query = database.db
      .selectFrom('tasks')
      .select(['input', 'units'])
      .where('id', 'in', [...owners])
    for (const { input, units } of await query.execute()) for (const key of findKeys(input + units)) named.add(key)
  }
  return keys.filter((key) => !named.has(key))
}

/** `ai-gateway/avatars/TASK/sitting.png`, `ai-gateway/photos/TASK.jpg`. */
function findOwner(key: string): string | undefined {
  return /^ai-gateway\/\w+\/(\w+)/.exec(key)?.[1]
}
