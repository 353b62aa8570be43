import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { isSvcError } from '../../src/errors.js'
import type { Scene } from '../../src/media/scenes.js'
import { createSharedLibrary, type SharedLibraryPorts } from '../../src/media/shared-library.js'
import type { NewPicture, Task } from '../../src/ports/tasks.js'

const shared = suite('shared library')

const scene = { scene_id: 'sofa_nap', recommended_pose: 'lying' } as Scene
const other = { ...scene, scene_id: 'car_ride' }
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

interface Given {
  /** Statuses in which awaited tasks end, in turn; `undefined` for a task that does not end in time. */
  readonly ends?: (Task['status'] | undefined)[]
  /** A task that another request created. */
  readonly standing?: string
  /** True for recipes that have a picture. */
  readonly isMade?: (recipe: string) => boolean
  readonly isDrawn?: boolean
  /** Tasks whose picture is lost. */
  readonly lost?: readonly string[]
}

function createPorts({ ends = [], standing, isMade = () => false, isDrawn = true, lost = [] }: Given) {
  const created: NewPicture[] = []
  const stored: string[] = []
  const awaited: string[] = []
  const toUnits = (id: string) => [{ output: { files: { picture: `${id}.png` } } }]
  const ports: SharedLibraryPorts = {
    store: {
      createSharedTask: async (task, lostId) => {
        if (standing !== undefined && standing !== lostId) return standing
        created.push(task)
        return task.id
      },
      findPictures: async (_, recipes) =>
        new Map(
          recipes.filter(isMade).map((recipe) => [recipe, { id: recipe, units: toUnits(recipe) } as unknown as Task]),
        ),
    },
    objects: {
      put: async (key) => {
        stored.push(key)
      },
      findHead: async (key) => {
        const isThere = key.endsWith('.png') ? !lost.some((id) => key === `${id}.png`) : stored.includes(key)
        return isThere ? { sizeBytes: 1, contentType: 'image/jpeg' } : undefined
      },
    },
    loadModel: async () => ({ label: 'stub', imageModel: 'm', unitMicros: 0 }),
    isDrawn: async () => isDrawn,
    readPhoto: async () => new Uint8Array(1),
    async finishTask(id) {
      awaited.push(id)
      const status = ends.shift()
      return status && ({ id, status, units: toUnits(id) } as unknown as Task)
    },
  }
  return { library: createSharedLibrary(ports), created, stored, awaited }
}

const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    (error) => (isSvcError(error) ? error.code : String(error)),
  )

shared('paints a picture for an owner of its own, from a photo that is stored once', async () => {
  const { library, created, stored } = createPorts({ ends: ['success', 'success'] })
  await library.getPicture(request, now)
  await library.getPicture({ ...request, scene: other }, now)
  assert.equal(
    created.map(({ owner, units, parentId }) => [owner.userId, owner.petId, ...units, parentId]),
    [
      ['shared', 'shared', 'sofa_nap', null],
      ['shared', 'shared', 'car_ride', null],
    ],
  )
  assert.equal(stored, ['ai-gateway/shared/dog.jpg'])
})

shared('waits for a picture that another request started', async () => {
  const { library, awaited } = createPorts({ ends: ['success'], standing: 'diary_other' })
  assert.is((await library.getPicture(request, now)).id, 'diary_other')
  assert.equal(awaited, ['diary_other'])
})

shared('paints a picture again if its file is lost, but not for a key that may not use the model', async () => {
  const lost = ['diary_other', '["shared","dog","sofa_nap","V4.3"]']
  const given = { isMade: () => true, standing: 'diary_other', lost, isDrawn: false }
  const { library, created, awaited } = createPorts({ ...given, ends: ['success', 'success'] })
  const limited = { ...request, mayUseModel: false }
  assert.equal(await library.listScenes(limited, [scene, other]), [other])
  assert.is(await codeOf(library.getPicture(limited, now)), 'not_found')
  const { id } = await library.getPicture(request, now)
  assert.equal([awaited, created.map((task) => task.id)], [['diary_other', id], [id]])
})

shared('answers `unavailable` if the picture takes too long', async () => {
  const { library } = createPorts({ ends: [undefined, 'success'] })
  assert.is(await codeOf(library.getPicture(request, now)), 'unavailable')
  assert.is(await codeOf(library.getPicture(request, now)), 'done')
})

shared('reports a failed picture, and paints it again at the next request', async () => {
  const { library, created } = createPorts({ ends: ['failed', 'success'] })
  assert.is(await codeOf(library.getPicture(request, now)), 'provider_error')
  assert.is(await codeOf(library.getPicture(request, now)), 'done')
  assert.is(created.length, 2)
})

shared('lets a key without access to the model choose among existing pictures only', async () => {
  const isMade = (recipe: string) => recipe.includes('car_ride')
  const { library, created } = createPorts({ ends: [], isMade, isDrawn: false })
  const limited = { ...request, mayUseModel: false }
  assert.equal(await library.listScenes(request, [scene, other]), [scene, other])
  assert.equal(await library.listScenes(limited, [scene, other]), [other])
  assert.is(await codeOf(library.getPicture({ ...limited, scene: other }, now)), 'done')
  assert.is(await codeOf(library.getPicture(limited, now)), 'not_found')
  assert.is(created.length, 0)
})

shared('draws for every key if no model is used', async () => {
  const { library, created } = createPorts({ ends: ['success'] })
  const limited = { ...request, mayUseModel: false }
  assert.equal(await library.listScenes(limited, [scene, other]), [scene, other])
  assert.is(await codeOf(library.getPicture(limited, now)), 'done')
  assert.is(created.length, 1)
})

shared.run()
