import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { folderOf, query, spawnServant } from './postgres.js'
import { openTemporaryFolder } from './temporary.js'

/** Serves the configuration in folder $1 with the program $2 until standard input ends. */
const script = `
"$2" "$1/pgbouncer.ini" >"$1/log" 2>&1 &
cat >/dev/null
kill -INT $!
wait $!
rm -rf "$1"`

/** Returns the path of PgBouncer; undefined if it is not installed. */
export function findPgbouncer(): string | undefined {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin']
  return folders.map((folder) => join(folder, 'pgbouncer')).find((path) => existsSync(path))
}

let started: Promise<string> | undefined

/** Returns the address of a database through a pooler that gives each transaction any session. It ends with this process. */
export async function poolAddress(program: string, address: string): Promise<string> {
  started ??= startPgbouncer(program, address, connectQuery)
  return throughPooler(address, await started)
}

/** Returns the address of a database through the pooler in a folder. */
export function throughPooler(address: string, folder: string): string {
  const url = new URL(address)
  url.searchParams.set('host', folder)
  url.searchParams.set('port', '6432')
  return url.href
}

/** The setting of the page for operators, which a test compares. */
export const connectQuery =
  'set statement_timeout=30000; set lock_timeout=5000; set idle_in_transaction_session_timeout=10000; ' +
  'set enable_seqscan=off; set plan_cache_mode=force_generic_plan; set jit=off'

/** Starts a pooler that runs a statement on each new session. Returns its folder. */
export async function startPgbouncer(program: string, address: string, connectQuery: string): Promise<string> {
  const { folder } = openTemporaryFolder()
  writeFileSync(
    join(folder, 'pgbouncer.ini'),
    `[databases]
* = host=${folderOf(address)} user=svc connect_query='${connectQuery}'
[pgbouncer]
listen_addr =
unix_socket_dir = ${folder}
auth_type = any
pool_mode = transaction
default_pool_size = 10
max_client_conn = 500
`,
  )
  spawnServant(script, folder, program)
  const url = throughPooler(address, folder)
  for (const giveUpAt = Date.now() + 100_000; ; await delay(50)) {
    const ready = await query(url, 'select 1').catch(() => undefined)
    if (ready !== undefined) return folder
    if (Date.now() > giveUpAt) throw new Error(`PgBouncer does not start: ${readFileSync(join(folder, 'log'), 'utf8')}`)
  }
}
