import {
  CompiledQuery,
  type DatabaseConnection,
  PostgresAdapter,
  PostgresDialect,
  type PostgresDialectConfig,
  PostgresDriver,
  type TransactionSettings,
} from 'kysely'

const lock = CompiledQuery.raw('select pg_advisory_xact_lock(7385443)')

/** Locks migrations by their transaction: Kysely's own lock is of a session, and would stay with a connection of a pooler. */
export class LockingDialect extends PostgresDialect {
  readonly #config: PostgresDialectConfig
  readonly #migration = { isRunning: false }

  constructor(config: PostgresDialectConfig) {
    super(config)
    this.#config = config
  }

  override createAdapter(): PostgresAdapter {
    return new LockingAdapter(this.#migration)
  }

  override createDriver(): PostgresDriver {
    return new LockingDriver(this.#config, this.#migration)
  }
}

class LockingAdapter extends PostgresAdapter {
  readonly #migration: { isRunning: boolean }

  constructor(migration: { isRunning: boolean }) {
    super()
    this.#migration = migration
  }

  override async acquireMigrationLock(): Promise<void> {
    this.#migration.isRunning = true
  }

  override async releaseMigrationLock(): Promise<void> {
    this.#migration.isRunning = false
  }
}

/** Nothing else begins a transaction on these connections while the database is migrated. */
class LockingDriver extends PostgresDriver {
  readonly #migration: { readonly isRunning: boolean }

  constructor(config: PostgresDialectConfig, migration: { readonly isRunning: boolean }) {
    super(config)
    this.#migration = migration
  }

  override async beginTransaction(connection: DatabaseConnection, settings: TransactionSettings): Promise<void> {
    await super.beginTransaction(connection, settings)
    if (this.#migration.isRunning) await connection.executeQuery(lock)
  }
}
