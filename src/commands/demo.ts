import { type Config, type ConfigFlags, drawUnlessTold, loadConfig, readSurroundings } from '../config.js'
import type { CommandModule } from './command.js'
import { requestSampleAvatars } from './demo/sample-pets.js'
import { type DemoService, startDemoService } from './demo/service.js'
import { nextSignal } from './serve/next-signal.js'

interface DemoFlags extends Pick<ConfigFlags, 'dataDir'> {
  readonly open: boolean
  readonly json?: true
}

export const register: CommandModule['register'] = (program, finish) => {
  program
    .command('demo')
    .description('Serve a demo on a free port, with a dog and a cat being drawn, and open its page in the browser.')
    .option('--data-dir <folder>', 'keep everything in this folder (default: a new one, removed at the end)')
    .option('--no-open', 'print the address only; so it is in CI and without a display, too')
    .option('--json', 'print the ready line as JSON')
    .addHelpText('after', help)
    .action(async (flags: DemoFlags) => {
      await runDemo(flags)
      finish(0)
    })
}

async function runDemo(flags: DemoFlags): Promise<void> {
  // Only the flag names a folder to keep: what SVC_DATA_DIR names is that of a service.
  const config = { ...withQuickPolls(drawUnlessTold(loadConfig({ ...flags, port: '0' }))), publicUrl: null }
  // A terminal that is closed ends the demo, too, and its folder must not stay.
  const stopped = nextSignal(['SIGINT', 'SIGTERM', 'SIGHUP'])
  const service = await startDemoService(config, flags.dataDir !== undefined)
  try {
    const tasks = await requestSampleAvatars(service)
    const page = toPageUrl(service, tasks)
    const opens = flags.open && canOpen()
    process.stdout.write(`${flags.json ? toJson(service, page, tasks) : toText(service, page, opens)}\n`)
    if (opens) await openPage(page)
    await stopped
  } finally {
    await service.close()
  }
}

/** Who looks at the page sees what was made within a second, unless the environment says how often callers ask. */
function withQuickPolls(config: Config): Config {
  return config.findVariable('SVC_POLL_AFTER_SECONDS') === undefined ? { ...config, pollAfterSeconds: 1 } : config
}

/** The key stands behind `#`, which no browser sends anywhere. */
function toPageUrl({ url, key }: DemoService, tasks: readonly string[]): string {
  return `${url}/demo#${[`key=${key}`, ...tasks.map((id) => `task=${id}`)].join('&')}`
}

function canOpen(): boolean {
  const { isCi, hasDisplay } = readSurroundings()
  return hasDisplay && !isCi
}

async function openPage(page: string): Promise<void> {
  // Loaded when there is a browser to open.
  const { openInBrowser } = await import('./demo/open-in-browser.js')
  const { openOneTimeAddress } = await import('./demo/one-time-address.js')
  // An address that cannot be listened on is no reason to end: the terminal shows the page's own.
  const address = await openOneTimeAddress(page).catch(() => undefined)
  if (address === undefined || !(await openInBrowser(address)))
    process.stderr.write('svc: No browser could be opened; open the address by hand.\n')
}

function toJson({ url, key, dataDir }: DemoService, page: string, tasks: readonly string[]): string {
  return JSON.stringify({ event: 'ready', url, page, key, tasks, data_dir: dataDir })
}

function toText({ dataDir, isKept }: DemoService, page: string, opens: boolean): string {
  return [
    opens ? 'The demo opens in your browser, at this address:' : 'The demo is ready. Open this address in a browser:',
    `  ${page}`,
    'The key is in the address: whoever has it may do everything here, so hand on the part before # only.',
    isKept
      ? `Ctrl-C ends the demo; what was made stays in ${dataDir}.`
      : 'Ctrl-C ends the demo and removes all it made.',
  ].join('\n')
}

const help = `
The address that it prints holds a key that may do everything here. The browser is not started with it, since other users of
the machine can see what programs are started with, but with one that leads there once, within a minute.

The built-in provider draws; SVC_PROVIDER=config has the models of the folder make both pets (eight pictures, paid).

Examples:
  svc demo
  svc demo --no-open --data-dir demo
`
