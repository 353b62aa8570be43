import { CommanderError } from 'commander'
import type { CommandModule, Interrupted } from './commands/command.js'
import { StrictCommand } from './commands/strict-command.js'
import { isSvcError } from './errors.js'
import { watchOutput } from './runtime/output.js'
import { version } from './runtime/program-name.js'
import { toPrintable, toPrintableLines } from './text/words.js'

interface CommandEntry {
  readonly summary: string
  readonly load: () => Promise<CommandModule>
}

/** Every command group. Its module is loaded only if the group is named. */
const commandGroups: Readonly<Record<string, CommandEntry>> = {
  demo: {
    summary: 'serve a temporary demo and open its page',
    load: () => import('./commands/demo.js'),
  },
  validate: {
    summary: 'check health-detail payloads and locate every violation',
    load: () => import('./commands/validate.js'),
  },
  payload: {
    summary: 'make valid payloads to test with',
    load: () => import('./commands/payload.js'),
  },
  insight: {
    summary: 'render, explain and check the health insight texts; review, edit, comment and sign them',
    load: () => import('./commands/insight.js'),
  },
  avatar: {
    summary: 'make pictures of a pet from a photo, list and rate them',
    load: () => import('./commands/avatar.js'),
  },
  animation: { summary: "make an avatar's pictures move", load: () => import('./commands/animation.js') },
  home: { summary: "make the cards of a pet's home page", load: () => import('./commands/home.js') },
  diary: {
    summary: 'make pictures of a pet in scenes, choose the one of a day, list scenes',
    load: () => import('./commands/diary.js'),
  },
  task: { summary: 'list tasks, show one, or wait for it', load: () => import('./commands/task.js') },
  models: { summary: 'list the models that a key may use', load: () => import('./commands/models.js') },
  usage: { summary: 'show usage and cost by pet', load: () => import('./commands/usage.js') },
  init: { summary: 'choose the models that make pictures and clips', load: () => import('./commands/init.js') },
  provider: {
    summary: 'list and check the models that can be used',
    load: () => import('./commands/provider.js'),
  },
  prompt: { summary: 'show the prompts for models', load: () => import('./commands/prompt.js') },
  serve: { summary: 'run the HTTP server', load: () => import('./commands/serve.js') },
  key: { summary: 'create, list, revoke and rotate API keys', load: () => import('./commands/key.js') },
  fault: {
    summary: 'make calls and tasks fail, to test a client',
    load: () => import('./commands/fault.js'),
  },
  logs: { summary: 'read the request log', load: () => import('./commands/logs.js') },
  mcp: {
    summary: 'serve the API and the checks of payloads as tools for agents',
    load: () => import('./commands/mcp.js'),
  },
  migrate: {
    summary: 'change the tables of the database to those of this version',
    load: () => import('./commands/migrate.js'),
  },
  data: { summary: 'back up, restore, empty or prune the data directory', load: () => import('./commands/data.js') },
  doctor: { summary: 'check this machine and the data directory', load: () => import('./commands/doctor.js') },
  clock: { summary: 'move the clock of a service, for tests', load: () => import('./commands/clock.js') },
  exec: { summary: 'run a program with a server of its own', load: () => import('./commands/exec.js') },
  completion: {
    summary: 'print the completion script of a shell',
    load: () => import('./commands/completion.js'),
  },
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
    for (const [name, group] of Object.entries(commandGroups)) {
      if (group === named) (await group.load()).register(program, finish)
      // If a group is named, the list of the others is not shown; making it takes a millisecond.
      else if (named === undefined) program.command(name).description(group.summary)
    }
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
