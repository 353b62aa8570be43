import { CommanderError } from 'commander'
import type { CommandModule, Interrupted } from './commands/command.js'
import { StrictCommand } from './commands/strict-command.js'
import { isSvcError } from './errors.js'
import { watchOutput } from './runtime/output.js'
import { version } from './runtime/program-name.js'
import { toPrintable, toPrintableLines } from './text/words.js'

/** Every command group: its summary, and its module, which is loaded only if the group is named. */
const commandGroups: Readonly<Record<string, readonly [summary: string, load: () => Promise<CommandModule>]>> = {
  demo: ['serve a temporary demo and open its page', () => import('./commands/demo.js')],
  validate: ['check health-detail payloads and locate every violation', () => import('./commands/validate.js')],
  payload: ['make valid payloads to test with', () => import('./commands/payload.js')],
  insight: [
    'render, explain and check the health insight texts; review, edit, comment and sign them',
    () => import('./commands/insight.js'),
  ],
  avatar: ['make pictures of a pet from a photo, list and rate them', () => import('./commands/avatar.js')],
  animation: ["make an avatar's pictures move", () => import('./commands/animation.js')],
  home: ["make the cards of a pet's home page", () => import('./commands/home.js')],
  diary: [
    'make pictures of a pet in scenes, choose the one of a day, list scenes',
    () => import('./commands/diary.js'),
  ],
  task: ['list tasks, show one, or wait for it', () => import('./commands/task.js')],
  models: ['list the models that a key may use', () => import('./commands/models.js')],
  usage: ['show usage and cost by pet', () => import('./commands/usage.js')],
  init: ['choose the models that make pictures and clips', () => import('./commands/init.js')],
  provider: ['list and check the models that can be used', () => import('./commands/provider.js')],
  prompt: ['show the prompts for models', () => import('./commands/prompt.js')],
  serve: ['run the HTTP server', () => import('./commands/serve.js')],
  key: ['create, list, revoke and rotate API keys', () => import('./commands/key.js')],
  fault: ['make calls and tasks fail, to test a client', () => import('./commands/fault.js')],
  logs: ['read the request log', () => import('./commands/logs.js')],
  mcp: ['serve the API and the checks of payloads as tools for agents', () => import('./commands/mcp.js')],
  migrate: ['change the tables of the database to those of this version', () => import('./commands/migrate.js')],
  data: ['back up, restore, empty or prune the data directory', () => import('./commands/data.js')],
  doctor: ['check this machine and the data directory', () => import('./commands/doctor.js')],
  clock: ['move the clock of a service, for tests', () => import('./commands/clock.js')],
  exec: ['run a program with a server of its own', () => import('./commands/exec.js')],
  completion: ['print the completion script of a shell', () => import('./commands/completion.js')],
}

/** Runs the program and sets the exit code: 0 done, 1 the answer is no, 2 could not do it, 3 partial, 4 deadline. */
export async function main(argv: readonly string[]): Promise<void> {
  let failure: 2 | undefined
  watchOutput((message) => {
    // The command may have ended already: its output is not complete.
    failure = process.exitCode = 2
    process.stderr.write(`svc: ${message}\n`)
  })
  const code = await run(argv.slice(2))
  process.exitCode = failure ?? code
}

async function run(args: readonly string[]): Promise<number> {
  let result = 0
  const program = new StrictCommand('svc')
    .description('HTTP/JSON gateway for AI-backed pet features, with its command line.')
    .version(version, '-V, --version')
    .exitOverride()
    .configureHelp({ showGlobalOptions: false })
    // Errors quote words that may come from a file name or a script.
    .configureOutput({ outputError: (text, write) => write(toPrintableLines(text)) })
    .showHelpAfterError('(run the command with --help for its options)')
    .addHelpText('after', '\nExamples:\n  svc demo\n  svc serve\n  svc validate payload.json\n')
  const finish = (code: number) => {
    result = code
  }
  // Scripts for shells call `svc __complete svc WORD…` with the words of a line; the last one is being typed.
  const isCompletion = args[0] === '__complete'
  const [first, second] = isCompletion ? args.slice(2, -1) : args
  // `svc help data` shows the commands of data.
  const named = commandGroups[(first === 'help' ? second : first) ?? '']
  try {
    // If a group is named, the list of the others is not shown; making it takes a millisecond.
    if (named !== undefined) (await named[1]()).register(program, finish)
    else for (const [name, [summary]] of Object.entries(commandGroups)) program.command(name).description(summary)
    if (isCompletion) {
      const { complete } = await import('./commands/completion/complete.js')
      process.stdout.write(await complete(program, args.slice(2)))
      return 0
    }
    await program.parseAsync(args as string[], { from: 'user' })
    return result
  } catch (error) {
    return exitCodeOf(error)
  }
}

function exitCodeOf(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
  if (error instanceof Error && error.name === 'Interrupted') {
    // Ends by the signal, so that a loop of a script ends too. Spinner and prompts have removed their handlers by now.
    const { signal } = error as Interrupted
    process.removeAllListeners(signal)
    process.kill(process.pid, signal)
    return 2
  }
  if (isSvcError(error)) {
    process.stderr.write(`svc: ${toPrintable(error.message)}\n`)
    return 2
  }
  const details = error instanceof Error ? (error.stack ?? error.message) : String(error)
  process.stderr.write(`svc: internal error: ${toPrintableLines(details)}\n`)
  return 2
}
