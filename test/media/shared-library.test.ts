import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Scene } from '../../src/media/scenes.js'
import { createSharedLibrary } from '../../src/media/shared-library.js'
import type { Task } from '../../src/ports/tasks.js'
import { codeOf } from '../helpers/thrown.js'

const shared = suite('shared library')

const scene = { scene_id: 'sofa_nap', recommended_pose: 'lying' } as Scene
const request = {
  requestId: 'r',
  callId: 'c',
  keyId: 'k',
  species: 'dog',
  scene,
  keyBudget: null,
  mayUseModel: true,
} as const
const now = new Date(0)

/** A library whose tasks end in these statuses, in turn; `undefined` for a task that does not end in time. */
function openLibrary(...ends: (Task['status'] | undefined)[]) {
  const units = [{ output: { files: { picture: 'picture.png' } } }]
  return createSharedLibrary({
    store: { createSharedTask: async ({ id }) => id, findPictures: async () => new Map() },
    objects: { put: async () => {}, findHead: async () => ({ sizeBytes: 1, contentType: 'image/jpeg' }) },
    loadModel: async () => ({ label: 'stub', imageModel: 'm', unitMicros: 0 }),
    isDrawn: async () => true,
    readPhoto: async () => new Uint8Array(1),
    async finishTask(id) {
      const status = ends.shift()
      return status && ({ id, status, units } as unknown as Task)
    },
  })
}

shared('answers `unavailable` if the picture takes too long', async () => {
  const library = openLibrary(undefined, 'success')
  assert.is(await codeOf(library.getPicture(request, now)), 'unavailable')
  assert.is(await codeOf(library.getPicture(request, now)), 'done')
})

shared.run()
