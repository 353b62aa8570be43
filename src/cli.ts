import { CommanderError } from 'commander'
import type { CommandModule, Interrupted } from './commands/command.js'
import { watchOutput } from './commands/output/stream.js'
import { toPrintable, toPrintableLines } from './commands/output/words.js'
import { StrictCommand } from './commands/strict-command.js'
import { isSvcError } from './errors.js'
import { version } from './version.js'

interface CommandEntry {
  readonly summary: string
  readonly load: () => Promise<CommandModule>
  /** Whether it tells of all groups, so that each is loaded. */
  readonly describesAll?: true
}

/** Every command group. A group's module is loaded only when the group is named. */
const commandGroups: Readonly<Record<string, CommandEntry>> = {
  demo: {
    summary: 'serve a demo that is gone when it ends, and open its page',
    load: () => import('./commands/demo.js'),
  },
  validate: {
    summary: 'check health-detail payloads and say exactly what is wrong and where',
    load: () => import('./commands/validate.js'),
  },
  insight: {
    summary: 'render, explain and check the health insight texts; review, edit, comment and sign them',
    load: () => import('./commands/insight.js'),
  },
  avatar: {
    summary: 'make pictures of a pet from a photo, list them, say which are liked',
    load: () => import('./commands/avatar.js'),
  },
  animation: { summary: "make an avatar's pictures move", load: () => import('./commands/animation.js') },
  home: { summary: "make the cards of a pet's home page", load: () => import('./commands/home.js') },
  diary: {
    summary: 'make pictures of a pet in scenes, choose the one of a day, list scenes',
    load: () => import('./commands/diary.js'),
  },
  task: { summary: 'look at a task, or wait for it', load: () => import('./commands/task.js') },
  models: { summary: 'list the models that a key may use', load: () => import('./commands/models.js') },
  usage: { summary: 'what was made and what it cost, by pet', load: () => import('./commands/usage.js') },
  init: { summary: 'choose the models that make pictures and clips', load: () => import('./commands/init.js') },
  provider: {
    summary: 'see which models can be used, and what they lack',
    load: () => import('./commands/provider.js'),
  },
  prompt: { summary: 'see what models are asked', load: () => import('./commands/prompt.js') },
  serve: { summary: 'run the HTTP server', load: () => import('./commands/serve.js') },
  key: { summary: 'create, list, revoke and rotate API keys', load: () => import('./commands/key.js') },
  logs: { summary: 'read the request log', load: () => import('./commands/logs.js') },
  data: { summary: 'copy, put back, empty or thin out the data folder', load: () => import('./commands/data.js') },
  doctor: { summary: 'check this machine and the data folder', load: () => import('./commands/doctor.js') },
  exec: { summary: 'run a program beside a server of its own', load: () => import('./commands/exec.js') },
  completion: {
    summary: 'print the completion script of a shell',
    load: () => import('./commands/completion.js'),
    describesAll: true,
  },
}

/** Runs the program and sets the exit code: 0 done, 1 the answer is no, 2 could not do it, 3 partial, 4 deadline. */
export async function main(argv: readonly string[]): Promise<void> {
  let fault: 2 | undefined
  watchOutput((message) => {
    // Perhaps after the command has ended: what it printed is not there.
    fault = process.exitCode = 2
    process.stderr.write(`svc: ${message}\n`)
  })
  const code = await run(argv.slice(2))
  process.exitCode = fault ?? code
}

async function run(args: readonly string[]): Promise<number> {
  let result = 0
  const program = new StrictCommand('svc')
    .description('HTTP/JSON gateway for AI-backed pet features, with its command line.')
    .version(version, '-V, --version')
    .exitOverride()
    .configureHelp({ showGlobalOptions: false })
    // A mistake is quoted, and what is quoted may come out of a file name or a script.
    .configureOutput({ outputError: (text, write) => write(toPrintableLines(text)) })
    .showHelpAfterError('(run the command with --help for its options)')
    .addHelpText('after', '\nExamples:\n  svc demo\n  svc serve\n  svc validate payload.json\n')
  const finish = (code: number) => {
    result = code
  }
  // `svc help data` shows what data has.
  const named = commandGroups[(args[0] === 'help' ? args[1] : args[0]) ?? '']
  try {
    for (const [name, group] of Object.entries(commandGroups)) {
      if (group === named || named?.describesAll) (await group.load()).register(program, finish)
      // Where a group is named nobody sees the list of the others, and making it takes a millisecond.
      else if (named === undefined) program.command(name).description(group.summary)
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
    // By the signal itself, so that a script's loop ends, too. Spinner and prompts listen to it; they are done by now.
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
