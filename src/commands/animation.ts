import { call } from '../client/client.js'
import { poses } from '../media/poses.js'
import { addServerOptions, type ServerFlags } from './client/connect.js'
import { addTaskOptions, followCreated, type TaskFlags } from './client/follow.js'
import { printAnswer, withConnection } from './client/run.js'
import type { CommandModule } from './command.js'
import { addChoices } from './completion/option-with-choices.js'

interface AnimationFlags extends TaskFlags {
  readonly pose?: string
}

export const register: CommandModule['register'] = (program, finish) => {
  const animation = program
    .command('animation')
    .description('Animate the pictures of an avatar, or delete its clips.')
    .addHelpText('after', '\nExample:\n  svc animation generate avatar_01JCX… --out clips\n')

  animation
    .command('generate')
    .description('Make looping WebP and MP4 clips of the poses of a finished avatar task.')
    .argument('<avatar-task-id>', 'begins with avatar_')
    .use(addChoices, '--pose <pose>', 'all (default), lying, sitting, walking or running', [...poses, 'all'])
    .use(addTaskOptions)
    .addHelpText('after', generateExamples)
    .action(async (avatarTaskId: string, flags: AnimationFlags) => finish(await generate(avatarTaskId, flags)))

  animation
    .command('delete')
    .description('Delete a finished animation task with its files.')
    .argument('<task-id>', 'begins with anim_')
    .use(addServerOptions)
    .addHelpText('after', '\nExample:\n  svc animation delete anim_01JCX…\n')
    .action(async (taskId: string, flags: ServerFlags) => finish(await remove(taskId, flags)))
}

async function generate(avatarTaskId: string, flags: AnimationFlags) {
  return withConnection('existing', flags, async (connection) => {
    const created = await call(connection, 'generateAnimation', {
      // The service validates the pose.
      body: { avatar_task_id: avatarTaskId, pose: flags.pose as 'all' | undefined },
      headers: { 'idempotency-key': flags.idempotencyKey },
    })
    return followCreated(connection, created, flags)
  })
}

async function remove(taskId: string, flags: ServerFlags) {
  return withConnection('existing', flags, async (connection) => {
    await call(connection, 'deleteAnimationTask', { params: { task_id: taskId } })
    return printAnswer(flags, { task_id: taskId, deleted: true }, [`${taskId} and its files are deleted.`])
  })
}

const generateExamples = `
Exit codes: 0 done, 1 refused or failed, 2 could not run, 3 some poses failed, 4 not finished in time.

Example:
  svc animation generate avatar_01JCX… --wait --out out/
`
