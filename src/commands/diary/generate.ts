import type { Command } from 'commander'
import { call, Refusal } from '../../client/client.js'
import type { Routes } from '../../contract/index.js'
import type { Body } from '../../contract/route.js'
import { species } from '../../media/poses.js'
import { programName } from '../../runtime/program-name.js'
import { addServerOptions, type ServerFlags, type ServiceConnection } from '../client/connect.js'
import { addFollowOptions, type FollowFlags, followTask, type TaskOwner, toTaskOwnerFlags } from '../client/follow.js'
import { printAnswer, withConnection } from '../client/run.js'
import type { Finish } from '../command.js'
import { argumentWithChoices, listSceneIds, optionWithChoices } from '../completion/option-with-choices.js'

interface PictureFlags extends ServerFlags, FollowFlags {
  readonly asset?: string
  readonly photo?: string
  readonly cosKey?: string
  readonly species?: string
  readonly diaryId?: string
  readonly promptVersion?: string
  readonly weather?: string
  readonly force?: true
  readonly idempotencyKey?: string
}

export function declareGenerate(diary: Command, finish: Finish): void {
  addFollowOptions(
    addServerOptions(
      diary
        .command('generate')
        .description('Make a picture of a pet in each of the scenes.')
        .addArgument(argumentWithChoices(diary, '<scene-ids...>', 'from svc diary scenes', listSceneIds))
        .option('--asset <id>', 'identity asset of the pet, begins with pia_')
        .option('--photo <address>', 'URL of a photo of the pet')
        .option('--cos-key <key>', 'storage key of a picture of the pet, from generated_cos_key')
        .addOption(optionWithChoices(diary, '--species <species>', 'dog or cat (default: that of the asset)', species))
        .option('--user-id <id>', 'ID of the owner (default: that of the asset)')
        .option('--pet-id <id>', 'ID of the pet; usage is counted by it')
        .option('--diary-id <id>', 'ID of the diary')
        .option('--prompt-version <version>', 'such as V4.2 (default: the newest)')
        .option('--weather <word>', 'weather of the day, shown in scenes of any weather, such as holidays')
        .option('--force', 'with several scenes, also make existing pictures again')
        .option('--idempotency-key <key>', 'a repeated request with the same key creates no second task'),
    ),
  )
    .addHelpText('after', examples)
    .action(async (sceneIds: string[], flags: PictureFlags) => finish(await generate(sceneIds, flags)))
}

async function generate(sceneIds: readonly string[], flags: PictureFlags) {
  return withConnection('create', flags, async (connection) => {
    const created = await call(connection, 'generateDiaryImages', {
      body: toBody(sceneIds, flags),
      headers: { 'idempotency-key': flags.idempotencyKey },
    })
    const isFollowed = flags.wait || flags.out !== undefined
    if (flags.json && !isFollowed) return printAnswer(flags, created, [])
    const owner = await findOwner(connection, flags)
    const { task_id, status } = created
    if (isFollowed) return followTask(connection, task_id, { ...flags, ...owner })
    const follow = `${programName()} task wait ${task_id}${toTaskOwnerFlags(task_id, owner)}${connection.flags}`
    return printAnswer(flags, created, [`${task_id} ${status}`, `Wait for it with: ${follow}`])
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

const examples = `
Exit codes: 0 done, 1 refused or failed, 2 could not run, 3 some scenes failed, 4 not finished in time.

Examples:
  svc diary generate beach_run --asset pia_01JCX… --wait --out out/
  svc diary generate sofa_nap park_walk --cos-key ai-gateway/photos/….jpg --species dog --user-id u7 --pet-id rex
`
