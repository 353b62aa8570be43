import { spawnSync } from 'node:child_process'
import { statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { noFfmpeg } from '../../adapters/clips/protocol.js'
import type { Config } from '../../config.js'
import { isSvcError } from '../../errors.js'
import { shippedUrl } from '../../runtime/entry.js'
import { nodeRange } from '../../runtime/version.js'
import { findClipDecoder } from '../clip-loops.js'
import { type CheckResult, note, ok, problem } from './check-result.js'

/** Names the version of Node; bin/svc.js refuses an older one. */
export function checkNode(): CheckResult {
  return ok('node', `Node.js ${process.versions.node} (${nodeRange.slice(2)} or newer is needed)`)
}

/** Loads the driver of SQLite, whose binary fits one version of Node. */
export async function checkDriver(): Promise<CheckResult> {
  try {
    await import('../../adapters/sql/sqlite/driver.js')
    return ok('sqlite', 'the driver of SQLite is loaded')
  } catch (error) {
    if (!isSvcError(error)) throw error
    return problem('sqlite', error.message, 'Or use the Node with which svc was installed.')
  }
}

/** Checks the decoder for clips of real models, which the built-in provider does not need. */
export function checkDecoder(config: Config): CheckResult {
  const ffmpeg = findClipDecoder(config)
  if (ffmpeg === undefined) return note('decoder', `${noFfmpeg} The built-in provider does not need it.`)
  // A busy machine that reads it from a slow disk for the first time needs several seconds.
  const { stdout, status } = spawnSync(ffmpeg, ['-version'], { encoding: 'utf8', timeout: 30_000 })
  if (status === 0) return ok('decoder', stdout.split('\n')[0]?.replace(/ Copyright.*/, '') ?? '')
  return problem('decoder', `${ffmpeg} does not run.`, 'Reinstall ffmpeg, or name another one in FFMPEG_PATH.')
}

/** The clocks of two machines that share a disk differ by less. */
const toleranceMs = 120_000

/** Checks that the clock shows no time before the build of this program, and has not jumped while this command ran. */
export function checkClock(now = Date.now()): CheckResult {
  const adjust = 'Set the clock of the machine (timedatectl set-ntp true).'
  const drift = now - (performance.timeOrigin + performance.now())
  if (Math.abs(drift) > toleranceMs) {
    return problem('clock', `The clock jumped by ${Math.round(drift / 1000)} s while this command ran.`, adjust)
  }
  const built = statSync(fileURLToPath(shippedUrl('package.json')), { throwIfNoEntry: false })?.mtimeMs ?? 0
  if (built - now > toleranceMs) {
    const message = `The clock says ${new Date(now).toISOString()}, and svc here is from ${new Date(built).toISOString()}.`
    return problem('clock', message, `${adjust} Leases, expiries and signed URLs depend on it.`)
  }
  return ok('clock', new Date(now).toISOString())
}
