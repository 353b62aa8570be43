import { type CheckResult, problem } from '../app/doctor/check-result.js'
import { checkMachine, checkService } from '../app/doctor/run-checks.js'
import { type Config, type ConfigFlags, loadConfig } from '../config.js'
import { isSvcError } from '../errors.js'
import { createPaint, type TextStyle } from '../runtime/style.js'
import { count, toPrintable } from '../text/words.js'
import { printJson } from './client/run.js'
import type { CommandModule, CommandResult } from './command.js'
import { addStorageOptions } from './storage-options.js'

interface DoctorFlags extends ConfigFlags {
  readonly fix?: true
  readonly json?: true
}

export const register: CommandModule['register'] = (program, finish) => {
  program
    .command('doctor')
    .description('Check this machine, the settings and the data directory; works while a server is running.')
    .option('--fix', 'restrict the permissions of secret files')
    .option('--host <host>', 'address of the server (SVC_HOST, default 127.0.0.1)')
    .option('--port <port>', 'its port (SVC_PORT, default 8787)')
    .use(addStorageOptions)
    .option('--config <file>', 'the file that names models (SVC_CONFIG, default svc.config.json in the data directory)')
    .option('--json', 'print one JSON document')
    .addHelpText('after', help)
    .action(async (flags: DoctorFlags) => finish(await runDoctor(flags)))
}

async function runDoctor(flags: DoctorFlags): Promise<CommandResult> {
  const machine = await checkMachine()
  const config = await readSettings(flags)
  // Without valid settings, folder and port are unknown.
  const results = [...machine, ...('state' in config ? [config] : await checkService(config, flags.fix === true))]
  if (flags.json) printJson({ findings: results, summary: summarize(results) })
  else process.stdout.write(renderResults(results))
  return results.some(({ state }) => state === 'problem') ? 1 : 0
}

/** Reads the settings. A wrong flag is wrong usage and throws; a wrong variable is a problem to report. */
async function readSettings({ fix, json, ...flags }: DoctorFlags): Promise<Config | CheckResult> {
  loadConfig(flags, {})
  try {
    const settings = loadConfig(flags)
    if (settings.stubFail.length > 0) {
      const { checkStubFailures } = await import('../app/diary-catalog.js')
      await checkStubFailures(settings.stubFail)
    }
    return settings
  } catch (error) {
    if (!isSvcError(error)) throw error
    return problem(
      'settings',
      error.message,
      'Change the variable. Until then, data directory and port are not checked.',
    )
  }
}

function summarize(results: readonly CheckResult[]) {
  const count = (state: CheckResult['state']) => results.filter((result) => result.state === state).length
  return { ok: count('ok'), notes: count('note'), problems: count('problem') }
}

const help = `
It looks at the machine, the driver, the data directory and its permissions, the port and the models, and at a database or a bucket of
the settings. svc data prune looks at the stored files.

Exit codes: 0 no problem, 1 problems, each with its fix, 2 the checks could not run.

Examples:
  svc doctor
  svc doctor --fix --data-dir .svc
`

const marks: Readonly<Record<CheckResult['state'], readonly [mark: string, tone: TextStyle]>> = {
  ok: ['✓', 'green'],
  note: ['·', 'yellow'],
  problem: ['✗', 'red'],
}

function renderResults(results: readonly CheckResult[]): string {
  const paint = createPaint(process.stdout)
  const width = Math.max(...results.map(({ check }) => check.length))
  const lines = results.flatMap(({ check, state, message, fix }) => {
    const [mark, tone] = marks[state]
    const line = `${paint(tone, mark)} ${check.padEnd(width)}  ${toPrintable(message)}`
    return fix === undefined ? [line] : [line, `  ${' '.repeat(width)}  ${toPrintable(fix)}`]
  })
  const { problems } = summarize(results)
  const sum = problems === 0 ? 'All is well.' : `${count(problems, 'problem')} to be solved.`
  return `${[...lines, '', sum].join('\n')}\n`
}
