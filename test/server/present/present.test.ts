import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Task, TaskStatus } from '../../../src/ports/tasks.js'
import { presentAnimationTask } from '../../../src/server/handlers/animation.js'

const present = suite('animation record')
const presenting = { sign: (key: string) => `https://svc.test/${key}`, pollAfterSeconds: 5 }

const task = (change: Partial<Task>): Task => ({
  id: 'anim_1',
  kind: 'animation',
  status: 'success',
  requestId: 'req_1',
  keyId: 'key_1',
  owner: { userId: 'u1', petId: 'p1', missing: [] },
  provider: 'other',
  model: 'other-video-1',
  parentId: 'avatar_1',
  input: { species: 'dog', seconds: 2, sourceKey: 's.jpg', frames: {}, locale: 'en-US' },
  units: [],
  createdAt: new Date(0),
  updatedAt: new Date(1000),
  finishedAt: null,
  ...change,
})

present('gives a polling interval until a task has ended', () => {
  const waits: readonly [number | null, TaskStatus[]][] = [
    [5, ['pending', 'processing', 'deleting']],
    [null, ['success', 'partial_success', 'failed', 'delete_failed']],
  ]
  for (const [seconds, statuses] of waits) {
    for (const status of statuses)
      assert.is(presentAnimationTask(task({ status }), presenting).poll_after_seconds, seconds, status)
  }
})

present('shows the one file that exists, and its duration', () => {
  const output = { files: { mp4: 'lying.mp4' }, durationSeconds: 5 }
  const units = [{ name: 'lying', status: 'success', output, failure: null }] as const
  const { images, duration_seconds } = presentAnimationTask(task({ status: 'partial_success', units }), presenting)
  assert.is(duration_seconds, 5)
  assert.equal(images.lying, {
    status: 'success',
    webp_cos_key: null,
    webp_url: null,
    mp4_cos_key: 'lying.mp4',
    mp4_url: 'https://svc.test/lying.mp4',
    error_code: null,
    error_message: null,
  })
})

present('begins with request ID, task ID and status', () => {
  assert.equal(Object.keys(presentAnimationTask(task({}), presenting)).slice(0, 3), ['request_id', 'task_id', 'status'])
})

present.run()
