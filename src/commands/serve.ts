import { setTimeout as delay } from 'node:timers/promises'
import { type App, createApp } from '../app.js'
import { describeDatabase, describeObjects, describeStorage } from '../config/storage.js'
import { type Config, type ConfigFlags, loadConfig, readSurroundings } from '../config.js'
import { describeDataDir } from '../runtime/data-dir.js'
import { requirePort } from '../runtime/port-refusal.js'
import { version } from '../runtime/program-name.js'
import { listAddresses, listRunningServers } from '../runtime/running-servers.js'
import { createPaint } from '../runtime/style.js'
import { toJsonText, toPrintable } from '../text/words.js'
import { findLocalKeyOf } from './client/find-key.js'
import { type CommandModule, nextSignal, printProblem } from './command.js'
import { addChoices } from './completion/option-with-choices.js'
import { addStorageOptions } from './storage-options.js'

/** The maximum wait for the database after a second signal. */
const answerMs = 500

type RunningListener = Awaited<ReturnType<App['listen']>>

interface ServeFlags extends ConfigFlags {
  readonly json?: true
  readonly quiet?: true
  readonly open?: true
  readonly qr?: true
}

export const register: CommandModule['register'] = (program, finish) => {
  program
    .command('serve')
    .description('Run the HTTP server until it gets SIGTERM or SIGINT.')
    .option('--host <host>', 'address to listen on (SVC_HOST, default 127.0.0.1)')
    .option('--port <port>', 'port to listen on, 0 for a free one (SVC_PORT, default 8787)')
    .use(addStorageOptions, 'data directory, created if missing (SVC_DATA_DIR, default .svc)')
    .use(
      addChoices,
      '--provider <name>',
      'provider of pictures and clips: stub, or config for the models of a file (SVC_PROVIDER)',
      ['stub', 'config'],
    )
    .use(
      addChoices,
      '--role <role>',
      'all, or web to run no tasks, or worker to answer only /live, /ready and /health (SVC_ROLE, default all)',
      ['all', 'web', 'worker'],
    )
    .option('--config <file>', 'the file that names models (SVC_CONFIG, default svc.config.json in the data directory)')
    .option(
      '--metrics-port <port>',
      'port for /metrics, /live and /ready, 0 for a free one (SVC_METRICS_PORT, default none)',
    )
    .option('--open', 'open the demo in the browser, but never in CI and without a display')
    .option('--qr', 'with --host 0.0.0.0, print the address of the demo as a QR code on a terminal')
    .option('--json', 'print the ready line as JSON')
    .option('--quiet', 'on a terminal, print only the ready line: no commands to try, and no requests')
    .addHelpText(
      'after',
      '\nOn SIGINT or SIGTERM, the server finishes the calls in progress, waits for them at most SVC_DRAIN_SECONDS (default 10),\n' +
        'and exits. A second signal stops it at once. With real models, set 200: pictures that are already paid for can arrive.\n' +
        '\nExample:\n  svc serve --port 8787 --data-dir .svc\n',
    )
    .action(async (flags: ServeFlags) => {
      await serve(flags)
      finish(0)
    })
}

