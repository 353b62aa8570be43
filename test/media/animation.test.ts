import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type DeletionPorts, deleteAnimationTask } from '../../src/media/animation.js'
import type { Task } from '../../src/ports/tasks.js'

const animation = suite('deletion of an animation')

/** A task that the store does not allow to be deleted now. */
const portsWith = (status: Task['status']) =>
  ({
    tasks: { findTask: async () => ({ kind: 'animation', status }) as Task, beginDelete: async () => false },
  }) as unknown as DeletionPorts

const refusals: [status: Task['status'], message: RegExp][] = [
  ['processing', /^The task is processing; it can be deleted after it finishes\. Nothing has changed\.$/],
  ['deleting', /^The task is being deleted already\.$/],
]
for (const [status, message] of refusals) {
  animation(`of a task in ${status} is refused with the reason`, async () => {
    const error = await deleteAnimationTask(portsWith(status), 'anim_1').catch((reason) => reason)
    assert.is(error.code, 'conflict')
    assert.match(error.message, message)
  })
}

animation.run()
