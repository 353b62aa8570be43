import { setTimeout as delay } from 'node:timers/promises'
import { type ConfigFlags, loadConfig } from '../config.js'
import { requireDataDir } from '../data-dir.js'
import { SvcError } from '../errors.js'
import { rules } from '../insight/index.js'
import type { RequestEntry, RuleHit } from '../log.js'
import type { CommandModule, CommandResult } from './command.js'
import { createLogReader } from './logs/read.js'
import { openStdout } from './output/stream.js'
import { escapeControls } from './output/words.js'

interface LogFlags extends Pick<ConfigFlags, 'dataDir'> {
  readonly follow?: true
  readonly requestId?: string
  readonly status?: string
  readonly json?: true
}

const followEveryMs = 200

export const register: CommandModule['register'] = (program, finish) => {
  program
    .command('logs')
    .description('Read the request log: what was asked and answered, and which rules a refused payload breaks.')
    .option('--follow', 'go on with what is written from now on')
    .option('--request-id <id>', 'only this call: the ID of the answer, or what the caller sent as X-Request-ID')
    .option('--status <status>', 'only answers of this status, such as 422')
    .option('--json', 'one JSON document a line')
    .option('--data-dir <folder>', 'folder of the service (SVC_DATA_DIR, default .svc)')
    .addHelpText('after', '\nExample:\n  svc logs --request-id req_01JCX3V5T8 --data-dir .svc\n')
    .action(async (flags: LogFlags) => finish(await printLogs(flags)))
}

async function printLogs(flags: LogFlags): Promise<CommandResult> {
  const matches = createFilter(flags)
  const render = flags.json ? (entry: RequestEntry) => escapeControls(JSON.stringify(entry)) : renderEntry
  const read = createLogReader(requireDataDir(loadConfig(flags).dataDir).logs)
  const output = openStdout()
  let found = false
  let isRead = true
  do {
    const entries = read().filter(matches)
    found ||= entries.length > 0
    for (const entry of entries) output.write(`${render(entry)}\n`)
    isRead = await output.flush('all')
    if (flags.follow && isRead) await delay(followEveryMs)
  } while (flags.follow && isRead)
  if (found || flags.requestId === undefined) return 0
  process.stderr.write(`svc: the log has no call with the request ID ${escapeControls(flags.requestId)}.\n`)
  return 1
}

function createFilter({ requestId, status }: LogFlags): (entry: RequestEntry) => boolean {
  if (status !== undefined && !/^\d{3}$/.test(status)) {
    throw new SvcError('invalid_request', `--status is ${JSON.stringify(status)}; it must be a status such as 422.`)
  }
  return (entry) =>
    (requestId === undefined || entry.request_id === requestId || entry.caller_request_id === requestId) &&
    (status === undefined || entry.status === Number(status))
}

/** The lines that tell of a call; what callers chose may not break one or move the cursor. */
function renderEntry(entry: RequestEntry): string {
  const { time, status, method, path, duration_ms: duration, key_name: keyName, key_id: keyId } = entry
  const caller = entry.caller_request_id === undefined ? '' : ` (sent as ${JSON.stringify(entry.caller_request_id)})`
  const key = keyId === undefined ? 'no key' : `key ${keyName} (${keyId})`
  return [
    `${time}  ${status}  ${method} ${path}  ${duration} ms  ${key}  request ${entry.request_id}${caller}`,
    ...(entry.violations ?? []).map((hit) => renderHit('breaks', hit)),
    ...(entry.warnings ?? []).map((hit) => renderHit('warning', hit)),
    ...(entry.error === undefined ? [] : [`    error ${JSON.stringify(entry.error)}`]),
  ]
    .map(escapeControls)
    .join('\n')
}

function renderHit(word: string, { rule, path }: RuleHit): string {
  const sentence = rules.find(({ id }) => id === rule)?.sentence ?? serverRules[rule] ?? ''
  return `    ${word} ${rule} at ${path === '' ? 'the whole body' : path}  ${sentence}`.trimEnd()
}

/** What a request breaks before its body is read as a payload. */
const serverRules: Readonly<Record<string, string>> = {
  'content-type': 'The header Content-Type must be application/json.',
}
