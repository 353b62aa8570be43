import { type Command, InvalidArgumentError, Option } from 'commander'
import { call } from '../client/client.js'
import type { Routes } from '../contract/index.js'
import type { Body } from '../contract/route.js'
import { defaultDiaryVersion, diaryVersions } from '../media/diary-versions.js'
import { species } from '../media/poses.js'
import { sceneCategories } from '../media/scenes.js'
import { addServerOptions, type ServerFlags } from './client/connect.js'
import { describePage, type ListFlags } from './client/describe.js'
import { finishTask } from './client/follow.js'
import { printAnswer, withConnection } from './client/run.js'
import type { CommandModule, Finish } from './command.js'
import { optionWithChoices } from './completion/option-with-choices.js'
import { declareGenerate } from './diary/generate.js'
import { type ComparedVersions, runCompare, runScenes, type ScenesOptions } from './diary/scenes.js'

export const register: CommandModule['register'] = (program, finish) => {
  // Otherwise `--version` would be the option of the program in any position.
  program.enablePositionalOptions()
  const diary = program
    .command('diary')
    .description('Make pictures of a pet in scenes, select the picture of a day, list pictures and scenes.')
    .addHelpText('after', '\nExample:\n  svc diary scenes --species cat\n')

  diary
    .command('scenes')
    .description('List the scenes of a library version, or the differences between two. Needs no server.')
    .addOption(
      new Option('--version <version>', 'library version').choices([...diaryVersions]).default(defaultDiaryVersion),
    )
    .addOption(new Option('--species <species>', 'only scenes for this species').choices([...species]))
    .addOption(new Option('--category <category>', 'only scenes of this category').choices([...sceneCategories]))
    .addOption(
      new Option('--diff <versions>', 'differences between versions, such as V4.2..V4.3')
        .argParser(parseVersions)
        .conflicts(['version', 'species', 'category']),
    )
    .option('--json', 'print one JSON document')
    .addHelpText('after', examples)
    .action((flags: ScenesFlags) => {
      const json = flags.json === true
      finish(flags.diff === undefined ? runScenes(flags, json) : runCompare(flags.diff, json))
    })
  declareGenerate(diary, finish)
  declareSelect(diary, finish)
  declarePictures(diary, finish)
}

interface ScenesFlags extends ScenesOptions {
  readonly diff?: ComparedVersions
  readonly json?: true
}

/** Parses two versions, the older first. */
function parseVersions(text: string): ComparedVersions {
  const [older, newer, ...more] = text.split('..').map((name) => diaryVersions.find((version) => version === name))
  const known = `Known versions: ${diaryVersions.join(', ')}.`
  if (older === undefined || newer === undefined || more.length > 0) {
    throw new InvalidArgumentError(`It must be two versions separated by two dots. ${known}`)
  }
  if (diaryVersions.indexOf(older) <= diaryVersions.indexOf(newer)) {
    throw new InvalidArgumentError('The first version must be the older one.')
  }
  return { older, newer }
}

const examples = `
Examples:
  svc diary scenes --category federal_holiday
  svc diary scenes --version V4.0 --species dog --json
  svc diary scenes --diff V4.2..V4.3
`

interface ShowFlags extends ServerFlags {
  readonly out?: string
}

/** Declares `svc diary list` and `show`, which read diary pictures of a service. */
function declarePictures(diary: Command, finish: Finish): void {
  addServerOptions(
    diary
      .command('list')
      .description('List diary pictures in every state, newest first.')
      .option('--user-id <id>', 'ID of the owner (default: all users with SVC_ENV=test, else calls without a user)')
      .option('--page <number>', 'page number, from 1')
      .option('--page-size <number>', 'pictures per page, 1 to 100 (default 20)'),
  )
    .addHelpText('after', '\nExample:\n  svc diary list --user-id user-7\n')
    .action(async (flags: ListFlags) => finish(await list(flags)))

  addServerOptions(
    diary
      .command('show')
      .description('Show one diary picture.')
      .argument('<image-id>', 'begins with img_')
      .option('--out <folder>', 'save the picture in this folder'),
  )
    .addHelpText('after', '\nExample:\n  svc diary show img_01JCX… --out out/\n')
    .action(async (id: string, flags: ShowFlags) => finish(await show(id, flags)))
}

async function list({ userId, page, pageSize, ...flags }: ListFlags) {
  return withConnection('read', flags, async (connection) => {
    const query = { user_id: userId, page, page_size: pageSize }
    const answer = await call(connection, 'listDiaryImages', { query })
    const lines = answer.items.map(({ task_id, status, scene_id, user_id, pet_id, image_id }) =>
      [task_id, status, scene_id, `user ${user_id}`, `pet ${pet_id}`, image_id ?? ''].join('  ').trimEnd(),
    )
    return printAnswer(flags, answer, [...lines, describePage(answer)])
  })
}

async function show(id: string, flags: ShowFlags) {
  return withConnection('read', flags, async (connection) => {
    const picture = await call(connection, 'getDiaryImage', { params: { image_id: id } })
    return finishTask(connection, picture, flags)
  })
}

const factNames = ['season', 'weather', 'location', 'activity', 'mood', 'holiday'] as const

interface SelectFlags extends ServerFlags, Partial<Record<(typeof factNames)[number], string>> {
  readonly species: string
  readonly date: string
  readonly userId?: string
  readonly petId?: string
  readonly diaryId?: string
}

function declareSelect(diary: Command, finish: Finish): void {
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
    .addHelpText('after', selectExamples)
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

const selectExamples = `
Examples:
  svc diary select --species dog --date 2026-10-20 --weather rain --location home
  svc diary select --species cat --date 2026-12-25 --user-id u7 --pet-id tom --json
`
