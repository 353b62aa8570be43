import { readFile } from 'node:fs/promises'
import { text as readText } from 'node:stream/consumers'
import { call } from '../client/client.js'
import type { Routes } from '../contract/index.js'
import type { Body } from '../contract/route.js'
import { SvcError } from '../errors.js'
import { isJsonObject } from '../insight/json-object.js'
import { locales } from '../insight/types.js'
import { species } from '../media/poses.js'
import { reasonOf } from '../runtime/reason.js'
import { addServerOptions, type ServerFlags } from './client/connect.js'
import { printAnswer, withConnection } from './client/run.js'
import { type CommandModule, printProblem } from './command.js'
import { addChoices } from './completion/option-with-choices.js'

type Request = Partial<Body<Routes['generateHomeInsights']>>

interface CardFlags extends ServerFlags {
  readonly userId?: string
  readonly petId?: string
  readonly petName?: string
  readonly species?: string
  readonly locale?: string
  readonly date?: string
  readonly fact?: readonly string[]
}

const examples = `
Facts of the contract are, among others, activity_minutes, activity_goal_minutes, streak_days, rest_minutes, bark_count,
bark_minutes, weather, temperature_celsius, diary_ready, diary_id, birthday and adoption_date.

Examples:
  svc home generate --pet-name Mochi --species dog --fact activity_minutes=75 weather=rain birthday=2023-06-16
  svc home generate day.json --locale es --json
  echo '{"streak_days": 3}' | svc home generate -
`

export const register: CommandModule['register'] = (program, finish) => {
  const home = program
    .command('home')
    .description("Make the cards of a pet's home page.")
    .addHelpText('after', '\nExample:\n  svc home generate --pet-name Rex --fact weather=rain\n')
  home
    .command('generate')
    .description('Make cards from facts about the day, and print them by importance.')
    .argument('[facts]', 'a file with a JSON object of facts, or - for standard input')
    .option('--fact <name=value...>', 'one fact, which overrides the file')
    .option('--user-id <id>', 'ID of the owner')
    .option('--pet-id <id>', 'ID of the pet; usage is counted by it')
    .option('--pet-name <name>', 'name of the pet')
    .use(addChoices, '--species <species>', 'dog or cat', species)
    .use(addChoices, '--locale <locale>', 'language of the cards: en-US (default), zh-CN or es', locales)
    .option('--date <date>', 'the local date, YYYY-MM-DD (default: today in UTC)')
    .use(addServerOptions)
    .addHelpText('after', examples)
    .action(async (file: string | undefined, flags: CardFlags) => finish(await generate(file, flags)))
}

async function generate(file: string | undefined, flags: CardFlags) {
  const facts = { ...(file === undefined ? {} : await readFacts(file)), ...parseFacts(flags.fact ?? []) }
  await warnOfUnknownFacts(facts)
  const { userId, petId, petName, species, locale, date } = flags
  // Undefined members are not sent. The service validates the others.
  const body = { user_id: userId, pet_id: petId, pet_name: petName, species, locale, date, facts } as Request
  return withConnection('create', flags, async (connection) => {
    const answer = await call(connection, 'generateHomeInsights', { body })
    const lines = answer.insights.flatMap(({ title, body }) => [title, `  ${body}`])
    return printAnswer(flags, answer, lines)
  })
}

/** Warns of unknown facts. The service accepts them for newer callers, but a person probably made a typing error. */
async function warnOfUnknownFacts(facts: object): Promise<void> {
  if (Object.keys(facts).length === 0) return
  const { describeUnknownFacts } = await import('./home/unknown-facts.js')
  for (const message of describeUnknownFacts(facts)) printProblem({ message })
}

async function readFacts(file: string): Promise<object> {
  const name = file === '-' ? 'Standard input' : file
  let text: string
  try {
    text = file === '-' ? await readText(process.stdin) : await readFile(file, 'utf8')
  } catch (cause) {
    throw new SvcError('invalid_request', `${name} cannot be read: ${reasonOf(cause)}.`, { cause })
  }
  try {
    const facts: unknown = JSON.parse(text)
    if (isJsonObject(facts)) return facts
  } catch {
    // The error below also covers text that is not JSON.
  }
  throw new SvcError('invalid_request', `${name} must be a JSON object of facts, such as {"activity_minutes": 75}.`)
}

/** Parses `name=value` facts. Numbers and booleans become JSON values, everything else and all IDs stay text. */
function parseFacts(texts: readonly string[]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    texts.map((text) => {
      const [, name, value = ''] = /^(\w+)=(.*)$/s.exec(text) ?? []
      if (name === undefined) {
        throw new SvcError(
          'invalid_request',
          `--fact takes a name and a value, as in --fact streak_days=3, not ${text}.`,
        )
      }
      return [
        name,
        /^(true|false|-?(0|[1-9]\d*)(\.\d+)?)$/.test(value) && !name.endsWith('_id') ? JSON.parse(value) : value,
      ]
    }),
  )
}
