import { setTimeout as delay } from 'node:timers/promises'
import { openFolderCalls } from '../app/records/folder-calls.js'
import { withStore } from '../app/storage/open-store.js'
import { call, type Server } from '../client/client.js'
import { openServerCalls } from '../client/server-calls.js'
import { type Config, loadConfig } from '../config.js'
import { isSvcError, SvcError } from '../errors.js'
import type { CallQuery, CallSource, SourceOptions } from '../log/call-source.js'
import { requireDataDir } from '../runtime/data-dir.js'
import { openStdout } from '../runtime/output.js'
import { createStdoutPaint, findStdoutWidth } from '../runtime/style.js'
import { guessDay, guessDuration, parseDurationMs } from '../text/time.js'
import { escapeControls, toJsonText } from '../text/words.js'
import { addServerOptions, connect, type ServerFlags } from './client/connect.js'
import { type CommandModule, type CommandResult, printProblem } from './command.js'
import { createRenderer, type RenderCalls, type Terminal } from './logs/render.js'

interface LogFlags extends ServerFlags {
  readonly follow?: true
  readonly requestId?: string
  readonly status?: string
  readonly pet?: string
  readonly since?: string
  readonly path?: string
  readonly slow?: string | true
  readonly all?: true
}

const dataDirPollMs = 200

export const register: CommandModule['register'] = (program, finish) => {
  program
    .command('logs')
    .description('Read the request log: calls and answers, with their pets and tasks.')
    .option('--follow', 'keep printing new calls until Ctrl-C')
    .option(
      '--request-id <id>',
      'only this call, with its task: the ID of the response, or what was sent as X-Request-ID',
    )
    .option('--status <status>', 'only calls with this status, such as 422')
    .option('--pet <id>', 'only calls about this pet')
    .option('--since <time>', 'only calls since then: 15m, 2h, 3d, or a time such as 2026-10-14T08:00Z')
    .option('--path <text>', 'only calls whose path contains this, such as diary')
    .option('--slow [time]', 'only calls that took at least this long (1s)')
    .option('--all', 'include calls of /_svc and of pages')
    .use(addServerOptions, 'one JSON document per line')
    .addHelpText(
      'after',
      `${about}\nExamples:\n  svc logs --request-id req_01JCX3V5T8\n  svc logs --follow --status 422\n  svc logs --since 1h --slow 500ms\n`,
    )
    .action(async (flags: LogFlags) => finish(await printLogs(flags)))
}

const about = `
Reads the log in the data directory, whether a server runs on it or not; with --url, the last 500 calls of a server, which needs
a key that was created with --admin. Exit codes: 0 done, 1 there is no such call, 2 the log could not be read.
`

async function printLogs(flags: LogFlags): Promise<CommandResult> {
  const since = flags.since === undefined ? undefined : parseSince(flags.since)
  const query = readQuery(flags)
  const stop = new AbortController()
  const onSignal = () => stop.abort()
  if (flags.follow) process.once('SIGINT', onSignal).once('SIGTERM', onSignal)
  try {
    const source = await openSource(flags, since, query, stop.signal)
    return source === undefined ? 0 : await print(source, flags, stop.signal).finally(() => source.close())
  } finally {
    process.off('SIGINT', onSignal).off('SIGTERM', onSignal)
  }
}

function readQuery({ status, requestId, pet, path, slow, all }: LogFlags): CallQuery {
  if (status !== undefined && !/^\d{3}$/.test(status)) {
    throw new SvcError('invalid_request', `--status is ${JSON.stringify(status)}; it must be a status such as 422.`)
  }
  return {
    status: status === undefined ? undefined : Number(status),
    requestId,
    petId: pet,
    path,
    slowMs: slow === undefined ? undefined : parseSlow(slow === true ? '1s' : slow),
    withOwn: all === true,
  }
}

/** Calculates the time since which calls are wanted from that of the service. */
type FindSince = (findNow: () => Promise<number>) => Promise<Date>

