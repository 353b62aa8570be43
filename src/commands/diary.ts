import { InvalidArgumentError, Option } from 'commander'
import { call, Refusal } from '../client/client.js'
import type { Routes } from '../contract/index.js'
import type { Body } from '../contract/route.js'
import { defaultDiaryVersion, diaryVersions } from '../media/diary-versions.js'
import { species } from '../media/poses.js'
import { sceneCategories } from '../media/scenes.js'
import { addServerOptions, type ServerFlags, type ServiceConnection } from './client/connect.js'
import { addListOptions, describePage, type ListFlags } from './client/describe.js'
import { addTaskOptions, finishTask, followCreated, type TaskFlags, type TaskOwner } from './client/follow.js'
import { printAnswer, withConnection } from './client/run.js'
import type { CommandModule, Finish } from './command.js'
import { addChoices, listSceneIds, withChoices } from './completion/option-with-choices.js'
import { type ComparedVersions, runCompare, runScenes, type ScenesOptions } from './diary/scenes.js'
import type { StrictCommand } from './strict-command.js'

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
    .action((flags: ScenesOptions & { readonly diff?: ComparedVersions; readonly json?: true }) => {
      const json = flags.json === true
      finish(flags.diff === undefined ? runScenes(flags, json) : runCompare(flags.diff, json))
    })
  declareGenerate(diary, finish)
  declareSelect(diary, finish)
  declarePictures(diary, finish)
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
function declarePictures(diary: StrictCommand, finish: Finish): void {
  diary
    .command('list')
    .description('List diary pictures in every state, newest first.')
    .use(addListOptions, 'pictures', 'all users with SVC_ENV=test, else calls without a user')
    .addHelpText('after', '\nExample:\n  svc diary list --user-id user-7\n')
    .action(async (flags: ListFlags) => finish(await list(flags)))

  diary
    .command('show')
    .description('Show one diary picture.')
    .argument('<image-id>', 'begins with img_')
    .option('--out <folder>', 'save the picture in this folder')
    .use(addServerOptions)
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

function declareSelect(diary: StrictCommand, finish: Finish): void {
  const select = diary
    .command('select')
    .description('Select the library picture that fits a day best, from the pet itself or the shared library.')
    .addOption(withChoices(diary.createOption('--species <species>', 'dog or cat').makeOptionMandatory(), species))
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

interface PictureFlags extends TaskFlags {
  readonly asset?: string
  readonly photo?: string
  readonly cosKey?: string
  readonly species?: string
  readonly diaryId?: string
  readonly promptVersion?: string
  readonly weather?: string
  readonly force?: true
}

function declareGenerate(diary: StrictCommand, finish: Finish): void {
  diary
    .command('generate')
    .description('Make a picture of a pet in each of the scenes.')
    .addArgument(withChoices(diary.createArgument('<scene-ids...>', 'from svc diary scenes'), listSceneIds))
    .option('--asset <id>', 'identity asset of the pet, begins with pia_')
    .option('--photo <address>', 'URL of a photo of the pet')
    .option('--cos-key <key>', 'storage key of a picture of the pet, from generated_cos_key')
    .use(addChoices, '--species <species>', 'dog or cat (default: that of the asset)', species)
    .option('--user-id <id>', 'ID of the owner (default: that of the asset)')
    .option('--pet-id <id>', 'ID of the pet; usage is counted by it')
    .option('--diary-id <id>', 'ID of the diary')
    .option('--prompt-version <version>', 'such as V4.2 (default: the newest)')
    .option('--weather <word>', 'weather of the day, shown in scenes of any weather, such as holidays')
    .option('--force', 'with several scenes, also make existing pictures again')
    .use(addTaskOptions)
    .addHelpText('after', generateExamples)
    .action(async (sceneIds: string[], flags: PictureFlags) => finish(await generate(sceneIds, flags)))
}

async function generate(sceneIds: readonly string[], flags: PictureFlags) {
  return withConnection('create', flags, async (connection) => {
    const created = await call(connection, 'generateDiaryImages', {
      body: toBody(sceneIds, flags),
      headers: { 'idempotency-key': flags.idempotencyKey },
    })
    return followCreated(connection, created, flags, () => findOwner(connection, flags))
  })
}

/** Maps the flags to the request body. The service validates it. */
function toBody(sceneIds: readonly string[], flags: PictureFlags): Partial<Body<Routes['generateDiaryImages']>> {
  return {
    scene_ids: [...sceneIds],
    identity_asset_id: flags.asset,
    source_image_url: flags.photo,
    cos_key: flags.cosKey,
    species: flags.species,
    user_id: flags.userId,
    pet_id: flags.petId,
    diary_id: flags.diaryId,
    prompt_version: flags.promptVersion,
    weather: flags.weather,
    force_regenerate: flags.force,
  } as Partial<Body<Routes['generateDiaryImages']>>
}

/** Finds the owner of the task: that of its asset, if it has one. */
async function findOwner(connection: ServiceConnection, { asset, userId, petId }: PictureFlags): Promise<TaskOwner> {
  if (asset === undefined) return { userId, petId }
  try {
    const { user_id, pet_id } = await call(connection, 'getIdentityAsset', { params: { identity_asset_id: asset } })
    return { userId: user_id, petId: pet_id }
  } catch (error) {
    // A key for diary pictures only may not read the asset: the flags must name the owner.
    if (error instanceof Refusal && error.code === 'forbidden') return { userId, petId }
    throw error
  }
}

const generateExamples = `
Exit codes: 0 done, 1 refused or failed, 2 could not run, 3 some scenes failed, 4 not finished in time.

Examples:
  svc diary generate beach_run --asset pia_01JCX… --wait --out out/
  svc diary generate sofa_nap park_walk --cos-key ai-gateway/photos/….jpg --species dog --user-id u7 --pet-id rex
`
