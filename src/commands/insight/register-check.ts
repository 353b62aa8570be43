import { type Command, Option } from 'commander'
import { type Locale, locales } from '../../insight/types.js'
import type { CheckFormatName } from '../../reports/copy-check.js'
import type { Finish } from '../command.js'
import { listScenarioIds, listTextIds } from '../completion/ids.js'
import { optionWithChoices } from '../completion/option-with-choices.js'

const checkFormatNames = ['text', 'json', 'github'] as const satisfies readonly CheckFormatName[]

/** Declares `svc insight check` and `svc insight sign`, which load the lint when they run. */
export function registerCheck(insight: Command, finish: Finish): void {
  insight
    .command('check')
    .description('Check the texts: report defects, and texts that changed since they were approved.')
    .addOption(new Option('--format <format>', 'output format').choices(checkFormatNames).default('text', 'text'))
    .option('--json', 'the same as --format json')
    .addHelpText('after', checkExamples)
    .action(async (flags: { readonly format: CheckFormatName; readonly json?: boolean }) => {
      const { runCheck } = await import('./check.js')
      finish(await runCheck(flags.json ? 'json' : flags.format))
    })

  insight
    .command('sign')
    .description('Approve texts as they are now: show the changes, ask, and write catalog/insight/signoff.json.')
    .option('--by <name>', 'who approves (asked for on a terminal)')
    .addOption(
      optionWithChoices(
        insight,
        '--text <id...>',
        'texts to sign (default: all that are not signed as they are)',
        listTextIds,
      ),
    )
    .addOption(
      optionWithChoices(
        insight,
        '--scenario <id...>',
        'scenarios to sign, with the clauses that they use',
        listScenarioIds,
      ),
    )
    .addOption(new Option('--locale <locale...>', 'languages to sign').choices(locales))
    .option('--rule-version <label>', 'label for the changed texts (writes catalog/insight/version.json)')
    .option('--yes', 'sign without asking')
    .option('--json', 'print one JSON document')
    .addHelpText('after', signExamples)
    .action(async ({ by, locale, ruleVersion, scenario, text, yes, json }: SignFlags) => {
      const { runSign } = await import('./sign.js')
      const selection = { texts: text, scenarios: scenario, locales: locale }
      finish(await runSign({ ...selection, ruleVersion, by, yes: yes === true, json: json === true, now: new Date() }))
    })
}

interface SignFlags {
  readonly by?: string
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
On a terminal it asks who signs, for the label of changed texts, and for confirmation. Without a terminal it needs --by
and --yes, and --rule-version for changed texts. It signs no text for which svc insight check reports a defect.

Exit codes: 0 signed, or nothing to sign; 1 refused; 2 a file could not be read or written, or wrong usage.

Examples:
  svc insight sign
  svc insight sign --text STREAK_DAYS --locale es --by "svc team" --yes
  svc insight sign --by "svc team" --rule-version health-detail-copy-2026.9
`
