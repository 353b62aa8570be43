import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('../../..', import.meta.url))
/** Matches the output of npm if it does not reach its registry. */
const unreachable =
  /\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|ERR_SOCKET_TIMEOUT|E50[234])\b/

/** Thrown if something that a check needs is missing: the check is skipped. */
export class Skipped extends Error {}

/** Returns what to throw if something is missing. In CI, which installs everything, that is a failure. */
export function missing(reason: string, env = process.env): Error {
  return ['', 'false'].includes(env.CI ?? '') ? new Skipped(reason) : new Error(`${reason}; in CI nothing is skipped`)
}

/**
 * Installs the packages of a folder's lock file into another folder, unless they are there. They are apart from those of svc, so
 * that its own installation stays small. Returns the reason to skip the checks if the registry does not answer; throws it in CI.
 * Throws what npm prints for any other failure.
 */
export function findInstallationProblem(source: string, folder: string, env = process.env): string | undefined {
  const [wanted, present] = [join(root, source, 'package-lock.json'), join(root, folder, 'package-lock.json')]
  const isCurrent =
    existsSync(join(root, folder, 'node_modules/.package-lock.json')) &&
    existsSync(present) &&
    readFileSync(present, 'utf8') === readFileSync(wanted, 'utf8')
  if (isCurrent) return undefined
  mkdirSync(join(root, folder), { recursive: true })
  for (const file of ['package.json', 'package-lock.json']) cpSync(join(root, source, file), join(root, folder, file))
  // Several of the packages need a newer Node than svc does: they run with one that is among them.
  // Not `npm ci`: npm writes no binaries of other platforms into this lock file, and then rejects it.
  const args = ['install', '--no-save', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
  const { status, stderr } = spawnSync('npm', args, { cwd: join(root, folder), encoding: 'utf8', env })
  if (status === 0) return undefined
  const [reason] = unreachable.exec(stderr) ?? []
  if (reason === undefined) throw new Error(stderr)
  const problem = missing(
    `the packages of ${source} could not be installed, the registry did not answer (${reason})`,
    env,
  )
  if (problem instanceof Skipped) return problem.message
  throw problem
}
