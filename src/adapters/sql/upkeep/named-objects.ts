import type { Connection } from '../sqlite/driver.js'

/** Tables that mention object keys but do not need the objects. */
const mentioning: ReadonlySet<string> = new Set(['feedback', 'idempotency_keys'])

/** Returns the object keys in a text. */
export function findKeys(text: string): string[] {
  return text.match(/ai-gateway(?:\/[\w-][\w.-]*)+/g) ?? []
}

/**
 * Iterates over the object keys in all text columns of all tables, including columns of later schema versions, so that a
 * needed file is never taken for an orphan. `exceptTasks` names a table of task IDs to skip.
 */
export function* iterateNamedObjects(database: Connection, exceptTasks?: string): Generator<string> {
  for (const { table, columns } of listTextColumns(database)) {
    const texts = columns.map((column) => `coalesce("${column}", '')`).join(` || ' ' || `)
    const owner = exceptTasks === undefined ? undefined : taskColumn[table]
    const condition = owner === undefined ? '' : `and "${owner}" not in (select id from ${exceptTasks})`
    const rows = database
      .prepare<[], string>(
        `select * from (select ${texts} as texts from "${table}" where true ${condition}) where instr(texts, 'ai-gateway/') > 0`,
      )
      .pluck()
      .iterate()
    for (const text of rows) {
      for (const key of findKeys(text)) yield key
    }
  }
}

const taskColumn: Readonly<Record<string, string>> = { tasks: 'id', units: 'task_id' }

function listTextColumns(database: Connection): { table: string; columns: string[] }[] {
  const rows = database
    .prepare<[], { table: string; column: string }>(
      `select m.name as "table", c.name as "column" from sqlite_master m, pragma_table_info(m.name) c
       where m.type = 'table' and m.name not like 'sqlite_%' and lower(c.type) in ('text', 'varchar')`,
    )
    .all()
  const tables = new Map<string, string[]>()
  for (const { table, column } of rows) {
    if (!mentioning.has(table)) tables.set(table, [...(tables.get(table) ?? []), column])
  }
  return [...tables].map(([table, columns]) => ({ table, columns }))
}
