import { cpSync, existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { Database } from '../../src/adapters/sql/sqlite/driver.js'
import type { Json } from './media.js'
import type { Run } from './svc.js'
import { openSession } from './svc-session.js'
import { openTemporaryFolder } from './temporary.js'

/** Runs the commands of the folders that are open, and ends with them. */
let session: ReturnType<typeof openSession>

export const run = (dataDir: string, ...args: string[]): Promise<Run> => session.run([...args, '--data-dir', dataDir])

export async function runJson(dataDir: string, ...args: string[]): Promise<Json> {
  const { status, stdout, stderr } = await run(dataDir, ...args, '--json')
  assert.is(status, 0, `${args.join(' ')}: ${stderr}`)
  return JSON.parse(stdout)
}

/** Makes data directories of one kind. The test that opens them closes them. */
export async function openDataFolders(fill: (dataDir: string) => Promise<void>) {
  const { folder, write, close } = openTemporaryFolder()
  session = openSession()
  let count = 0
  const fresh = () => join(folder, `data-${count++}`)
  const made = fresh()
  await fill(made)
  const snapshot = join(folder, 'made.tar')
  await runJson(made, 'data', 'snapshot', snapshot)
  const restored = fresh()
  await runJson(restored, 'data', 'restore', snapshot)
  return {
    folder,
    write,
    close: async () => {
      await session.close()
      close()
    },
    /** Returns the path of a folder that does not exist. */
    fresh,
    /** The data directory that was filled. */
    made,
    /** A snapshot of it. */
    snapshot,
    /** Creates a data directory as a restore of the snapshot leaves it. */
    copy: (): string => {
      const dataDir = fresh()
      cpSync(restored, dataDir, { recursive: true })
      return dataDir
    },
  }
}

/** Creates an avatar of a pet and returns its task. */
export function makeAvatar(dataDir: string, ...options: string[]): Promise<Json> {
  const photo = ['fixtures/photos/dog.jpg', '--species', 'dog', '--user-id', 'ann', '--pet-id', 'rex']
  return runJson(dataDir, 'avatar', 'generate', ...photo, '--wait', ...options)
}

/** Lists the files of a folder, but for drafts. */
export function listFiles(folder: string): string[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { recursive: true, encoding: 'utf8', withFileTypes: true } as { withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.includes('.drafts'))
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort()
}

export function query<Row>(dataDir: string, sql: string): Row[] {
  const database = new Database(join(dataDir, 'svc.db'))
  try {
    return database.prepare(sql).all() as Row[]
  } finally {
    database.close()
  }
}

/** Checks that a data directory is complete: an intact database, and every file that it names. */
export function checkWhole(dataDir: string): string[] {
  assert.equal(query(dataDir, 'pragma integrity_check'), [{ integrity_check: 'ok' }])
  const keys = query<{ text: string }>(
    dataDir,
    "select input || units as text from tasks where status = 'success'",
  ).flatMap(({ text }) => text.match(/ai-gateway[\w/.-]+/g) ?? [])
  for (const key of keys) assert.ok(existsSync(join(dataDir, 'objects', key)), `${key} is missing in ${dataDir}`)
  return query<{ id: string }>(dataDir, 'select id from tasks order by id').map(({ id }) => id)
}
