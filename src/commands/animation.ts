import { call } from '../client/client.js'
import type { Routes } from '../contract/index.js'
import { poses } from '../media/poses.js'
import { addServerOptions, type ServerFlags } from './client/connect.js'
import { describeCreated } from './client/describe.js'
import { addFollowOptions, type FollowFlags, followTask } from './client/follow.js'
import { printJson, printLines, withConnection } from './client/run.js'
import type { CommandModule } from './command.js'
import { offer } from './completion/offer.js'

interface GenerateFlags extends ServerFlags, FollowFlags {
  readonly pose?: string
  readonly idempotencyKey?: string
  readonly json?: true
}

export const register: CommandModule['register'] = (program, finish) => {
  const animation = program
    .command('animation')
    .description('Make the pictures of an avatar move, or delete such clips.')
    .addHelpText('after', '\nExample:\n  svc animation generate avatar_01JCX… --out clips\n')

  addFollowOptions(
    addServerOptions(
      animation
        .command('generate')
        .description('Make looping WebP and MP4 clips of the poses of an avatar task that has ended.')
        .argument('<avatar-task-id>', 'begins with avatar_')
        .addOption(
          offer(program, '--pose <pose>', 'all (default), lying, sitting, walking or running', [...poses, 'all']),
        )
        .option('--idempotency-key <key>', 'the same request under the same key makes no second task'),
    ),
  )
    .addHelpText('after', generateExamples)
    .action(async (avatarTaskId: string, flags: GenerateFlags) => finish(await generate(avatarTaskId, flags)))

  addServerOptions(
    animation
      .command('delete')
      .description('Delete an animation task that has ended, with its files.')
      .argument('<task-id>', 'begins with anim_'),
  )
    .addHelpText('after', '\nExample:\n  svc animation delete anim_01JCX…\n')
    .action(async (taskId: string, flags: ServerFlags) => finish(await remove(taskId, flags)))
}

async function generate(avatarTaskId: string, flags: GenerateFlags) {
  return withConnection(flags, async (connection) => {
    const created = await call<Routes['generateAnimation']>(connection, {
      method: 'POST',
      path: '/v1/pet-animation/generate',
      body: toBody(avatarTaskId, flags.pose),
      headers: { 'idempotency-key': flags.idempotencyKey },
    })
    if (flags.wait || flags.out !== undefined) return followTask(connection, created.task_id, flags)
    if (flags.json) printJson(created)
    else printLines(describeCreated(created, connection.flags))
    return 0
  })
}

async function remove(taskId: string, flags: ServerFlags) {
  return withConnection(flags, async (connection) => {
    const path = '/v1/pet-animation/tasks/{task_id}'
    await call<Routes['deleteAnimationTask']>(connection, { method: 'DELETE', path, params: { task_id: taskId } })
    if (flags.json) printJson({ task_id: taskId, deleted: true })
    else printLines([`${taskId} is deleted, its files with it.`])
    return 0
  })
}

function toBody(avatarTaskId: string, pose: string | undefined) {
  // The service says which poses there are.
  return { avatar_task_id: avatarTaskId, ...(pose === undefined ? {} : { pose: pose as 'all' }) }
}

const generateExamples = `
Exit codes: 0 done, 1 refused or failed, 2 could not be done, 3 some poses failed, 4 not ended in time.

Example:
  svc animation generate avatar_01JCX… --wait --out out/
`
