import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { isSvcError } from '../../src/errors.js'
import type { Scene } from '../../src/media/scenes.js'
import { createSharedLibrary, type SharedLibraryPorts } from '../../src/media/shared-library.js'
import type { NewTask, Task } from '../../src/ports/tasks.js'

const shared = suite('shared library')

const scene = { scene_id: 'sofa_nap', recommended_pose: 'lying' } as Scene
const request = { requestId: 'r', keyId: 'k', species: 'dog', scene, keyBudget: null } as const
const now = new Date(0)

/** A store of tasks that end as they are told to: in turn, `undefined` for not in time. */
function createPorts(ends: (Task['status'] | undefined)[]) {
  const created: NewTask[] = []
  const stored: string[] = []
  const ports: SharedLibraryPorts = {
    store: {
      createTask: async (task, endpoint) => {
        assert.is(endpoint, null)
        created.push(task)
      },
      findPictures: async () => new Map(),
    },
    objects: {
      put: async (key) => {
        stored.push(key)
      },
      findHead: async (key) => (stored.includes(key) ? { sizeBytes: 1, contentType: 'image/jpeg' } : undefined),
    },
    loadModel: async () => ({ label: 'stub', imageModel: 'm', unitMicros: 0 }),
    readPhoto: async () => new Uint8Array(1),
    async finishTask(id) {
      const status = ends.shift()
      return status && ({ id, status, units: [] } as unknown as Task)
    },
  }
  return { library: createSharedLibrary(ports), created, stored }
}

const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    (error) => (isSvcError(error) ? error.code : String(error)),
  )

shared('has a picture made for an owner of its own, from a photo that is stored once', async () => {
  const { library, created, stored } = createPorts(['success', 'success'])
  await library.getPicture(request, now)
  await library.getPicture({ ...request, scene: { ...scene, scene_id: 'car_ride' } }, now)
  assert.equal(
    created.map(({ owner, units, parentId }) => [owner.userId, owner.petId, ...units, parentId]),
    [
      ['shared', 'shared', 'sofa_nap', null],
      ['shared', 'shared', 'car_ride', null],
    ],
  )
  assert.equal(stored, ['ai-gateway/shared/dog.jpg'])
})

shared('asks for patience where it takes too long, and goes on waiting for the same picture', async () => {
  const { library, created } = createPorts([undefined, undefined, 'success', 'success'])
  assert.is(await codeOf(library.getPicture(request, now)), 'unavailable')
  assert.is(await codeOf(library.getPicture(request, now)), 'unavailable')
  assert.is(await codeOf(library.getPicture(request, now)), 'done')
  assert.is(created.length, 1)
  // Nothing is remembered of what is done: the store has it.
  await library.getPicture(request, now)
  assert.is(created.length, 2)
})

shared('has a picture that failed made again when it is asked for again', async () => {
  const { library, created } = createPorts(['failed', 'success'])
  assert.is(await codeOf(library.getPicture(request, now)), 'provider_error')
  assert.is(await codeOf(library.getPicture(request, now)), 'done')
  assert.is(created.length, 2)
})

shared.run()
