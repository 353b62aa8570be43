import type { Command } from 'commander'
import { call, Refusal } from '../../client/client.js'
import type { Routes } from '../../contract/index.js'
import type { Body } from '../../contract/route.js'
import { species } from '../../media/poses.js'
import { addServerOptions, type Connection, type ServerFlags } from '../client/connect.js'
import { addFollowOptions, type FollowFlags, followTask, type TaskOwner, toTaskOwnerFlags } from '../client/follow.js'
import { printJson, printLines, withConnection } from '../client/run.js'
import type { CommandModule } from '../command.js'
import { offer } from '../completion/offer.js'

interface GenerateFlags extends ServerFlags, FollowFlags {
  readonly asset?: string
  readonly photo?: string
  readonly cosKey?: string
  readonly species?: string
  readonly diaryId?: string
  readonly promptVersion?: string
  readonly force?: true
  readonly idempotencyKey?: string
  readonly json?: true
}

export function declareGenerate(diary: Command, finish: Parameters<CommandModule['register']>[1]): void {
  addFollowOptions(
    addServerOptions(
      diary
        .command('generate')
        .description('Make a picture of a pet in a scene, or one in each of several scenes.')
        .argument('<scene-ids...>', 'as svc diary scenes lists them')
        .option('--asset <id>', 'the pet of an identity asset, which begins with pia_')
        .option('--photo <address>', 'the pet on a photo of the web')
        .option('--cos-key <key>', 'the pet on a stored picture, as generated_cos_key names it')
        .addOption(offer(diary, '--species <species>', 'dog or cat; an asset knows its own', species))
        .option('--user-id <id>', 'whose pet it is; an asset knows its own')
        .option('--pet-id <id>', 'which pet it is; usage is counted by it')
        .option('--diary-id <id>', 'the diary that the picture is for')
        .option('--prompt-version <version>', 'such as V4.2 (default: the newest)')
        .option('--force', 'of several scenes, make those anew that were made before')
        .option('--idempotency-key <key>', 'the same request under the same key makes no second task'),
    ),
  )
    .addHelpText('after', examples)
    .action(async (sceneIds: string[], flags: GenerateFlags) => finish(await generate(sceneIds, flags)))
}

async function generate(sceneIds: readonly string[], flags: GenerateFlags) {
  return withConnection(
    flags,
    async (connection) => {
      const created = await call<Routes['generateDiaryImages']>(connection, {
        method: 'POST',
        path: '/v1/pet-diary-images/generate',
        body: toBody(sceneIds, flags),
        headers: { 'idempotency-key': flags.idempotencyKey },
      })
      const isFollowed = flags.wait || flags.out !== undefined
      if (flags.json && !isFollowed) {
        printJson(created)
        return 0
      }
      const owner = await findOwner(connection, flags)
      const { task_id, status } = created
      if (isFollowed) return followTask(connection, task_id, { ...flags, ...owner })
      const follow = `svc task wait ${task_id}${toTaskOwnerFlags(task_id, owner)}${connection.flags}`
      printLines([`${task_id} ${status}`, `Wait for it with: ${follow}`])
      return 0
    },
    'create',
  )
}

/** What was said on the command line; the service says what is wrong with it. */
function toBody(sceneIds: readonly string[], flags: GenerateFlags): Partial<Body<Routes['generateDiaryImages']>> {
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
    force_regenerate: flags.force,
  } as Partial<Body<Routes['generateDiaryImages']>>
}

/** Under whom the task is found: the owner of its asset, if it has one. */
async function findOwner(connection: Connection, { asset, userId, petId }: GenerateFlags): Promise<TaskOwner> {
  if (asset === undefined) return { userId, petId }
  try {
    const { user_id, pet_id } = await call<Routes['getIdentityAsset']>(connection, {
      method: 'GET',
      path: '/v1/pet-avatars/{identity_asset_id}',
      params: { identity_asset_id: asset },
    })
    return { userId: user_id, petId: pet_id }
  } catch (error) {
    // A key for diary pictures alone may not read the asset: then the flags have to say it.
    if (error instanceof Refusal && error.code === 'forbidden') return { userId, petId }
    throw error
  }
}

const examples = `
Exit codes: 0 done, 1 refused or failed, 2 could not be done, 3 some scenes failed, 4 not ended in time.

Examples:
  svc diary generate beach_run --asset pia_01JCX… --wait --out out/
  svc diary generate sofa_nap park_walk --cos-key ai-gateway/photos/….jpg --species dog --user-id u7 --pet-id rex
`
