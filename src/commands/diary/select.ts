import type { Command } from 'commander'
import { call } from '../../client/client.js'
import type { Routes } from '../../contract/index.js'
import type { Body } from '../../contract/route.js'
import { species } from '../../media/poses.js'
import { addServerOptions, type ServerFlags } from '../client/connect.js'
import { printJson, printLines, withConnection } from '../client/run.js'
import type { CommandModule } from '../command.js'
import { offer } from '../completion/offer.js'

const factNames = ['season', 'weather', 'location', 'activity', 'mood', 'holiday'] as const

interface SelectFlags extends ServerFlags, Partial<Record<(typeof factNames)[number], string>> {
  readonly species: string
  readonly date: string
  readonly userId?: string
  readonly petId?: string
  readonly diaryId?: string
}

export function declareSelect(diary: Command, finish: Parameters<CommandModule['register']>[1]): void {
  const select = diary
    .command('select')
    .description('Choose the library picture that fits a day best: of the pet itself, or one that all pets share.')
    .addOption(offer(diary, '--species <species>', 'dog or cat', species).makeOptionMandatory())
    .requiredOption('--date <date>', 'the day, YYYY-MM-DD')
    .option('--user-id <id>', 'whose pet it is')
    .option('--pet-id <id>', 'which pet it is')
    .option('--diary-id <id>', 'the diary that the picture is for')
  for (const name of factNames) select.option(`--${name} <word>`, `what is known of the day's ${name}`)
  addServerOptions(select)
    .addHelpText('after', examples)
    .action(async (flags: SelectFlags) => finish(await choose(flags)))
}

async function choose(flags: SelectFlags) {
  const { species, date, userId, petId, diaryId } = flags
  const facts = { species, ...Object.fromEntries(factNames.map((name) => [name, flags[name]])) }
  return withConnection(
    flags,
    async (connection) => {
      const selection = await call<Routes['selectDiaryImage']>(connection, {
        method: 'POST',
        path: '/v1/pet-diary-image-libraries/select',
        // The service says what is wrong with the words.
        body: { user_id: userId, pet_id: petId, diary_id: diaryId, date, facts } as Partial<
          Body<Routes['selectDiaryImage']>
        >,
      })
      if (flags.json) printJson(selection)
      else {
        const { image_id, image_url, scene_id, match_reason } = selection
        const matched = match_reason.matched.join(', ') || 'nothing'
        printLines([`${image_id}  ${scene_id}  ${match_reason.score} (matched ${matched})`, `  ${image_url}`])
      }
      return 0
    },
    'create',
  )
}

const examples = `
Examples:
  svc diary select --species dog --date 2026-10-20 --weather rain --location home
  svc diary select --species cat --date 2026-12-25 --user-id u7 --pet-id tom --json
`
