import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { constants } from 'node:os'
import { startTemporaryService, type TemporaryService } from '../app/temporary/temporary-service.js'
import { drawUnlessTold, loadConfig, toChildEnvironment } from '../config.js'
import { reasonOf } from '../runtime/reason.js'
import { parseTime } from '../text/time.js'
import { toPrintable } from '../text/words.js'
import type { CommandModule } from './command.js'

export const register: CommandModule['register'] = (program, finish) => {
  program
    .command('exec')
    .description('Run a program with a server of its own, which ends with the program.')
    .usage('[options] -- <program> [arguments...]')
    .option('--at <time>', 'time at which the clock of the server starts, such as 2026-12-24 or 2026-12-24T09:00:00Z')
    .option('--fault <rule>', 'fault rule of the server, such as status=503,times=1; repeatable', addRule, [])
    .option('--report [file]', 'say at the end what the client did wrong and never met, or write it to a file as JSON')
    .option('--strict-client', 'exit with 1 if the client did something wrong; implies --report')
    .argument('<program>', 'program to run')
    .argument('[arguments...]', 'its arguments')
    .addHelpText('after', help)
    .action(async (name: string, args: string[], flags: ExecFlags) => finish(await exec(name, args, flags)))
}

interface ExecFlags {
  readonly at?: string
  readonly fault: readonly string[]
  readonly report?: string | true
  readonly strictClient?: true
}

const addRule = (rule: string, before: readonly string[]) => [...before, rule]

async function exec(name: string, args: readonly string[], flags: ExecFlags): Promise<number> {
  const { at: time, fault, strictClient, report = strictClient } = flags
  const at = time === undefined ? undefined : parseTime(time, '--at')
  const config = drawUnlessTold(loadConfig({ host: '127.0.0.1', port: '0' }))
  const rules = fault.length === 0 ? [] : (await import('./exec/fault-flags.js')).readRules(fault, config)
  const referee = report === undefined ? undefined : (await import('./exec/referee.js')).createReferee()
  const signals = catchSignals()
  try {
    const service = await startTemporaryService(config, 'exec', at, referee?.see)
    try {
      if (rules.length > 0) await (await import('./exec/fault-flags.js')).addRules(service, rules)
      const code = await runProgram(name, args, environmentOf(service), signals)
      const wrong = (await referee?.report(service, [name, ...args], report === true ? undefined : report)) ?? 0
      return strictClient && wrong > 0 && code === 0 ? 1 : code
    } finally {
      await service.close()
    }
  } finally {
    signals.release()
  }
}

/** The service's own folder holds all its state: a database and a bucket of the environment are those of another service. */
function environmentOf({ url, key, dataDir }: TemporaryService): Record<string, string> {
  return { SVC_URL: url, SVC_API_KEY: key, SVC_DATA_DIR: dataDir, SVC_DATABASE: '', SVC_OBJECTS: '' }
}

const help = `
The program gets the address of the server in SVC_URL, a key without restrictions in SVC_API_KEY, and the folder in SVC_DATA_DIR,
which svc's own commands use too. Port and data directory are new each time; other SVC_* variables apply as for svc serve. The built-in
provider draws, unless SVC_PROVIDER or SVC_CONFIG names another. Rules have the fields of svc fault add, joined by commas.

With --report, svc says on standard error which rules of the guide the client did not keep, with the calls that show it, and which
states and errors it never met, with the command that makes each happen.

Exit codes: that of the program, 128 plus the number of the signal that ended it, 126 or 127 if it cannot run, 2 if the server
cannot start.

Examples:
  svc exec -- npm test
  svc exec --at 2026-12-24 -- npm test
  svc exec --strict-client -- npm test
  svc exec -- sh -c 'curl -s "$SVC_URL/health"'
  svc exec --fault 'route=POST /v1/pet-avatar/generate,status=503,times=1' -- npm test
  svc exec --fault pet=tom,pose=sitting,code=provider_error --fault drop=after,times=1 -- npm test
`

/** Exit codes as in shells, for a signal, a program that is not found, and one that cannot run. */
const signalOffset = 128
const notFound = 127
const notRunnable = 126

/** Runs a program with these variables added to the environment, and with our standard streams. Returns its exit code. */
async function runProgram(
  name: string,
  args: readonly string[],
  variables: Readonly<Record<string, string>>,
  signals: ReturnType<typeof catchSignals>,
): Promise<number> {
  const stoppedBy = signals.pending()
  if (stoppedBy !== undefined) return toExitCode(null, stoppedBy)
  try {
    const child = spawn(name, args, { stdio: 'inherit', env: toChildEnvironment(variables) })
    signals.forwardTo((signal) => child.kill(signal))
    const [code, signal] = await once(child, 'exit')
    return toExitCode(code, signal)
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT'
    const reason = isMissing ? 'the program is not found' : reasonOf(error)
    process.stderr.write(`svc: ${toPrintable(name)} cannot be run: ${reason}.\n`)
    return isMissing ? notFound : notRunnable
  }
}

function toExitCode(code: number | null, signal: NodeJS.Signals | null): number {
  return code ?? signalOffset + (signal === null ? 0 : constants.signals[signal])
}

const forwarded: readonly NodeJS.Signals[] = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT']
/** Signals that a terminal sends to all foreground processes, also to the program. */
const sentByTerminal: readonly NodeJS.Signals[] = ['SIGINT', 'SIGQUIT']

/** Catches signals, so that they do not end this process. */
function catchSignals() {
  let first: NodeJS.Signals | undefined
  let kill: ((signal: NodeJS.Signals) => void) | undefined
  const onSignal = (signal: NodeJS.Signals) => {
    if (kill === undefined) first ??= signal
    // Checked for each signal: a job may have moved to the background meanwhile.
    else if (!sentByTerminal.includes(signal) || !isInForeground()) kill(signal)
  }
  for (const signal of forwarded) process.on(signal, onSignal)
  return {
    /** Returns the first signal before `forwardTo`. */
    pending: () => first,
    /** Forwards signals to the program, except those that its terminal sends it. */
    forwardTo(killProgram: (signal: NodeJS.Signals) => void) {
      kill = killProgram
    },
    release() {
      for (const signal of forwarded) process.off(signal, onSignal)
    },
  }
}

/**
 * True if a signal of the terminal, such as Ctrl-C, reaches this process and its children: it is in the foreground process
 * group of a terminal. Standard input may come from elsewhere.
 */
function isInForeground(): boolean {
  return process.platform === 'linux' ? isForegroundGroup(readFileSync('/proc/self/stat', 'utf8')) : hasTerminal()
}

/** Reads the stat line of a process on Linux. Source: the manual page proc(5), /proc/pid/stat. */
export function isForegroundGroup(stat: string): boolean {
  // The name of the program is in parentheses, and may contain blanks and parentheses.
  const [, , group, , , foregroundGroup] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return group === foregroundGroup
}

/** Other systems only tell whether there is a terminal. */
function hasTerminal(): boolean {
  try {
    closeSync(openSync('/dev/tty', 'r'))
    return true
  } catch {
    // A process without a terminal cannot open it.
    return false
  }
}