/** Parses a time, or the duration since then. Throws `invalid_request`. */
function parseSince(text: string): FindSince {
  if (/^\d+[smhd]$/.test(text)) {
    const ms = parseDurationMs(text, '--since')
    return async (findNow) => new Date((await findNow()) - ms)
  }
  const time = new Date(text)
  if (!Number.isNaN(time.getTime())) return async () => time
  const forms = 'a duration such as 15m, 2h or 3d, or a time such as 2026-10-14T08:00Z'
  const guess = guessDuration(text) ?? guessDay(text)
  const advice = guess === undefined ? '' : ` Did you mean ${guess}?`
  throw new SvcError('invalid_request', `--since is ${JSON.stringify(text)}; it must be ${forms}.${advice}`)
}

function parseSlow(text: string): number {
  const [, ms] = /^(\d{1,7})ms$/.exec(text) ?? []
  return ms === undefined ? parseDurationMs(text, '--slow') : Number(ms)
}

/** Opens the source; undefined if the wait for the data directory was interrupted. */
async function openSource(
  flags: LogFlags,
  findSince: FindSince | undefined,
  query: CallQuery,
  signal: AbortSignal,
): Promise<CallSource | undefined> {
  const options: SourceOptions = { isFollowed: flags.follow === true, onTrouble: warn }
  if (flags.url) {
    const server = await connect(flags, 'existing')
    return openServerCalls(server, { ...query, since: await findSince?.(() => findServerTime(server)) }, options)
  }
  const config = loadConfig(flags)
  if (config.database === '' && !flags.follow) requireDataDir(config.dataDir)
  if (config.database === '' && flags.follow && !(await waitForDataDir(config, signal))) return undefined
  return openFolderCalls(config, { ...query, since: await findSince?.(() => findStoredTime(config)) }, options)
}

/** Returns the time of a server, which a test may have moved, in epoch milliseconds. */
async function findServerTime(server: Server): Promise<number> {
  try {
    return Date.parse((await call(server, 'getClock')).now)
  } catch (error) {
    if (!isSvcError(error) || error.code !== 'forbidden') throw error
    // In production it is the real time, which every response has.
    const { headers } = await server.transport.send(new Request(new URL('live', server.transport.base)))
    return Date.parse(headers.get('date') ?? '')
  }
}

/** Returns the time of the service on a database, in epoch milliseconds. */
async function findStoredTime(config: Config): Promise<number> {
  try {
    return await withStore(config, { mayCreate: false }, async (_, now) => now.getTime())
  } catch (error) {
    if (!isSvcError(error)) throw error
    const advice = 'Give --since a time, such as 2026-10-14T08:00Z, which needs no database.'
    throw new SvcError(error.code, `${error.message} ${advice}`, { cause: error.cause })
  }
}

const warn = (message: string) => printProblem({ message })

/** Resolves with false if the wait was interrupted. */
async function waitForDataDir({ dataDir: path }: Config, signal: AbortSignal): Promise<boolean> {
  for (let isFirst = true; !signal.aborted; isFirst = false) {
    try {
      requireDataDir(path)
      return true
    } catch (error) {
      if (!isSvcError(error) || error.code !== 'not_found') throw error
    }
    if (isFirst) warn(`Waiting for a service on ${path}.`)
    await pause(dataDirPollMs, signal)
  }
  return false
}

async function print(source: CallSource, flags: LogFlags, signal: AbortSignal): Promise<CommandResult> {
  const render: RenderCalls = flags.json
    ? (calls) => calls.map((call) => toJsonText(call))
    : createRenderer(createStdoutPaint(), findStdoutWidth() === undefined ? undefined : terminal)
  const output = openStdout()
  let found = false
  while (!signal.aborted) {
    const { calls, isMore } = await source.read()
    found ||= calls.length > 0
    for (const line of render(calls)) output.write(`${line}\n`)
    if (!(await output.flush('all'))) break
    if (isMore) continue
    if (!flags.follow) break
    await pause(source.pollMs, signal)
  }
  if (found || flags.follow || flags.requestId === undefined) return 0
  process.stderr.write(`svc: the log has no call with the request ID ${escapeControls(flags.requestId)}.\n`)
  return 1
}

const terminal: Terminal = { findWidth: () => process.stdout.columns, hasDates: true }

/** Resolves early when the signal is aborted. */
async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal }).catch(() => {})
}
