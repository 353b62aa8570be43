import { describeDatabase, describeObjects, nameStorage, type StorageConfig } from '../../config/storage.js'
import type { Config } from '../../config.js'
import { isSvcError } from '../../errors.js'
import { programName } from '../../runtime/program-name.js'
import { count } from '../../text/words.js'
import { requireSecret } from '../storage/secret.js'
import { describeTestState } from '../test-notices.js'
import { type CheckResult, describeProxy, note, ok, problem, reasonIn } from './check-result.js'

/** Rates, leases and deadlines are computed with the times of the database and of this machine. */
const skewMsAtMost = 5000

/** Checks the configured database, the secret of its processes, and the clock. */
export async function checkSharedDatabase(config: StorageConfig & Pick<Config, 'publicUrl'>): Promise<CheckResult[]> {
  const name = describeDatabase(config.database)
  const { examineServer } = await import('../storage/database.js')
  try {
    const { version, pending, skewMs, fingerprint, proxyNoticeAt, durabilityFaults, poolerFault, ...state } =
      await examineServer(config)
    return [
      ok('database', `${name}: PostgreSQL ${version}, encoding and order are right`),
      pending.length === 0
        ? ok('tables', 'they are up to date')
        : note(
            'tables',
            `The next start, or ${programName()} migrate, changes them (${count(pending.length, 'change')}).`,
          ),
      checkSkew(skewMs),
      ...describeTestState(state, nameStorage(config)).map(({ name, message }) => note(name, message)),
      ...describeProxy(config, proxyNoticeAt === undefined ? undefined : new Date(proxyNoticeAt).toISOString()),
      ...durabilityFaults.map((fault) => problem('durability', ...split(fault))),
      ...(poolerFault === undefined ? [] : [problem('pooler', ...split(poolerFault))]),
      checkSharedSecret(config, fingerprint),
    ]
  } catch (error) {
    const [message, fix] = split(reasonOf(error))
    return [problem('database', `${name} cannot be used: ${message}`, fix || 'Correct SVC_DATABASE, or start it.')]
  }
}

/** Splits sentences into the fault and its fix. */
function split(fault: string): [message: string, fix: string] {
  const [message = '', ...fix] = fault.split(/(?<=\.) (?=[A-Z])/)
  return [message, fix.join(' ')]
}

/** Returns the reason of a failure without an address, which may hold a password. */
function reasonOf(error: unknown): string {
  const cause = isSvcError(error) && error.code === 'unavailable' ? (error.cause ?? error) : error
  return reasonIn(cause).replaceAll(/postgres(ql)?:\S+/g, '[URL]')
}

function checkSkew(skewMs: number): CheckResult {
  const seconds = Math.round(Math.abs(skewMs) / 1000)
  if (Math.abs(skewMs) <= skewMsAtMost) return ok('clock', 'it agrees with that of the database')
  const relation = skewMs > 0 ? 'later' : 'earlier'
  const message = `The clock of this machine shows a time ${count(seconds, 'second')} ${relation} than the database's.`
  return problem('clock', message, 'Synchronize both, for example with chrony.')
}

function checkSharedSecret(config: StorageConfig, kept: string | undefined): CheckResult {
  try {
    requireSecret(config, kept)
    return ok('secret', kept === undefined ? 'it is set' : 'it is that of the other processes')
  } catch (error) {
    if (!isSvcError(error)) throw error
    return problem('secret', error.message, 'Set SVC_SECRET or SVC_SECRET_FILE.')
  }
}

/** Checks the configured bucket, the permissions of its key, and the clock. */
export async function checkSharedObjects(config: StorageConfig): Promise<CheckResult[]> {
  const { findBucketFaults } = await import('../storage/bucket.js')
  const name = describeObjects(config.objects)
  try {
    const faults = await findBucketFaults(config)
    if (faults.length === 0) return [ok('objects', `${name} can be listed, written, read and deleted from`)]
    return faults.map((fault) => problem('objects', ...split(fault)))
  } catch (error) {
    if (!isSvcError(error)) throw error
    return [problem('objects', error.message, 'Correct SVC_OBJECTS and its key.')]
  }
}
