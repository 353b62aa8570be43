import type { Command } from 'commander'
import { call } from '../../client/client.js'
import type { Routes } from '../../contract/index.js'
import type { Body } from '../../contract/route.js'
import { species } from '../../media/poses.js'
import { addServerOptions, type ServerFlags } from '../client/connect.js'
import { printAnswer, withConnection } from '../client/run.js'
import type { Finish } from '../command.js'
import { optionWithChoices } from '../completion/option-with-choices.js'

const factNames = ['season', 'weather', 'location', 'activity', 'mood', 'holiday'] as const

interface SelectFlags extends ServerFlags, Partial<Record<(typeof factNames)[number], string>> {
  readonly species: string
  readonly date: string
  readonly userId?: string
  readonly petId?: string
  readonly diaryId?: string
}

export function declareSelect(diary: Command, finish: Finish): void {
  const select = diary
    .command('select')
    .description('Select the library picture that fits a day best, from the pet itself or the shared library.')
    .addOption(optionWithChoices(diary, '--species <species>', 'dog or cat', species).makeOptionMandatory())
    .requiredOption('--date <date>', 'the day, YYYY-MM-DD')
    .option('--user-id <id>', 'ID of the owner')
    .option('--pet-id <id>', 'ID of the pet')
    .option('--diary-id <id>', 'ID of the diary')
  for (const name of factNames) select.option(`--${name} <word>`, `the ${name} of the day`)
  addServerOptions(select)
    .addHelpText('after', examples)
    .action(async (flags: SelectFlags) => finish(await choose(flags)))
}

async function choose(flags: SelectFlags) {
  const { species, date, userId, petId, diaryId } = flags
  const facts = { species, ...Object.fromEntries(factNames.map((name) => [name, flags[name]])) }
  // The service validates the facts.
  const body = { user_id: userId, pet_id: petId, diary_id: diaryId, date, facts } as Body<Routes['selectDiaryImage']>
  return withConnection('create', flags, async (connection) => {
    const selection = await call(connection, 'selectDiaryImage', { body })
    const { image_id, image_url, scene_id, match_reason } = selection
    const matched = match_reason.matched.join(', ') || 'nothing'
    const scored = `${image_id}  ${scene_id}  ${match_reason.score} (matched ${matched})`
    return printAnswer(flags, selection, [scored, `  ${image_url}`])
  })
}

const examples = `
Examples:
  svc diary select --species dog --date 2026-10-20 --weather rain --location home
  svc diary select --species cat --date 2026-12-25 --user-id u7 --pet-id tom --json
`
