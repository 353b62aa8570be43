import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chownSync, existsSync, readdirSync, readFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { Client, types as pgTypes } from 'pg'
import { findMemoryFolder, openTemporaryFolder } from './temporary.js'

const user = 'svc'

/**
 * Creates a cluster in folder $1 with the programs of folder $2, and serves it, also after a crash, until standard input
 * ends, which it does with the process that started it. Text is ordered by its bytes, as on SQLite.
 */
const script = `
"$2/initdb" -D "$1/data" -U ${user} -A trust --no-locale -E UTF8 --no-sync >"$1/log" 2>&1 || exit 1
while [ ! -e "$1/over" ]; do
  "$2/postgres" -D "$1/data" -k "$1" -c listen_addresses= -c max_connections=400 >>"$1/log" 2>&1
done &
cat >/dev/null
touch "$1/over"
kill -INT "$(head -n 1 "$1/data/postmaster.pid")"
wait $!
rm -rf "$1"`

/** Returns a folder with the programs of PostgreSQL; undefined if it is not installed. */
export function findPostgres(): string | undefined {
  const installed = '/usr/lib/postgresql'
  const versions = existsSync(installed) ? readdirSync(installed).sort((a, b) => Number(b) - Number(a)) : []
  const folders = [
    ...(process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== ''),
    ...versions.map((version) => join(installed, version, 'bin')),
  ]
  return folders.find((folder) => ['initdb', 'postgres'].every((program) => existsSync(join(folder, program))))
}

/** Returns the user for PostgreSQL, which refuses to run as root. */
function findServant(): { readonly uid: number; readonly gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined
  const { stdout } = spawnSync('id', ['-u', 'postgres'], { encoding: 'utf8' })
  const uid = Number.parseInt(stdout, 10) || 65_534
  return { uid, gid: uid }
}

/** Starts an empty server, in memory unless told where, on a socket in its folder. It ends with this process. */
export async function startPostgres(programs: string, parent = findMemoryFolder()): Promise<string> {
  const { folder } = openTemporaryFolder(parent)
  const child = spawnServant(script, folder, programs)
  await waitUntilReady(folder, child)
  return folder
}

/**
 * Runs a shell script with a folder and a program as its arguments, as the user of the servers. Its standard input ends with
 * this process, which does not wait for it.
 */
export function spawnServant(script: string, folder: string, program: string): ChildProcess {
  const servant = findServant()
  if (servant !== undefined) chownSync(folder, servant.uid, servant.gid)
  const child = spawn('sh', ['-c', script, 'sh', folder, program], {
    ...servant,
    cwd: folder,
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  child.unref()
  // A socket, although its type does not say so.
  if ('unref' in child.stdin) (child.stdin as { unref(): void }).unref()
  return child
}

async function waitUntilReady(folder: string, child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit').then(() => true)
  for (;;) {
    try {
      await query(toAddress(folder, 'postgres'), 'select 1')
      return
    } catch (error) {
      if (!(await Promise.race([ended, delay(50, false)]))) continue
      throw new Error(`PostgreSQL does not start: ${readFileSync(join(folder, 'log'), 'utf8')}`, { cause: error })
    }
  }
}

/** The variable by which a run tells its test files of the server that they share. */
export const serverVariable = 'TEST_POSTGRES'

let started: Promise<string> | undefined

/** Returns the folder of the server of the run, or of this process. */
function findServer(programs: string): Promise<string> {
  const shared = process.env[serverVariable]
  started ??= shared === undefined ? startPostgres(programs) : Promise.resolve(shared)
  return started
}

/** Gives this process a server of its own, which it may crash. */
export function keepOwnServer(): void {
  delete process.env[serverVariable]
}

function toAddress(folder: string, database: string): string {
  return `postgresql:///${database}?host=${encodeURIComponent(folder)}&user=${user}`
}

/** Creates a database, empty or as a copy of one that no process has open. Returns its address. */
export async function createDatabase(programs: string, template = 'template1'): Promise<string> {
  const name = `test_${randomBytes(8).toString('hex')}`
  const folder = await findServer(programs)
  // PostgreSQL 14 knows no other strategy, and not the word.
  const isOld = readFileSync(join(folder, 'data/PG_VERSION'), 'utf8').trim() === '14'
  const strategy = isOld ? '' : 'strategy file_copy'
  await query(toAddress(folder, 'postgres'), `create database ${name} template ${template} ${strategy}`)
  return toAddress(folder, name)
}

/**
 * Stops the server of an address as `pg_ctl -m immediate` does: connections break. Resolves when it has started again, with
 * recovery.
 */
export async function crash(address: string): Promise<void> {
  if (folderOf(address) === process.env[serverVariable]) throw new Error('other files use this server: keepOwnServer()')
  const findStart = () => query(address, 'select pg_postmaster_start_time()::text as at').then(([row]) => row?.at)
  const before = await findStart()
  const [pid] = readFileSync(join(folderOf(address), 'data/postmaster.pid'), 'utf8').split('\n')
  process.kill(Number(pid), 'SIGQUIT')
  do await delay(20)
  while ([undefined, before].includes(await findStart().catch(() => undefined)))
}

/** Returns the folder of the server's socket. */
export function folderOf(address: string): string {
  return new URL(address).searchParams.get('host') ?? ''
}

/** Returns the name of the database at an address. */
export function nameOf(address: string): string {
  return new URL(address).pathname.slice(1)
}

export async function dropDatabase(address: string): Promise<void> {
  const server = new URL(address)
  server.pathname = '/postgres'
  await query(server.href, `drop database ${nameOf(address)} with (force)`)
}

/** `bigint` as a number: times and sums stay below 2^53. */
export const types = {
  getTypeParser: ((oid: number, format?: 'text') =>
    oid === pgTypes.builtins.INT8 ? Number : pgTypes.getTypeParser(oid, format)) as typeof pgTypes.getTypeParser,
}

/** Runs statements on a new connection. */
export async function query(address: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: address, types })
  // The statement that runs gets the error as well.
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}