async function serve(flags: ServeFlags): Promise<void> {
  const config = loadConfig(flags)
  const isLogShown = config.log === 'stdout'
  // Loaded only on a terminal.
  const live = process.stderr.isTTY && !flags.json ? await import('./serve/live.js') : undefined
  const onCall = flags.quiet || isLogShown ? undefined : live?.createCallPrinter(process.stderr)
  const stopped = nextSignal(undefined, live && endNow)
  const onLeft = live && ((left: number) => printLine(live.describeLeft(left, config)))
  // Undefined for a signal during the start.
  let running: App | undefined
  const others = config.database === '' ? listRunningServers(describeDataDir(config.dataDir)) : []
  // Before the data directory is made.
  await requirePort(config.host, config.port).catch(async (error: unknown) => {
    await printOthers()
    throw error
  })
  const app = await createApp(config, { needsModels: true, logDescriptor: 1, onCall, onLeft })
  running = app
  let closePage = () => {}
  try {
    const listener = await app.listen().catch(async (error: unknown) => {
      // The key was created, and no later start shows it.
      if (app.createdKey !== undefined) process.stderr.write(`${keyText(app.createdKey, config)}\n`)
      throw error
    })
    const notices = await app.listNotices()
    // A collector that reads the log gets JSON lines only.
    const output = flags.json || !isLogShown ? process.stdout : process.stderr
    output.write(`${flags.json ? readyJson(app, listener) : readyText(app, listener)}\n`)
    await printOthers(' Both share its keys, tasks and files.')
    for (const message of notices) printProblem({ message })
    if (live !== undefined && !flags.quiet) await printBanner(app, listener)
    // Loaded only for these flags.
    const [network] = listener.networkUrls
    if (flags.qr && !flags.json) (await import('./serve/qr-code.js')).printQrCode(network && `${network}/demo`)
    if (flags.open && readSurroundings().canOpen) closePage = await openDemo(app, listener)
    await stopped
    printLine(live?.describeStop(await app.findWork(), config.readySeconds + config.drainSeconds))
  } finally {
    closePage()
    await app.close()
  }

  /** Names the other servers on the data directory. */
  async function printOthers(remark = ''): Promise<void> {
    if (others.length === 0) return
    const { describeRunning } = await import('./serve/banner.js')
    for (const line of describeRunning(config.dataDir, others, remark)) process.stderr.write(`${line}\n`)
  }

  /** The return covers the `^C` of the terminal. */
  function printLine(line: string | undefined): void {
    if (line !== undefined) process.stderr.write(`\r${line}\n`)
  }

  /** Ends the process by the second signal. A database that does not answer does not delay it. */
  async function endNow(signal: NodeJS.Signals): Promise<void> {
    const left = await Promise.race([running?.countUnfinished().catch(() => 0), delay(answerMs, 0, { ref: false })])
    printLine(live?.describeLeft(left ?? 0, config))
    process.kill(process.pid, signal)
  }

  async function printBanner({ createdKey }: App, { url }: RunningListener): Promise<void> {
    // Loaded only on a terminal.
    const { renderBanner } = await import('./serve/banner.js')
    const { program } = readSurroundings()
    const banner = renderBanner({ url, config, createdKey: createdKey?.text, program }, createPaint(process.stderr))
    process.stderr.write(`${banner}\n`)
  }

  async function openDemo({ createdKey }: App, { url }: RunningListener): Promise<() => void> {
    const { openInBrowser } = await import('./demo/open-in-browser.js')
    const key = createdKey?.text ?? findLocalKeyOf(config)
    return openInBrowser(`${url}/demo${key === undefined ? '' : `#key=${key}`}`)
  }

  function readyJson({ createdKey }: App, { url, networkUrls, port, metricsUrl }: RunningListener): string {
    const key = createdKey && { id: createdKey.id, name: createdKey.name, key: createdKey.text }
    const { host, dataDir, database, objects } = config
    return toJsonText({
      ...{ event: 'ready', url, host, port, version, data_dir: dataDir, metrics_url: metricsUrl, key },
      ...(networkUrls.length > 0 && { network_urls: networkUrls }),
      ...(database !== '' && { database: describeDatabase(database) }),
      ...(objects !== '' && { objects: describeObjects(objects) }),
    })
  }

  function readyText({ createdKey }: App, { url, networkUrls, metricsUrl }: RunningListener): string {
    const measures = metricsUrl === undefined ? '' : `, measures on ${metricsUrl}`
    const first = `svc ${version} is ready on ${url} (data in ${toPrintable(describeStorage(config))}${measures})`
    const ready = [first, ...listAddresses(config.host, url, networkUrls)].join('\n')
    return createdKey === undefined ? ready : `${keyText(createdKey, config)}\n${ready}`
  }
}

function keyText({ text }: NonNullable<App['createdKey']>, { database }: Config): string {
  const kept = database === '' ? ' and kept in the data directory' : ''
  return `There was no API key yet. This one may do everything; it is shown once${kept}:\n  ${text}`
}
