/** Suites that run once on each engine. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import { openPostgresStore, type PostgresOptions } from '../../src/adapters/sql/postgres/open-store.js'
import { openPostgresUpkeep } from '../../src/adapters/sql/postgres/upkeep-database.js'
import { Database } from '../../src/adapters/sql/sqlite/driver.js'
import { openSqliteStore } from '../../src/adapters/sql/sqlite/open-store.js'
import { openSqliteUpkeep } from '../../src/adapters/sql/sqlite/upkeep-database.js'
import type { UpkeepDatabase } from '../../src/adapters/sql/upkeep/upkeep-database.js'
import type { Store } from '../../src/ports/store.js'
import { fleetVariable } from './fleet-folder.js'
import { openStore } from './open-store.js'
import { findPgbouncer, poolAddress } from './pgbouncer.js'
import { createDatabase, dropDatabase, findPostgres, nameOf, query } from './postgres.js'
import { openPostgresProxy, type PassingStatement, type PostgresProxy } from './postgres-proxy.js'
import { reportSkip } from './skip.js'
import { openTemporaryFolder } from './temporary.js'

/** A database for one test, without rows. */
export interface TestDatabase {
  /** For files of the test. */
  readonly folder: string
  /** The address for `openStore`, in any process. */
  readonly address: string
  readonly isPostgres: boolean
  /** The column that orders rows by their insertion. */
  readonly rowOrder: string
  /** Opens a store like another process. Closed after the test if it is still open. */
  open(lockWaitMs?: number): Promise<Store>
  /** Opens the database for upkeep. Closed after the test. */
  openUpkeep(): UpkeepDatabase
  /** Runs a statement on a separate connection. */
  query(text: string): Promise<Record<string, unknown>[]>
}

interface TestEngine {
  readonly name: string
  /** The reason that the engine is not available. */
  readonly obstacle?: string
  create(folder: string): Promise<Omit<TestDatabase, 'folder' | 'open' | 'openUpkeep'> & { remove(): Promise<void> }>
}

/** The bytes of a migrated database; the databases of tests are copies of it. */
let file: Buffer | undefined

async function readModel(): Promise<Buffer> {
  const place = openTemporaryFolder()
  const address = join(place.folder, 'svc.db')
  await (await openSqliteStore(address)).close()
  const bytes = readFileSync(address)
  place.close()
  return bytes
}

const sqlite: TestEngine = {
  name: 'SQLite',
  async create(folder) {
    const address = join(folder, 'svc.db')
    file ??= await readModel()
    writeFileSync(address, file, { mode: 0o600 })
    return {
      address,
      isPostgres: false,
      rowOrder: 'rowid',
      async query(text) {
        const database = new Database(address)
        try {
          const statement = database.prepare<[], Record<string, unknown>>(text)
          return statement.reader ? statement.all() : ([statement.run()].slice(1) as [])
        } finally {
          database.close()
        }
      },
      remove: async () => {},
    }
  },
}

const programs = findPostgres()
/** Migrated once; the databases of tests are copies of it. */
let model: Promise<string> | undefined

async function createModel(folder: string): Promise<string> {
  const address = await createDatabase(folder)
  await (await openPostgresStore(address)).close()
  return nameOf(address)
}

const postgres: TestEngine = {
  name: 'PostgreSQL',
  ...(programs === undefined ? { obstacle: 'PostgreSQL is not installed' } : {}),
  async create() {
    if (programs === undefined) throw new Error('PostgreSQL is not installed')
    model ??= createModel(programs)
    const address = await createDatabase(programs, await model)
    return {
      address,
      isPostgres: true,
      rowOrder: 'ctid',
      query: (text) => query(address, text),
      remove: () => dropDatabase(address),
    }
  },
}

const pooler = findPgbouncer()

/** Each transaction may have another session of the server. */
const pooled: TestEngine = {
  ...postgres,
  name: 'PostgreSQL with PgBouncer',
  ...(pooler === undefined ? { obstacle: 'PgBouncer is not installed' } : {}),
  async create(folder) {
    const database = await postgres.create(folder)
    return { ...database, address: await poolAddress(pooler ?? '', database.address) }
  },
}

