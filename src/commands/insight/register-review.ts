import { type Command, Option } from 'commander'
import { type Locale, locales } from '../../insight/types.js'
import type { CommandModule } from '../command.js'
import type { CheckFormatName } from './check-formats.js'

type Finish = Parameters<CommandModule['register']>[1]

const checkFormatNames = ['text', 'json', 'github'] as const satisfies readonly CheckFormatName[]

/** Declares `svc insight check` and `svc insight sign`; both load the lint when they run. */
export function registerReview(insight: Command, finish: Finish): void {
  insight
    .command('check')
    .description('Check the texts: faults of the texts, and texts that changed since they were approved.')
    .addOption(new Option('--format <format>', 'how to print it').choices(checkFormatNames).default('text', 'text'))
    .option('--json', 'the same as --format json')
    .addHelpText('after', checkExamples)
    .action(async (flags: { readonly format: CheckFormatName; readonly json?: boolean }) => {
      const { runCheck } = await import('./check.js')
      finish(await runCheck(flags.json ? 'json' : flags.format))
    })

  insight
    .command('sign')
    .description('Approve texts as they are now: shows what changed, asks, and writes catalog/insight/signoff.json.')
    .requiredOption('--by <name>', 'who approves')
    .option('--text <id...>', 'these texts (default: all that are not signed as they are)')
    .option('--scenario <id...>', 'these sentences, with the clauses that they are put together from')
    .addOption(new Option('--locale <locale...>', 'in these languages').choices(locales))
    .option('--rule-version <label>', 'the label that the changed texts get (writes catalog/insight/version.json)')
    .option('--yes', 'without asking')
    .option('--json', 'print one JSON document')
    .addHelpText('after', signExamples)
    .action(async ({ by, locale, ruleVersion, scenario, text, yes, json }: SignFlags) => {
      const { runSign } = await import('./sign.js')
      const selection = {
        ...(text === undefined ? {} : { texts: text }),
        ...(scenario === undefined ? {} : { scenarios: scenario }),
        ...(locale === undefined ? {} : { locales: locale }),
        ...(ruleVersion === undefined ? {} : { ruleVersion }),
      }
      finish(await runSign({ ...selection, by, yes: yes === true, json: json === true, now: new Date() }))
    })
}

interface SignFlags {
  readonly by: string
  readonly text?: string[]
  readonly scenario?: string[]
  readonly locale?: Locale[]
  readonly ruleVersion?: string
  readonly yes?: boolean
  readonly json?: boolean
}

const checkExamples = `
Exit codes: 0 no finding, 1 findings, 2 a file could not be read, or wrong usage.

Examples:
  svc insight check
  svc insight check --format github
`

const signExamples = `
On a terminal it asks, for the label of changed texts too; elsewhere it needs --yes, and --rule-version for a change. It signs no text that svc insight check finds at fault.

Exit codes: 0 signed, or nothing to sign; 1 refused; 2 a file could not be read or written, or wrong usage.

Examples:
  svc insight sign --by "svc team"
  svc insight sign --text STREAK_DAYS --locale es --by "svc team" --yes
  svc insight sign --by "svc team" --rule-version health-detail-copy-2026.9
`
