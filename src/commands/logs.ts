import { setTimeout as delay } from 'node:timers/promises'
import { loadConfig } from '../config.js'
import { type DataDir, requireDataDir } from '../data-dir.js'
import { isSvcError, SvcError } from '../errors.js'
import { addServerOptions, connect, type ServerFlags } from './client/connect.js'
import type { CommandModule, CommandResult } from './command.js'
import { openFolderSource } from './logs/folder-source.js'
import { createRenderer, type RenderCalls } from './logs/render.js'
import { openServerSource } from './logs/server-source.js'
import type { CallQuery, CallSource } from './logs/source.js'
import { openStdout } from './output/stream.js'
import { createStdoutPaint } from './output/style.js'
import { escapeControls, toPrintable } from './output/words.js'

interface LogFlags extends ServerFlags {
  readonly follow?: true
  readonly requestId?: string
  readonly status?: string
  readonly pet?: string
  readonly all?: true
}

const lookEveryMs = 200

export const register: CommandModule['register'] = (program, finish) => {
  addServerOptions(
    program
      .command('logs')
      .description('Read the request log: what was asked and answered, for which pet, and what became of it.')
      .option('--follow', 'go on with what is written from now on, until Ctrl-C')
      .option(
        '--request-id <id>',
        'only this call, with its task: the ID of the answer, or what was sent as X-Request-ID',
      )
      .option('--status <status>', 'only answers of this status, such as 422')
      .option('--pet <id>', 'only calls about this pet')
      .option('--all', 'with calls of /_svc itself, and of pages that were served'),
    'one JSON document a line',
  )
    .addHelpText(
      'after',
      `${about}\nExamples:\n  svc logs --request-id req_01JCX3V5T8\n  svc logs --follow --status 422\n`,
    )
    .action(async (flags: LogFlags) => finish(await printLogs(flags)))
}

const about = `
It reads the log in the data folder, beside a server or without one; with --url the last 500 calls of a server, where it
takes a key that was made with --admin. Exit codes: 0 done, 1 there is no such call, 2 it could not be read.
`

async function printLogs(flags: LogFlags): Promise<CommandResult> {
  const query = readQuery(flags)
  const stop = new AbortController()
  const onSignal = () => stop.abort()
  if (flags.follow) process.once('SIGINT', onSignal).once('SIGTERM', onSignal)
  try {
    const source = await openSource(flags, query, stop.signal)
    if (source === undefined) return 0
    try {
      return await print(source, flags, stop.signal)
    } finally {
      await source.close()
    }
  } finally {
    process.off('SIGINT', onSignal).off('SIGTERM', onSignal)
  }
}

function readQuery({ status, requestId, pet, all }: LogFlags): CallQuery {
  if (status !== undefined && !/^\d{3}$/.test(status)) {
    throw new SvcError('invalid_request', `--status is ${JSON.stringify(status)}; it must be a status such as 422.`)
  }
  return {
    status: status === undefined ? undefined : Number(status),
    requestId,
    petId: pet,
    withOwn: all === true,
  }
}

/** Undefined where the reader did not wait for it. */
async function openSource(flags: LogFlags, query: CallQuery, signal: AbortSignal): Promise<CallSource | undefined> {
  if (flags.url) return openServerSource(await connect(flags, 'existing'), query, flags.follow === true)
  const { dataDir } = loadConfig(flags.dataDir === undefined ? {} : { dataDir: flags.dataDir })
  const found = flags.follow ? await waitForDataDir(dataDir, signal) : requireDataDir(dataDir)
  return found && openFolderSource(found, query, flags.follow === true)
}

async function waitForDataDir(path: string, signal: AbortSignal): Promise<DataDir | undefined> {
  for (let isFirst = true; !signal.aborted; isFirst = false) {
    try {
      return requireDataDir(path)
    } catch (error) {
      if (!isSvcError(error) || error.code !== 'not_found') throw error
    }
    if (isFirst) process.stderr.write(`svc: Waiting for a service on ${toPrintable(path)}.\n`)
    await pause(lookEveryMs, signal)
  }
  return undefined
}

async function print(source: CallSource, flags: LogFlags, signal: AbortSignal): Promise<CommandResult> {
  const render: RenderCalls = flags.json
    ? (calls) => calls.map((call) => escapeControls(JSON.stringify(call)))
    : createRenderer(createStdoutPaint())
  const output = openStdout()
  let found = false
  while (!signal.aborted) {
    const { calls, isMore } = await source.read()
    found ||= calls.length > 0
    for (const line of render(calls)) output.write(`${line}\n`)
    if (!(await output.flush('all'))) break
    if (isMore) continue
    if (!flags.follow) break
    await pause(source.everyMs, signal)
  }
  if (found || flags.follow || flags.requestId === undefined) return 0
  process.stderr.write(`svc: the log has no call with the request ID ${escapeControls(flags.requestId)}.\n`)
  return 1
}

/** Ends early, and quietly, when the signal comes. */
async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal }).catch(() => {})
}
