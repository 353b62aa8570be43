import { type Command, Option } from 'commander'
import { loadInsightCopy } from '../catalog/catalog.js'
import { memberOf, postJson, requireOurs, type Server, type ServerAnswer } from '../client/client.js'
import { createNetworkTransport } from '../client/transport.js'
import { clientVariables, loadConfig, refuseUnknownVariables } from '../config.js'
import { readFixtures } from '../copydesk/fixtures.js'
import { groupByScenario, listScenarios, type ScenarioRow } from '../copydesk/scenarios.js'
import { SvcError } from '../errors.js'
import { locales } from '../insight/types.js'
import { readAllPayloads } from '../payload-files/payloads.js'
import { findSources } from '../payload-files/sources.js'
import type { CheckFormatName } from '../reports/copy-check.js'
import { renderFormats } from '../reports/insight/index.js'
import { programName } from '../runtime/program-name.js'
import { createPaint, type Paint } from '../runtime/style.js'
import { count, toJsonText, toPrintable } from '../text/words.js'
import { findKeyFor } from './client/find-key.js'
import type { CommandModule, CommandResult, Finish } from './command.js'
import { addChoices, listScenarioIds, listTextIds } from './completion/option-with-choices.js'
import { registerReview } from './insight/register-review.js'
import { type RunRenderOptions, runRender } from './insight/render.js'
import type { SignFlags } from './insight/sign.js'
import { addStorageOptions, type StorageFlags } from './storage-options.js'
import type { StrictCommand } from './strict-command.js'

export const register: CommandModule['register'] = (program, finish) => {
  const insight = program
    .command('insight')
    .hook('preAction', () => refuseUnknownVariables())
    .description(
      'Render, explain and list the health insight texts; check, review, comment on, edit and sign the catalog; tell the story of one pet.',
    )
    .addHelpText('after', '\nExample:\n  svc insight render fixtures/insight\n')

  insight
    .command('render')
    .description('Print the text of each payload.')
    .argument('<files...>', 'files, folders, quoted patterns, or - for standard input')
    .addOption(new Option('--locale <locale>', 'language of the texts').choices([...locales, 'all', 'en-XA']))
    .addOption(
      new Option('--format <format>', 'how to print them').choices(Object.keys(renderFormats)).default('text', 'text'),
    )
    .option('--json', 'the same as --format json')
    .option('--explain', 'explain each text: scenario, facts used, parts shown and left out')
    .option(
      '--stress',
      'also render each payload with long and unusual names, difficult numbers, and changes of 0 % and 1000 %',
    )
    .option('--watch', 'print again whenever a payload, or a text in catalog/insight, is saved')
    .addHelpText('after', renderExamples)
    .action(async (files: string[], { json, ...flags }: RunRenderOptions & { readonly json?: boolean }) =>
      finish(await runRender(files, json ? { ...flags, format: 'json' } : flags)),
    )

  insight
    .command('scenarios')
    .description('List the scenarios: condition, status, rule IDs, and the fixture that reaches each.')
    .option('--json', 'print one JSON document')
    .addHelpText('after', '\nExample:\n  svc insight scenarios --json\n')
    .action(async (flags: { readonly json?: boolean }) => finish(await runScenarios(flags.json === true)))

  registerReview(insight, finish)
  registerCheck(insight, finish)

  insight
    .command('send')
    .description('Post the payloads of a file to a server and print the texts of the responses.')
    .argument('<file>', 'a file, or - for standard input')
    .addOption(new Option('--url <url>', 'URL of the server').env(clientVariables.url).default('http://127.0.0.1:8787'))
    .addOption(
      new Option(
        '--key <key>',
        'an API key (default: the one that a server on this machine keeps in its data directory)',
      ).env(clientVariables.key),
    )
    .use(addStorageOptions, 'data directory of the server on this machine (SVC_DATA_DIR, default .svc)')
    .option('--json', 'print one JSON document')
    .addHelpText('after', sendExamples)
    .action(async (file: string, { url, key: given, json, ...flags }: SendFlags, command: Command) => {
      const key = given || findKeyFor(url, loadConfig(flags))
      if (key === undefined) return command.error('error: an API key is needed: --key KEY, or SVC_API_KEY')
      finish(await runSend(file, { transport: createNetworkTransport(url), key }, json === true))
    })
}

interface SendFlags extends StorageFlags {
  readonly url: string
  readonly key?: string
  readonly json?: boolean
}

const renderExamples = `
en-XA is a pseudo-locale: English with accents, 40 % longer and in brackets. Words without accents do not come from the
catalog, and a text without its closing bracket was cut off.

Without --locale, a payload that names no language is printed in all three if it is in a folder, else in en-US.

Exit codes: 0 done, 1 some payloads are not valid, 2 something could not be read, or wrong usage.

Examples:
  svc insight render fixtures/insight
  svc insight render --explain --locale es fixtures/insight/REST_NIGHT_POOR.json
  svc insight render --format html fixtures/insight > review.html
`

const sendExamples = `
Exit codes: 0 all accepted, 1 some refused, 2 no server, an unreadable file, or wrong usage.

Example:
  svc insight send fixtures/insight/REST_NIGHT_POOR.json --url http://127.0.0.1:8787 --key KEY
`

/** `svc insight scenarios`: prints every scenario with the shipped fixtures that reach it. */
async function runScenarios(json: boolean): Promise<CommandResult> {
  const rows = listScenarios(groupByScenario(await readFixtures(), await loadInsightCopy()))
  const text = json ? `${toJsonText({ scenarios: rows })}\n` : renderScenarios(rows, createPaint(process.stdout))
  process.stdout.write(text)
  return 0
}

const path = '/v1/health-detail-insights/generate'

