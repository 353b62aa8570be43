import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { SvcError } from '../../src/errors.js'
import { resolvePet, type SourcePorts } from '../../src/media/diary-source.js'
import type { Task } from '../../src/ports/tasks.js'
import { codeOf } from '../helpers/thrown.js'

const source = suite('diary source')

const owner = { userId: 'u1', petId: 'p1', missing: [] }
const imageOf = (pose: string) => `ai-gateway/avatars/avatar_1/${pose}.png`

/** An avatar task with images in these poses. */
function toAvatar(poses: readonly string[]): Task {
  return {
    id: 'avatar_1',
    kind: 'avatar',
    status: 'success',
    owner: { userId: 'u7', petId: 'temporary', missing: ['pet_id'] },
    input: { species: 'dog', breed: 'Beagle', sourceKey: 'photo.jpg', locale: 'en-US' },
    units: poses.map((name) => ({
      name,
      status: 'success',
      output: { files: { image: imageOf(name) } },
      failure: null,
    })),
    updatedAt: new Date(0),
  } as unknown as Task
}

let downloads = 0
function createPorts(poses: readonly string[]): SourcePorts {
  return {
    tasks: {
      findTask: async (id) => (id === 'avatar_1' ? toAvatar(poses) : undefined),
      findNewestAnimations: async () => new Map(),
      listFinishedAvatars: async () => ({ total: 0, items: [] }),
    },
    objects: {
      findHead: async (key) => (key.endsWith('.png') ? { sizeBytes: 1, contentType: 'image/png' } : undefined),
    },
    photos: { readPhoto: async () => ({ jpeg: Buffer.from('photo'), width: 1, height: 1 }) },
    downloader: {
      async download() {
        downloads++
        return Buffer.from('photo')
      },
    },
  }
}

const find = (ports: SourcePorts, from: Parameters<typeof resolvePet>[1], check: () => void = () => {}) =>
  resolvePet(ports, from, { owner, species: 'cat' }, 'ai-gateway/photos/diary_1.jpg', check)

const choices: readonly [asked: 'lying' | 'sitting' | 'walking' | 'running', has: string[], chosen: string | null][] = [
  ['running', ['lying', 'sitting', 'walking', 'running'], 'running'],
  ['lying', ['lying', 'sitting'], 'lying'],
  ['running', ['lying', 'sitting', 'walking'], 'sitting'],
  ['running', ['lying', 'walking'], 'lying'],
  ['lying', ['walking', 'running'], 'walking'],
  ['sitting', ['running'], 'running'],
  ['sitting', [], null],
]
for (const [asked, has, chosen] of choices) {
  source(`refers to ${chosen ?? 'the photo'} for ${asked} if the poses are ${has.join(', ') || 'empty'}`, async () => {
    const pet = await find(createPorts(has), { identityAssetId: 'pia_1' })
    assert.equal(pet.listReferences(asked), chosen === null ? ['photo.jpg'] : [imageOf(chosen), 'photo.jpg'])
  })
}

source('takes owner, species and breed from the asset', async () => {
  const pet = await find(createPorts(['lying']), { identityAssetId: 'pia_1' })
  assert.equal([pet.species, pet.breed, pet.identityAssetId], ['dog', 'Beagle', 'pia_1'])
  assert.equal(pet.owner, { userId: 'u7', petId: 'temporary', missing: ['pet_id'] })
})

source('names a photo by its content', async () => {
  const one = await find(createPorts([]), { url: 'https://example.com/a.jpg' })
  const other = await find(createPorts([]), { url: 'https://example.com/b.jpg' })
  assert.match(one.photo?.name ?? '', /^sha256:[0-9a-f]{64}$/)
  assert.is(one.photo?.name, other.photo?.name)
  assert.equal(one.listReferences('lying'), ['ai-gateway/photos/diary_1.jpg'])
})

const refuse = () => {
  throw new SvcError('invalid_request', 'no scene for a cat')
}
source('finds the source before it checks the species, and downloads nothing if the species does not fit', async () => {
  const ports = createPorts([])
  downloads = 0
  assert.is(await codeOf(find(ports, { cosKey: 'ai-gateway/none' }, refuse)), 'not_found')
  assert.is(await codeOf(find(ports, { identityAssetId: 'pia_2' }, refuse)), 'not_found')
  assert.is(await codeOf(find(ports, { cosKey: 'ai-gateway/a.png' }, refuse)), 'invalid_request')
  assert.is(await codeOf(find(ports, { url: 'https://example.com/a.jpg' }, refuse)), 'invalid_request')
  assert.is(downloads, 0)
})

source.run()
