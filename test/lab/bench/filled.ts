import { execFileSync } from 'node:child_process'
import { openSqlite } from '../../../src/adapters/sql/sqlite/dialect.js'
import type { Connection } from '../../../src/adapters/sql/sqlite/driver.js'
import { openSqliteStore } from '../../../src/adapters/sql/sqlite/open-store.js'
import { program } from '../../helpers/svc.js'
import { newAvatar } from '../../helpers/tasks.js'

/** A database with finished tasks, and how the rows are inserted without a store. */
export async function fill(file: string, count: number): Promise<string> {
  await (await openSqliteStore(file)).close()
  const database = openSqlite(file)
  const insert = prepareInserts(database, 'success')
  for (let first = 0; first < count; first += 10_000) {
    database.transaction(() => {
      for (let index = first; index < Math.min(count, first + 10_000); index++) insert(toId(index))
    })()
  }
  database.pragma('wal_checkpoint(truncate)')
  database.close()
  return file
}

export const toId = (index: number) => `avatar_${String(index).padStart(26, '0')}`

export type Insert = (id: string) => void

/** The rows of one task, statement by statement. */
export function prepareInserts(database: Connection, status: 'pending' | 'success'): Insert {
  const task = database.prepare(
    `insert into tasks (id, kind, status, request_id, call_id, key_id, user_id, pet_id, missing, provider, model, parent_id,
      input, units, created_at, updated_at, finished_at) values (${Array(17).fill('?').join()})`,
  )
  const unit = database.prepare(
    'insert into units (id, task_id, name, provider, status, run_at, deadline_at, image_key) values (?,?,?,?,?,?,?,?)',
  )
  const usage = database.prepare(`insert into usage_entries values (${Array(10).fill('?').join()})`)
  return (id) => {
    const { kind, requestId, callId, keyId, owner, provider, model, units, input } = newAvatar({ id })
    const files = (name: string) => ({ files: { image: `ai-gateway/avatars/${id}/${name}.png` } })
    const views = units.map((name) => ({
      name,
      status,
      output: status === 'success' ? files(name) : null,
      failure: null,
    }))
    const now = Date.now()
    const [ids, texts] = [
      [requestId, callId, keyId, owner.userId, owner.petId],
      [JSON.stringify(input), JSON.stringify(views)],
    ]
    task.run(id, kind, status, ...ids, '[]', provider, model, null, ...texts, now, now, status === 'success' ? now : 0)
    for (const [place, name] of units.entries()) {
      const key = status === 'success' ? files(name).files.image : null
      unit.run(`${id}/00${place}`, id, name, provider, status, now, now + 60_000, key)
    }
    usage.run(requestId, keyId, 'pet-avatar', owner.userId, owner.petId, 0, now, '[]', model, callId)
  }
}

/** A key with a limit that is counted and never reached. */
export const createCountedKey = (dataDir: string) => createKey(dataDir, 1_000_000_000)

export function createKey(dataDir: string, rateLimit: number): string {
  const args = ['key', 'create', '--name', 'bench', '--rate-limit', String(rateLimit), '--data-dir', dataDir, '--json']
  return JSON.parse(String(execFileSync(process.execPath, [program, ...args]))).key
}