/** A payload and the response to it. */
interface SentPayload extends Pick<ServerAnswer, 'status' | 'requestId' | 'body'> {
  readonly source: string
  readonly index: number
}

/**
 * `svc insight send`: posts every payload of a file to a server and prints the responses.
 * Returns 0 if all were accepted, 1 if some were refused. Throws an SvcError if the file or the server cannot be
 * reached.
 */
async function runSend(file: string, server: Server, json: boolean): Promise<CommandResult> {
  const sent: SentPayload[] = []
  for (const found of await findSources([file])) {
    if (found.source === undefined) throw new SvcError('not_found', found.problem)
    const source = found.source.name
    for await (const item of readAllPayloads(found.source)) {
      const answer = await postJson(server, path, item.text)
      requireOurs(server, answer)
      const { status, requestId, body } = answer
      const one = { source, index: item.index, status, requestId, body }
      sent.push(one)
      if (!json) printAnswer(one)
    }
  }
  if (json) process.stdout.write(`${toJsonText({ results: sent })}\n`)
  return sent.every(({ status }) => status < 300) ? 0 : 1
}

function printAnswer({ source, index, status, requestId, body }: SentPayload): void {
  const summary = memberOf(body, 'summary')
  if (status < 300 && summary !== undefined) {
    process.stdout.write(`${toPrintable(toText(summary))}\n`)
    return
  }
  const error = memberOf(body, 'error')
  const code = toText(memberOf(error, 'code') ?? 'no error envelope')
  const message = toText(memberOf(error, 'message') ?? (typeof body === 'string' ? 'the response is not JSON' : body))
  const id = toText(memberOf(error, 'request_id') ?? requestId ?? 'none')
  const hint = status === 422 ? ` "${programName()} validate ${source}" shows what is wrong.` : ''
  const line = `${source} #${index}: ${status} ${code}: ${message} (request ID ${id}).${hint}`
  process.stderr.write(`svc: ${toPrintable(line)}\n`)
}

const maxShown = 200

/** Formats a value that should be a string; a server may send any type and any length. */
function toText(value: unknown): string {
  return (typeof value === 'string' ? value : JSON.stringify(value)).slice(0, maxShown)
}

const checkFormatNames = ['text', 'json', 'github'] as const satisfies readonly CheckFormatName[]

/** Declares `svc insight check` and `svc insight sign`, which load the lint when they run. */
function registerCheck(insight: StrictCommand, finish: Finish): void {
  insight
    .command('check')
    .description('Check the texts: report defects, and texts that changed since they were approved.')
    .addOption(new Option('--format <format>', 'output format').choices(checkFormatNames).default('text', 'text'))
    .option('--json', 'the same as --format json')
    .addHelpText('after', checkExamples)
    .action(async (flags: { readonly format: CheckFormatName; readonly json?: boolean }) => {
      const { runCheck } = await import('./insight/check.js')
      finish(await runCheck(flags.json ? 'json' : flags.format))
    })

  insight
    .command('sign')
    .description('Approve texts as they are now: show the changes, ask, and write catalog/insight/signoff.json.')
    .option('--by <name>', 'who approves (asked for on a terminal)')
    .use(addChoices, '--text <id...>', 'texts to sign (default: all that are not signed as they are)', listTextIds)
    .use(addChoices, '--scenario <id...>', 'scenarios to sign, with the clauses that they use', listScenarioIds)
    .addOption(new Option('--locale <locale...>', 'languages to sign').choices(locales))
    .option('--rule-version <label>', 'label for the changed texts (writes catalog/insight/version.json)')
    .option('--yes', 'sign without asking')
    .option('--json', 'print one JSON document')
    .addHelpText('after', signExamples)
    .action(async (flags: SignFlags) => {
      const { runSign } = await import('./insight/sign.js')
      finish(await runSign(flags, new Date()))
    })
}

const checkExamples = `
Exit codes: 0 no finding, 1 findings, 2 a file could not be read, or wrong usage.

Examples:
  svc insight check
  svc insight check --format github
`

const signExamples = `
On a terminal it asks who signs, for the label of changed texts, and for confirmation. Without a terminal it needs --by
and --yes, and --rule-version for changed texts. It signs no text for which svc insight check reports a defect.

Exit codes: 0 signed, or nothing to sign; 1 refused; 2 a file could not be read or written, or wrong usage.

Examples:
  svc insight sign
  svc insight sign --text STREAK_DAYS --locale es --by "svc team" --yes
  svc insight sign --by "svc team" --rule-version health-detail-copy-2026.11
`

/** Renders one block of lines per scenario. */
export function renderScenarios(rows: readonly ScenarioRow[], paint: Paint): string {
  const blocks = rows.map(({ id, statuses, severities, ruleIds, condition, fixtures, example }) => {
    const status = statuses.map((name, index) => `${name} (severity ${severities[index]})`).join(' or ')
    const [first, ...others] = fixtures
    const reached =
      first === undefined
        ? paint('red', 'no shipped fixture reaches it')
        : `${first}${others.length > 0 ? ` and ${count(others.length, 'more', 'more')}` : ''}`
    return [
      paint('bold', id),
      ...(example === undefined ? [] : [`  says     ${example}`]),
      `  when     ${condition}`,
      `  status   ${status}`,
      `  rule     ${ruleIds.join(', ')}`,
      `  fixture  ${reached}`,
      '',
    ].join('\n')
  })
  const missing = rows.filter(({ fixtures }) => fixtures.length === 0).length
  const end = missing === 0 ? 'each is reached by a shipped fixture' : `${missing} without a fixture`
  return `${blocks.join('\n')}\n${count(rows.length, 'scenario')}, ${end}.\n`
}
