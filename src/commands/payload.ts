import { Option } from 'commander'
import { refuseUnknownVariables } from '../config.js'
import { SvcError } from '../errors.js'
import { isTimeZone, parseDate } from '../insight/calendar.js'
import { scenarios } from '../insight/index.js'
import {
  defaultLocale,
  type Locale,
  locales,
  type Metric,
  metrics,
  type ViewWindow,
  viewWindows,
} from '../insight/types.js'
import { generatePayloads } from '../payload-generator/generate-payloads.js'
import { openFile, openStdout } from '../runtime/output.js'
import { findNearest } from '../text/spelling.js'
import { guessDay } from '../text/time.js'
import { parseInteger, toJsonText } from '../text/words.js'
import type { CommandModule, CommandResult } from './command.js'
import { addChoices } from './completion/option-with-choices.js'
import { declareRemoved } from './strict-command.js'

const newExamples = `
The same flags print the same payloads. Each is valid without a warning (other than --metric bark of a cat), and its numbers
agree: averages, counts, streaks, the change against the window before, and the length of its nights, also when the clocks change.

A day is the day of --end. A week or month is the latest that ends on it or before; with --so-far it is the one that
contains it, seen on that day. One payload is printed as a document, several as NDJSON.

Examples:
  svc payload new --metric activity --window week --zone Europe/Berlin --end 2026-10-26 --seed 7
  svc payload new --scenario REST_NIGHT_POOR --pet-name Rex
  svc payload new --scenario all --out payloads.ndjson
`

interface NewFlags {
  readonly metric?: Metric
  readonly window?: ViewWindow
  readonly scenario?: string
  readonly zone: string
  readonly end: string
  readonly soFar?: boolean
  readonly seed: string
  readonly count: string
  readonly locale: Locale
  readonly petName: string
  readonly species: 'dog' | 'cat'
  readonly userId: string
  readonly petId: string
  readonly out?: string
}

/** A day after the clocks have changed in Europe. */
const defaultEnd = '2026-10-26'
const defaultZone = 'Europe/Berlin'
const countAtMost = 100_000

export const register: CommandModule['register'] = (program, finish) => {
  const payload = program
    .command('payload')
    .hook('preAction', () => refuseUnknownVariables())
    .description('Make valid health-detail payloads to test with.')
    .addHelpText('after', '\nExample:\n  svc payload new --metric activity --window week --seed 7\n')

  payload
    .command('new')
    .description('Print valid payloads as the days of a pet give them.')
    .addOption(new Option('--metric <metric>', 'default: any').choices(metrics))
    .addOption(new Option('--window <window>', 'default: any').choices(viewWindows))
    .use(addChoices, '--scenario <id>', 'the scenario that they get, or all for one of each (default: any)', [
      'all',
      ...scenarios.map(({ id }) => id),
    ])
    .option('--zone <name>', 'time zone of the pet', defaultZone)
    .option('--end <date>', 'last day, YYYY-MM-DD', defaultEnd)
    .option('--so-far', 'the week or month that is not over on --end')
    .option('--seed <n>', 'number that selects the payloads', '1')
    .option('--count <n>', 'number of payloads', '1')
    .addOption(new Option('--locale <locale>', 'language of the texts').choices(locales).default(defaultLocale))
    .option('--pet-name <name>', 'name of the pet', 'Mochi')
    .addOption(new Option('--species <species>', 'species of the pet').choices(['dog', 'cat']).default('dog'))
    .option('--user-id <id>', 'ID of the user', 'user-20418')
    .option('--pet-id <id>', 'ID of the pet', 'pet-7731')
    .option('--out <file>', 'file to write (default: standard output)')
    .addHelpText('after', newExamples)
    .action(async (flags: NewFlags) => finish(await runNew(flags)))

  declareRemoved(payload, 'mutate', 'fixtures/invalid has a payload for each rule, and index.json lists them.')
}

async function runNew(flags: NewFlags): Promise<CommandResult> {
  const { payloads, leftOut } = generatePayloads({
    metric: flags.metric,
    viewWindow: flags.window,
    scenario: flags.scenario,
    timezone: requireZone(flags.zone),
    end: requireDay(flags.end),
    isSoFar: flags.soFar === true,
    seed: parseInteger(flags.seed, '--seed', 0, 2 ** 31),
    count: parseInteger(flags.count, '--count', 1, countAtMost),
    locale: flags.locale,
    pet: { userId: flags.userId, petId: flags.petId, name: flags.petName, species: flags.species },
  })
  const output = flags.out === undefined ? openStdout() : openFile(flags.out)
  const [only] = payloads
  if (payloads.length === 1) output.write(`${toJsonText(only, 2)}\n`)
  else for (const payload of payloads) output.write(`${toJsonText(payload)}\n`)
  await output.close()
  for (const sentence of leftOut) process.stderr.write(`svc: ${sentence}\n`)
  return 0
}

/** Time zones that abbreviations may mean. */
const zonesByAbbreviation: Readonly<Record<string, string>> = {
  BST: 'Europe/London',
  CEST: 'Europe/Berlin',
  CST: 'America/Chicago or Asia/Shanghai',
  EST: 'America/New_York',
  IST: 'Asia/Kolkata or Asia/Jerusalem',
  JST: 'Asia/Tokyo',
  MST: 'America/Denver',
  PST: 'America/Los_Angeles',
}

function requireZone(name: string): string {
  const meant = zonesByAbbreviation[name.toUpperCase()]
  if (meant === undefined && isTimeZone(name)) return name
  const zones = Intl.supportedValuesOf('timeZone')
  const city = name.replaceAll(' ', '_').toLowerCase()
  const nearest = meant ?? zones.find((zone) => zone.toLowerCase().endsWith(`/${city}`)) ?? findNearest(name, zones)
  const advice = nearest === undefined ? 'Write Area/City, such as Europe/Berlin.' : `Did you mean ${nearest}?`
  const wrong = meant === undefined ? 'not a time zone' : 'an abbreviation'
  throw new SvcError('invalid_request', `--zone is ${JSON.stringify(name)}, which is ${wrong}. ${advice}`)
}

function requireDay(text: string): number {
  const day = parseDate(text)
  if (day !== undefined) return day
  const guess = guessDay(text)
  const advice = guess === undefined ? '' : ` Did you mean ${guess}?`
  throw new SvcError(
    'invalid_request',
    `--end is ${JSON.stringify(text)}, but must be an existing date YYYY-MM-DD, such as 2026-10-26.${advice}`,
  )
}
