import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { withStore } from '../app/storage/open-store.js'
import { startTemporaryService, type TemporaryService } from '../app/temporary/temporary-service.js'
import { isInUse } from '../app/upkeep/exclusive-lock.js'
import { type App, createApp } from '../app.js'
import { call, type Server } from '../client/client.js'
import { createLocalTransport, createNetworkTransport } from '../client/transport.js'
import { isFinal, waitForTask } from '../client/wait.js'
import { type Config, drawUnlessTold, loadConfig, readSurroundings } from '../config.js'
import { createKey, endpointGroups, fullSettings, type KeySettings } from '../contract/access.js'
import { describeDataDir, openPart } from '../runtime/data-dir.js'
import { shippedUrl } from '../runtime/entry.js'
import { listAddresses } from '../runtime/running-servers.js'
import { toPrintable } from '../text/words.js'
import { printJson } from './client/run.js'
import { type CommandModule, nextSignal } from './command.js'
import { addStorageOptions, type PrintFlags } from './storage-options.js'

interface DemoFlags extends PrintFlags {
  readonly host?: string
  readonly open?: boolean
  readonly qr?: true
}

export const register: CommandModule['register'] = (program, finish) => {
  program
    .command('demo')
    .description('Serve a demo on a free port, draw a dog and a cat, and open the page in the browser.')
    .option(
      '--host <host>',
      'address to listen on (SVC_HOST, default 127.0.0.1); 0.0.0.0 also prints a link for a phone',
    )
    .use(addStorageOptions, 'keep everything in this data directory (default: a new one that is removed at the end)')
    .option('--open', 'open the page in the browser (default)')
    .option('--no-open', 'only print the address, as always in CI and without a display')
    .option('--qr', 'with --host 0.0.0.0, print the link for a phone as a QR code on a terminal')
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
    const { made, tasks } = await requestSampleAvatars(service)
    // A model would cost money. Without the picture, the page has it drawn, and shows why that fails.
    if (config.provider === 'stub' && !made.has(toPetId('dog')))
      drawFirstPicture(service, tasks[0] ?? '').catch(() => {})
    const page = toPageUrl(service, tasks)
    const opens = flags.open !== false && readSurroundings().canOpen
    const guests = await createGuestLinks(service, tasks)
    const { url, key, dataDir: data_dir, networkUrls } = service
    const network = guests.length > 0 && { network_urls: networkUrls, guest_pages: guests }
    if (flags.json) printJson({ event: 'ready', url, page, key, tasks, data_dir, ...network })
    else process.stdout.write(`${toText(config.host, service, page, opens, guests)}\n`)
    if (flags.qr && !flags.json) (await import('./serve/qr-code.js')).printQrCode(guests[0])
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
function toPageUrl({ url, key }: Pick<DemoService, 'url' | 'key'>, tasks: readonly string[], pet?: string): string {
  const parts = [`key=${key}`, ...(pet === undefined ? [] : [`pet=${pet}`]), ...tasks.map((id) => `task=${id}`)]
  return `${url}/demo#${parts.join('&')}`
}

/** Creates a key for a guest, and returns the addresses of the page with it for other machines, if they reach the server. */
async function createGuestLinks(service: DemoService, tasks: readonly string[]): Promise<string[]> {
  if (service.networkUrls.length === 0) return []
  const pet = `guest-${randomBytes(4).toString('hex')}`
  const key = await service.createGuestKey([...species.map(toPetId), pet])
  return service.networkUrls.map((url) => toPageUrl({ url, key }, tasks, pet))
}

function toText(
  host: string,
  { url, networkUrls, dataDir, isKept }: DemoService,
  page: string,
  opens: boolean,
  guests: readonly string[],
): string {
  return [
    opens ? 'The demo opens in your browser at this address:' : 'The demo is ready. Open this address in a browser:',
    `  ${page}`,
    'The address contains a key without restrictions: share only the part before #.',
    ...listAddresses(host, url, networkUrls),
    ...(guests.length === 0 ? [] : ['For a phone, valid for an hour and only for the pets of this demo:']),
    ...guests.map((address) => `  ${address}`),
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
  svc demo --host 0.0.0.0 --qr
`

const userId = 'demo'
/** The pause between two reads of a task of this process. */
const pauseMs = 200
const dayMs = 86_400_000
const species = ['dog', 'cat'] as const

/** Requests avatars of the pets in the shipped photos unless the folder has them. Returns those, and the IDs of all tasks. */
async function requestSampleAvatars({ app, url, key }: DemoService) {
  const server = { transport: createLocalTransport(app.fetch, `${url}/`), key }
  const { items } = await call(server, 'listIdentityAssets', { query: { user_id: userId, page_size: '100' } })
  // The newest of each pet.
  const made = new Map(items.toReversed().map(({ pet_id, avatar_task_id }) => [pet_id, avatar_task_id]))
  const tasks = await Promise.all(species.map((kind) => made.get(toPetId(kind)) ?? requestAvatar(server, kind)))
  return { made, tasks }
}

/** Draws the picture that the page opens on, an ordinary rainy day of the dog, so that it is there with the poses. */
async function drawFirstPicture({ app, url, key }: DemoService, avatarId: string): Promise<void> {
  const server = { transport: createNetworkTransport(url), key }
  const facts = { species: 'dog', weather: 'rain' } as const
  let time = app.keys.now()
  async function select(): Promise<string> {
    for (; ; time -= dayMs) {
      const body = { user_id: userId, pet_id: toPetId('dog'), date: new Date(time).toLocaleDateString('sv'), facts }
      const { scene_id, match_reason } = await call(server, 'selectDiaryImage', { body })
      if (!match_reason.matched.includes('holiday')) return scene_id
    }
  }
  // The library draws the scene while the poses are drawn, and is unavailable until then.
  let scene = await select().catch(() => '')
  const { task } = await waitForTask({
    async read() {
      const avatar = await call(server, 'getAvatarTask', { params: { task_id: avatarId } })
      if (isFinal(avatar) && scene === '') scene = await select()
      return avatar
    },
    onTask() {},
    onTrouble() {},
    sleep: () => delay(pauseMs, undefined, { ref: false }),
    now: () => performance.now(),
    deadlineAt: Number.POSITIVE_INFINITY,
  })
  const body = { identity_asset_id: task?.identity_asset_id, scene_ids: [scene], weather: facts.weather }
  await call(server, 'generateDiaryImages', { body })
}

const toPetId = (kind: (typeof species)[number]) => `sample-${kind}`

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

/** The longest validity of the key of a demo on a kept folder. */
const keyLifeMs = 86_400_000
const guestKeyLifeMs = 3_600_000
const keyName = 'demo'

interface DemoService extends Pick<TemporaryService, 'app' | 'url' | 'networkUrls' | 'dataDir' | 'close'> {
  readonly isKept: boolean
  /** A key without restrictions, valid while the demo runs. */
  readonly key: string
  /** Creates a key for the calls of the page about these pets. It is valid for an hour, and while the demo runs. */
  createGuestKey(pets: readonly string[]): Promise<string>
}

/** Starts a server for a demo: on the configured folder, which is kept, or on a new one that is removed with it. */
async function startDemoService(config: Config, isKept: boolean): Promise<DemoService> {
  if (!isKept) {
    const service = await startTemporaryService(config, 'demo')
    const createGuestKey = async (pets: readonly string[]) => (await insertGuestKey(service.app.keys, pets)).text
    return { ...service, isKept, createGuestKey }
  }
  // Another demo that runs on the folder needs its key.
  const isAlone = config.database === '' && !(await isFolderInUse(config))
  const app = await createApp(config)
  try {
    const { url, networkUrls } = await app.listen()
    if (isAlone) await revokeAbandonedKeys(app.keys)
    // The URL of the page stays in the history of the browser: the key is of this run.
    const own = await insertNewKey(app.keys, { ...fullSettings, name: keyName, admin: true }, keyLifeMs)
    const issued = [own.id]
    const createGuestKey = async (pets: readonly string[]) => {
      const { id, text } = await insertGuestKey(app.keys, pets)
      issued.push(id)
      return text
    }
    const close = async () => {
      await app.close()
      await revokeKeys(config, issued)
    }
    return { app, url, networkUrls, dataDir: config.dataDir, isKept, key: own.text, createGuestKey, close }
  } catch (error) {
    await app.close()
    throw error
  }
}

function isFolderInUse({ dataDir }: Config): Promise<boolean> {
  const folder = describeDataDir(dataDir)
  return openPart(folder.database, () => isInUse(folder))
}

/** The endpoint groups that the page uses. */
const guestEndpoints = endpointGroups.filter((group) => group !== 'ai-insights')
/** Real models of the host may cost a guest's key this much. */
const guestBudget = { micros: 1_000_000, per: 'day' } as const

function insertGuestKey(keys: App['keys'], pets: readonly string[]) {
  const limits = { endpoints: guestEndpoints, pets, budget: guestBudget, admin: false }
  return insertNewKey(keys, { ...fullSettings, ...limits, name: `${keyName} guest` }, guestKeyLifeMs)
}

async function insertNewKey(keys: App['keys'], settings: KeySettings, lifeMs: number) {
  const now = new Date(keys.now())
  const { key, text } = createKey({ ...settings, expiresAt: new Date(now.getTime() + lifeMs) }, now)
  await keys.insertKey(key)
  return { id: key.id, text }
}

/** Revokes the keys of demos that were killed. A key of that name that a person created has another lifetime. */
async function revokeAbandonedKeys(keys: App['keys']): Promise<void> {
  for (const { id, name, createdAt, expiresAt, revokedAt } of await keys.listKeys()) {
    const isOfDemo = name === keyName && expiresAt?.getTime() === createdAt.getTime() + keyLifeMs
    if (isOfDemo && revokedAt === null) await keys.revokeKey(id, new Date(keys.now()))
  }
}

/** Revokes the keys after the server has ended: the page works until then. */
function revokeKeys(config: Config, ids: readonly string[]): Promise<void> {
  return withStore(config, { mayCreate: false }, async (store, now) => {
    for (const id of ids) await store.revokeKey(id, now)
  })
}