/** Keeps what is opened until the end of a test, and closes it then, the last first. */
function openKeeper() {
  const opened: { close(): Promise<void> }[] = []
  return {
    keep<T extends { close(): Promise<void> }>(one: T): T {
      opened.push(one)
      return one
    },
    async closeAll(): Promise<void> {
      for (const one of opened.reverse()) await one.close().catch(() => {})
    },
  }
}

/** A database without tables for one test. */
interface EmptyDatabase {
  readonly address: string
  /** Opens a store, by default without another server between. Closed after the test. */
  open(options?: PostgresOptions, url?: string): Promise<Store>
  /** Opens a proxy to the server. Closed after the test. */
  openProxy(losesAnswer?: (statement: PassingStatement) => boolean): Promise<PostgresProxy>
}

/** Creates a uvu suite for PostgreSQL alone. `isMissing` is true if another program that the tests need is not installed. */
export function postgresSuite(title: string, isMissing = false) {
  const tests = suite(title)
  const add = (name: string, check: (database: EmptyDatabase) => Promise<void>) =>
    tests(name, async () => {
      if (programs === undefined || isMissing) return reportSkip(`${name}: ${title} is not installed`)
      const address = await createDatabase(programs)
      const { keep, closeAll } = openKeeper()
      try {
        await check({
          address,
          open: async (options = {}, url = address) => keep(await openPostgresStore(url, options)),
          openProxy: async (losesAnswer = () => false) => keep(await openPostgresProxy(address, losesAnswer)),
        })
      } finally {
        await closeAll()
        await dropDatabase(address)
      }
    })
  return Object.assign(add, { run: () => tests.run() })
}

type Check = () => Promise<void> | void

/**
 * Creates a uvu suite for each engine, and with `isPooled` one for PostgreSQL with PgBouncer, which runs alone and on a fleet
 * only. Each test gets its own database.
 */
export function storeSuite(title: string, { isPooled = false } = {}) {
  const checks: { readonly title: string; readonly check: Check; readonly only?: TestEngine }[] = []
  let prepare: (database: TestDatabase) => Promise<void> | void = () => {}
  let finish: Check = () => {}

  function runOn(engine: TestEngine): void {
    const tests = suite(`${title} on ${engine.name}`)
    const chosen = checks.filter(({ only = engine }) => only === engine)
    if (engine.obstacle !== undefined) {
      tests('runs', () => reportSkip(`the ${title} on ${engine.name}: ${engine.obstacle}`))
      tests.run()
      return
    }
    let closeAll: () => Promise<void>
    tests.before.each(async () => {
      const place = openTemporaryFolder()
      const database = await engine.create(place.folder)
      const { keep, closeAll: closeKept } = openKeeper()
      closeAll = async () => {
        await closeKept()
        await database.remove()
        place.close()
      }
      const { address, isPostgres } = database
      await prepare({
        ...database,
        folder: place.folder,
        open: async (lockWaitMs) => keep(await openStore(address, lockWaitMs)),
        openUpkeep: () => keep(isPostgres ? openPostgresUpkeep(address) : openSqliteUpkeep(address)),
      })
    })
    tests.after.each(async () => {
      await finish()
      await closeAll()
    })
    for (const { title, check } of chosen) tests(title, async () => check())
    tests.run()
  }

  return Object.assign((title: string, check: Check) => void checks.push({ title, check }), {
    /** Adds a test for SQLite only. */
    onSqlite: (title: string, check: Check) => void checks.push({ title, check, only: sqlite }),
    before: {
      each(given: typeof prepare) {
        prepare = given
      },
    },
    after: {
      each(given: Check) {
        finish = given
      },
    },
    run() {
      const isOnFleet = process.env[fleetVariable] !== undefined
      for (const engine of isPooled && isOnFleet ? [pooled] : [sqlite, postgres]) runOn(engine)
    },
  })
}
