import { existsSync } from 'node:fs'
import { openSqliteLog } from '../../adapters/sql/sqlite/log-file.js'
import { type Inspection, inspectDatabase, isDamage } from '../../adapters/sql/upkeep/inspect.js'
import { isUnavailable } from '../../errors.js'
import { scanLog } from '../../log/read-log.js'
import type { ProxyNotice } from '../../log/request-log.js'
import type { DataDir } from '../../runtime/data-dir.js'
import { programName } from '../../runtime/program-name.js'
import { codeOf } from '../../runtime/reason.js'
import { quote } from '../../text/spelling.js'
import { count } from '../../text/words.js'
import { describeTestState } from '../test-notices.js'
import { type CheckResult, note, ok, problem, reasonIn } from './check-result.js'

/** Checks that the database of a data directory is intact and of this version. `now` is the time of this machine. */
export function checkDatabase(dataDir: DataDir, now: number): CheckResult[] {
  if (!existsSync(dataDir.database)) return []
  try {
    const inspection = inspectDatabase(dataDir.database, now)
    const notes = describeTestState(inspection, onFolder(dataDir)).map(({ name, message }) => note(name, message))
    return [...notes, checkInspected(dataDir, inspection)]
  } catch (error) {
    return [describeRefusal(dataDir, error)]
  }
}

/** Finds the time at which a server on the data directory last warned of a proxy; undefined if it never did. */
export async function findProxyNotice({ log: file }: DataDir): Promise<string | undefined> {
  const log = openSqliteLog(file)
  try {
    const matches = ({ event }: ProxyNotice) => event === 'public_url_missing'
    const [notice] = await scanLog<ProxyNotice>(log, { kind: 'event', matches }).next(1)
    return notice?.time
  } catch (error) {
    // The service goes on without its log, and so does this.
    if (!isUnavailable(error)) throw error
    return undefined
  } finally {
    await log.close()
  }
}

const onFolder = ({ path }: DataDir) => `--data-dir ${quote(path)}`

function checkInspected(dataDir: DataDir, { faults, isTooNew, pendingMigrations }: Inspection): CheckResult {
  if (faults[0] !== undefined) return describeDamage(dataDir, faults[0])
  if (isTooNew) {
    return problem('database', 'A newer version of svc has worked on the database.', 'Install that version again.')
  }
  const changes = pendingMigrations.length
  return changes === 0
    ? ok('database', 'it is intact, and its tables are up to date')
    : note('database', `It is intact; the next start migrates its tables (${count(changes, 'change')}).`)
}

function describeDamage(dataDir: DataDir, fault: string, mayBeForeign = false): CheckResult {
  const svc = `${programName()} data`
  const other = mayBeForeign ? 'If it is of another program, name another directory. ' : ''
  const advice = `${other}Put back a snapshot: ${svc} reset ${onFolder(dataDir)} && ${svc} restore SNAPSHOT ${onFolder(dataDir)}`
  return problem('database', `${dataDir.database} is damaged: ${fault}.`, advice)
}

/** Describes an error of SQLite. The database may be intact. */
function describeRefusal(dataDir: DataDir, error: unknown): CheckResult {
  const code = codeOf(error)
  if (isDamage(error)) return describeDamage(dataDir, reasonIn(error), code === 'SQLITE_NOTADB')
  if (code === 'SQLITE_READONLY_ROLLBACK') {
    return note('database', 'Its first start was interrupted; the next one completes it.')
  }
  if (code.startsWith('SQLITE_BUSY')) {
    const message = `Another process has ${dataDir.database} locked, as a restore does.`
    return problem('database', message, 'Run this again when it has ended.')
  }
  const message = `${dataDir.database} cannot be read: ${reasonIn(error)}. That does not say that it is damaged.`
  const advice = `Check the permissions of the data directory and its disk, then run: ${programName()} doctor ${onFolder(dataDir)}`
  return problem('database', message, advice)
}
