import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { iterateStoredFiles } from '../../../src/adapters/objects/key.js'
import { type Connection, Database } from '../../../src/adapters/sql/sqlite/driver.js'
import { openSqliteUpkeep } from '../../../src/adapters/sql/sqlite/upkeep-database.js'
import { iterateNamedObjects } from '../../../src/adapters/sql/upkeep/named-objects.js'
import { describeDataDir } from '../../../src/runtime/data-dir.js'
import { filesQuery, runDoctor } from '../power/examine.js'
import type { Promised } from '../power/workload.js'
import type { KilledProgram } from './program.js'
import { compareRows } from './rows.js'

const leftoversPerKill = 20

/**
 * Compares a data directory with the answers, when all work has ended and no server runs. Returns a sentence per
 * difference. Insights may be lost that were answered in the last `lateMs` before a kill.
 */
export async function compare(program: KilledProgram, promised: readonly Promised[], lateMs: number) {
  const { objects, workers } = describeDataDir(program.dataDir)
  const problems = await runDoctor(program.dataDir)
  const { entries } = await program.run('usage', '--by', 'pet')
  const upkeep = openSqliteUpkeep(describeDataDir(program.dataDir).database, { readonly: true })
  const named = new Set<string>()
  for await (const key of iterateNamedObjects(upkeep)) named.add(key)
  await upkeep.close()
  const { caller, kills } = program
  return withDatabase(program.dataDir, (database) => {
    const list = (sql: string) => database.prepare<[], string>(sql).pluck().all()
    const unnamed = [...iterateStoredFiles(objects)].map(({ key }) => key).filter((key) => !named.has(key))
    const photos = unnamed.filter((key) => key.startsWith('ai-gateway/photos/')).length
    const [drafts, locks] = [readdirSync(join(objects, '.drafts')).length, readdirSync(workers).length]
    const differences = [
      ...problems,
      ...list('pragma integrity_check').filter((line) => line !== 'ok'),
      // One is the key of the calls.
      ...compareRows(database, { caller, promised, outages: kills, lateMs, keys: 1, usage: entries }),
      ...list(filesQuery).flatMap((key) => findFault(key, readIfThere(join(objects, key)))),
      ...(unnamed.length > photos ? [`${unnamed.length - photos} files without a task: ${unnamed.join(', ')}`] : []),
      ...(Math.max(photos, drafts, locks) > leftoversPerKill * kills.length ? ['too much is left over'] : []),
    ]
    // Photos of tasks that were not created, and what later starts remove.
    return { differences, leftovers: { photos, drafts, locks } }
  })
}

export function withDatabase<T>(dataDir: string, use: (database: Connection) => T): T {
  const database = new Database(describeDataDir(dataDir).database)
  try {
    return use(database)
  } finally {
    database.close()
  }
}

function readIfThere(path: string): Buffer | undefined {
  return existsSync(path) ? readFileSync(path) : undefined
}

/** Checks that a file exists, and that it ends where its format says. */
export function findFault(key: string, bytes: Buffer | undefined): string[] {
  if (bytes === undefined) return [`${key} is missing`]
  return isWhole[extname(key)]?.(bytes) === true ? [] : [`${key} is not whole`]
}

const isWhole: Readonly<Record<string, (bytes: Buffer) => boolean>> = {
  '.png': (bytes) => bytes.toString('latin1', bytes.length - 8, bytes.length - 4) === 'IEND',
  '.webp': (bytes) => bytes.readUInt32LE(4) + 8 === bytes.length,
  '.mp4': (bytes) => {
    let end = 0
    while (end + 8 <= bytes.length && bytes.readUInt32BE(end) > 0) end += bytes.readUInt32BE(end)
    return end === bytes.length
  },
}
