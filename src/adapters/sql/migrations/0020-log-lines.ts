import { type Kysely, sql } from 'kysely'

/** The lines of the request log, if the log is kept in the database. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('log_lines')
    .addColumn('instance', 'text', (column) => column.notNull())
    .addColumn('line_number', 'bigint', (column) => column.notNull())
    .addColumn('at', 'bigint', (column) => column.notNull())
    .addColumn('request_id', 'text')
    .addColumn('caller_request_id', 'text')
    .addColumn('trace_id', 'text')
    .addColumn('status', 'integer')
    .addColumn('line', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('log_lines_pk', ['instance', 'line_number'])
    .execute()
  await db.schema.createIndex('log_lines_by_time').on('log_lines').column('at').execute()
  for (const column of ['request_id', 'caller_request_id', 'trace_id']) {
    await db.schema
      .createIndex(`log_lines_by_${column}`)
      .on('log_lines')
      .column(column)
      .where(sql<boolean>`${sql.ref(column)} is not null`)
      .execute()
  }
}
