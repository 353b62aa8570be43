import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type AssetStatus, findAssetId, type PoseAnimationStatus, toIdentityAsset } from '../../src/media/identity.js'
import type { Task, TaskStatus, UnitStatus, UnitView } from '../../src/ports/tasks.js'

const identity = suite('identity assets')

const unit = (name: string, status: UnitStatus, files: Record<string, string> = {}): UnitView => ({
  name,
  status,
  output: status === 'success' ? { files } : null,
  failure: null,
})
const task = (change: Partial<Task>): Task => ({
  id: 'avatar_01ABC',
  kind: 'avatar',
  status: 'success',
  requestId: 'req_1',
  keyId: 'key_1',
  owner: { userId: 'u1', petId: 'p1', missing: [] },
  provider: 'stub',
  model: 'stub-avatar-1',
  parentId: null,
  input: { species: 'cat', locale: 'en-US', sourceKey: 'ai-gateway/photos/avatar_01ABC.jpg' },
  units: [unit('lying', 'success', { image: 'l.webp' }), unit('running', 'success', { image: 'r.webp' })],
  createdAt: new Date(1000),
  updatedAt: new Date(2000),
  finishedAt: new Date(2000),
  ...change,
})
const animation = (status: TaskStatus, units: UnitView[] = []): Task =>
  task({ id: 'anim_01', kind: 'animation', status, parentId: 'avatar_01ABC', units, updatedAt: new Date(3000) })

const ids: readonly [TaskStatus, string | null][] = [
  ['pending', null],
  ['processing', null],
  ['success', 'pia_01ABC'],
  ['partial_success', null],
  ['failed', null],
]
for (const [status, id] of ids) {
  identity(`a task in ${status} has the asset ${id}`, () => assert.is(findAssetId(task({ status })), id))
}

const statuses: readonly [TaskStatus | 'no animation', AssetStatus, string | undefined][] = [
  ['no animation', 'ready', undefined],
  ['pending', 'animation_pending', 'anim_01'],
  ['processing', 'animation_pending', 'anim_01'],
  ['success', 'success', 'anim_01'],
  ['partial_success', 'partial_success', 'anim_01'],
  ['failed', 'failed', 'anim_01'],
  ['deleting', 'ready', undefined],
  ['delete_failed', 'failed', 'anim_01'],
]
for (const [linked, status, id] of statuses) {
  identity(`is ${status} with an animation in ${linked}`, () => {
    const asset = toIdentityAsset(task({}), linked === 'no animation' ? undefined : animation(linked))
    assert.is(asset.status, status)
    assert.is(asset.animation?.id, id)
    assert.is(asset.poses.map(({ name, imageKey }) => `${name} ${imageKey}`).join(), 'lying l.webp,running r.webp')
  })
}

const both = { webp: 'l.webp', mp4: 'l.mp4' }
const made = unit('lying', 'success', both)
const half = unit('lying', 'success', { mp4: 'l.mp4' })
const clips: readonly [string, Task | undefined, PoseAnimationStatus | null, string | null, string | null][] = [
  ['no animation', undefined, null, null, null],
  ['another pose animated', animation('success', [unit('running', 'success', both)]), null, null, null],
  ['a pending clip', animation('pending', [unit('lying', 'pending')]), 'pending', null, null],
  ['a clip being made', animation('processing', [unit('lying', 'processing')]), 'processing', null, null],
  ['both files', animation('success', [made]), 'success', 'l.webp', 'l.mp4'],
  ['both files before other poses', animation('processing', [made]), 'success', 'l.webp', 'l.mp4'],
  ['one file', animation('partial_success', [half]), 'partial_success', null, 'l.mp4'],
  ['a failed clip', animation('failed', [unit('lying', 'failed')]), 'failed', null, null],
  ['an incomplete deletion', animation('delete_failed', [made]), 'delete_failed', null, null],
  ['a deletion in progress', animation('deleting', [made]), null, null, null],
]
for (const [what, linked, status, webp, mp4] of clips) {
  identity(`shows ${status} for a pose with ${what}`, () => {
    const [lying] = toIdentityAsset(task({}), linked).poses
    const files = { imageKey: 'l.webp', webpKey: webp, mp4Key: mp4 }
    assert.equal(lying, { name: 'lying', animationStatus: status, ...files })
  })
}

identity('is updated when its animation is', () => {
  assert.equal(toIdentityAsset(task({}), undefined).updatedAt, new Date(2000))
  assert.equal(toIdentityAsset(task({}), animation('pending')).updatedAt, new Date(3000))
})

identity.run()
