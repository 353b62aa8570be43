import { readFile } from 'node:fs/promises'
import { type DemoService, startDemoService } from '../app/temporary/demo-service.js'
import { call, type Server } from '../client/client.js'
import { createLocalTransport } from '../client/transport.js'
import { type Config, drawUnlessTold, loadConfig, readSurroundings } from '../config.js'
import { shippedUrl } from '../runtime/entry.js'
import { toJsonText, toPrintable } from '../text/words.js'
import type { CommandModule } from './command.js'
import { nextSignal } from './serve/next-signal.js'
import { addStorageOptions, type StorageFlags } from './storage-options.js'

interface DemoFlags extends StorageFlags {
  readonly open: boolean
  readonly json?: true
}

export const register: CommandModule['register'] = (program, finish) => {
  const command = program
    .command('demo')
    .description('Serve a demo on a free port, draw a dog and a cat, and open the page in the browser.')
  addStorageOptions(command, 'keep everything in this data directory (default: a new one that is removed at the end)')
    .option('--no-open', 'only print the address, as always in CI and without a display')
    .option('--json', 'print the ready line as JSON')
    .addHelpText('after', help)
    .action(async (flags: DemoFlags) => {
      await runDemo(flags)
      finish(0)
    })
}

async function runDemo(flags: DemoFlags): Promise<void> {
  // Only the flags name what is kept: SVC_DATA_DIR and SVC_DATABASE are those of a service.
  const { dataDir, database = '', objects = '' } = flags
  const loaded = loadConfig({ ...flags, database, objects, port: '0' })
  const config = { ...withQuickPolls(drawUnlessTold(loaded)), publicUrl: null }
  // SIGHUP: a closed terminal also ends the demo, and its folder must be removed.
  const stopped = nextSignal(['SIGINT', 'SIGTERM', 'SIGHUP'])
  const service = await startDemoService(config, `${dataDir ?? ''}${database}${objects}` !== '')
  let closePage = () => {}
  try {
    const tasks = await requestSampleAvatars(service)
    const page = toPageUrl(service, tasks)
    const opens = flags.open && canOpen()
    process.stdout.write(`${flags.json ? toJson(service, page, tasks) : toText(service, page, opens)}\n`)
    // Loaded only to open a browser.
    if (opens) closePage = await (await import('./demo/open-in-browser.js')).openInBrowser(page)
    await stopped
  } finally {
    closePage()
    await service.close()
  }
}

/** Polls every second, so that pictures show soon, unless the environment sets the interval. */
function withQuickPolls(config: Config): Config {
  return config.findVariable('SVC_POLL_AFTER_SECONDS') === undefined ? { ...config, pollAfterSeconds: 1 } : config
}

/** The key is in the fragment, which browsers do not send. */
function toPageUrl({ url, key }: DemoService, tasks: readonly string[]): string {
  return `${url}/demo#${[`key=${key}`, ...tasks.map((id) => `task=${id}`)].join('&')}`
}

function canOpen(): boolean {
  const { isCi, hasDisplay } = readSurroundings()
  return hasDisplay && !isCi
}

function toJson({ url, key, dataDir }: DemoService, page: string, tasks: readonly string[]): string {
  return toJsonText({ event: 'ready', url, page, key, tasks, data_dir: dataDir })
}

function toText({ dataDir, isKept }: DemoService, page: string, opens: boolean): string {
  return [
    opens ? 'The demo opens in your browser at this address:' : 'The demo is ready. Open this address in a browser:',
    `  ${page}`,
    'The address contains a key without restrictions: share only the part before #.',
    isKept
      ? `Ctrl-C ends the demo; its data stays in ${toPrintable(dataDir)}.`
      : 'Ctrl-C ends the demo and removes its data.',
  ].join('\n')
}

const help = `
The printed address contains a key without restrictions. The browser gets a temporary file that redirects there, because other
users of the machine can see the arguments of programs. A browser that may not read temporary files (snap) needs the address.

The built-in provider draws; with SVC_PROVIDER=config, the models of the data directory make both pets (eight pictures, paid).

Examples:
  svc demo
  svc demo --no-open --data-dir demo
`

const userId = 'demo'
const species = ['dog', 'cat'] as const

/** Requests avatars of the pets in the shipped photos unless the folder has them. Returns the IDs of their tasks. */
async function requestSampleAvatars({ app, url, key }: DemoService): Promise<string[]> {
  const server = { transport: createLocalTransport(app.fetch, `${url}/`), key }
  const made = await findAvatars(server)
  return Promise.all(species.map((kind) => made.get(toPetId(kind)) ?? requestAvatar(server, kind)))
}

const toPetId = (kind: (typeof species)[number]) => `sample-${kind}`

/** Finds the newest finished avatar task of each pet of the demo. */
async function findAvatars(server: Server): Promise<ReadonlyMap<string, string>> {
  const { items } = await call(server, 'listIdentityAssets', { query: { user_id: userId, page_size: '100' } })
  return new Map(items.toReversed().map(({ pet_id, avatar_task_id }) => [pet_id, avatar_task_id]))
}

async function requestAvatar(server: Server, kind: (typeof species)[number]): Promise<string> {
  const photo = await readFile(shippedUrl(`fixtures/photos/${kind}.jpg`))
  const form = new FormData()
  form.set('source_image', new Blob([photo]), `${kind}.jpg`)
  for (const [name, value] of Object.entries({ species: kind, user_id: userId, pet_id: toPetId(kind) })) {
    form.set(name, value)
  }
  const { task_id } = await call(server, 'generateAvatar', { body: form })
  return task_id
}
