import { type Config, type ConfigFlags, loadConfig } from '../config.js'
import { type DataDir, describeDataDir } from '../data-dir.js'
import { isSvcError, type SvcError } from '../errors.js'
import { listLogFiles } from '../log.js'
import { printJson } from './client/run.js'
import type { CommandModule, CommandResult } from './command.js'
import { checkDatabase, checkKeys, checkObjects } from './doctor/data.js'
import { type Finding, ok, problem, renderFindings } from './doctor/finding.js'
import { checkFolder, checkSpace } from './doctor/folder.js'
import { checkClock, checkDecoder, checkNode } from './doctor/machine.js'
import { checkClips, checkPictures } from './doctor/media.js'
import { checkPort } from './doctor/port.js'
import { type Part, parts } from './doctor/rights.js'

interface DoctorFlags extends ConfigFlags {
  readonly fix?: true
  readonly json?: true
}

export const register: CommandModule['register'] = (program, finish) => {
  program
    .command('doctor')
    .description('Check this machine, the settings and the data folder, also beside a running server.')
    .option('--fix', 'remove files that no task knows, and narrow the rights of those that are secret')
    .option('--host <host>', 'address that the server is to listen on (SVC_HOST, default 127.0.0.1)')
    .option('--port <port>', 'its port (SVC_PORT, default 8787)')
    .option('--data-dir <folder>', 'folder of the service (SVC_DATA_DIR, default .svc)')
    .option('--config <file>', 'the file that names models (SVC_CONFIG, default svc.config.json in the data folder)')
    .option('--json', 'print one JSON document')
    .addHelpText('after', help)
    .action(async (flags: DoctorFlags) => finish(await runChecks(flags)))
}

async function runChecks(flags: DoctorFlags): Promise<CommandResult> {
  const findings = [checkNode(), await checkPictures(), await checkClips(), ...(await checkService(flags))]
  if (flags.json) printJson({ findings, summary: summarize(findings) })
  else process.stdout.write(renderFindings(findings))
  return findings.some(({ state }) => state === 'problem') ? 1 : 0
}

/** What depends on the settings: without them nobody knows which folder and port are meant. */
async function checkService(flags: DoctorFlags): Promise<Finding[]> {
  const config = readSettings(flags)
  if ('state' in config) return [config]
  const dataDir = describeDataDir(config.dataDir)
  const now = Date.now()
  const fix = flags.fix === true
  const { findings: folder, closed } = checkFolder(dataDir, now, fix)
  return [
    checkDecoder(config),
    ok('settings', `provider ${config.provider}, environment ${config.environment}`),
    ...(await checkProvider(config)),
    ...folder,
    checkSpace(dataDir),
    ...(closed.size === parts.length ? [] : checkContents(dataDir, now, fix, closed)),
    await checkPort(config),
  ]
}

/** What knows the providers is loaded where the operator has chosen some. */
async function checkProvider(config: Config): Promise<Finding[]> {
  if (config.provider === 'stub') return []
  const { checkModels } = await import('./doctor/models.js')
  return checkModels(config)
}

function checkContents(dataDir: DataDir, now: number, fix: boolean, closed: ReadonlySet<Part>): Finding[] {
  const { findings, newestAt, activeKeys } = closed.has('database')
    ? { findings: [], newestAt: 0 }
    : checkDatabase(dataDir, now)
  const logs = closed.has('logs') ? [] : listLogFiles(dataDir.logs)
  const clock = checkClock([dataDir.database, ...logs], newestAt)
  // Of a database that cannot be read nobody knows which keys and files it names.
  if (activeKeys === undefined) return [clock, ...findings]
  return [
    clock,
    ...findings,
    ...checkKeys(dataDir, activeKeys, closed),
    ...(closed.has('objects') ? [] : checkObjects(dataDir, now, fix)),
  ]
}

/** A flag that is wrong is a mistake of whoever gave it; a variable is what is to be found here. */
function readSettings({ host, port, dataDir, config }: DoctorFlags): Config | Finding {
  const given = Object.entries({ host, port, dataDir, config }).filter(([, value]) => value !== undefined)
  const flags = Object.fromEntries(given)
  loadConfig(flags, {})
  try {
    return loadConfig(flags)
  } catch (error) {
    if (!isSvcError(error)) throw error
    return problem(
      'settings',
      (error as SvcError).message,
      'Change the variable. Until then folder and port are not checked.',
    )
  }
}

function summarize(findings: readonly Finding[]) {
  const count = (state: Finding['state']) => findings.filter((finding) => finding.state === state).length
  return { ok: count('ok'), notes: count('note'), problems: count('problem') }
}

const help = `
Exit codes: 0 all is well, 1 something needs to be done (it says what), 2 it could not be checked.

Examples:
  svc doctor
  svc doctor --fix --data-dir .svc
`
