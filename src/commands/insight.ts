import { type Command, Option } from 'commander'
import { createNetworkTransport } from '../client/transport.js'
import { clientVariables, loadConfig, refuseUnknownVariables } from '../config.js'
import { locales } from '../insight/types.js'
import { renderFormats } from '../reports/insight/index.js'
import { findKeyFor } from './client/find-key.js'
import type { CommandModule } from './command.js'
import { registerCheck } from './insight/register-check.js'
import { registerReview } from './insight/register-review.js'
import { type RunRenderOptions, runRender } from './insight/render.js'
import { runScenarios } from './insight/scenarios.js'
import { runSend } from './insight/send.js'
import { addStorageOptions, type StorageFlags } from './storage-options.js'

export const register: CommandModule['register'] = (program, finish) => {
  const insight = program
    .command('insight')
    .hook('preAction', () => refuseUnknownVariables())
    .description(
      'Render, explain and list the health insight texts; check, review, comment on, edit and sign the catalog.',
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

  const send = insight
    .command('send')
    .description('Post the payloads of a file to a server and print the texts of the answers.')
    .argument('<file>', 'a file, or - for standard input')
    .addOption(new Option('--url <url>', 'URL of the server').env(clientVariables.url).default('http://127.0.0.1:8787'))
    .addOption(
      new Option(
        '--key <key>',
        'an API key (default: the one that a server on this machine keeps in its data folder)',
      ).env(clientVariables.key),
    )
  addStorageOptions(send, 'folder of the server on this machine (SVC_DATA_DIR, default .svc)')
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
