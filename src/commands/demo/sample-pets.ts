import { readFile } from 'node:fs/promises'
import { call, type Server } from '../../client/client.js'
import { createLocalTransport } from '../../client/transport.js'
import type { Routes } from '../../contract/index.js'
import { shippedUrl } from '../../entry.js'
import type { DemoService } from './service.js'

const userId = 'demo'
const species = ['dog', 'cat'] as const

/** Has the pets of the shipped photos drawn, unless the folder has them, and gives the IDs of their avatar tasks. */
export async function requestSampleAvatars({ app, url, key }: DemoService): Promise<string[]> {
  const server = { transport: createLocalTransport(app.fetch, `${url}/`), key }
  const made = await findAvatars(server)
  return Promise.all(species.map((kind) => made.get(toPetId(kind)) ?? requestAvatar(server, kind)))
}

const toPetId = (kind: (typeof species)[number]) => `sample-${kind}`

/** The newest finished avatar task of each pet of the demo. */
async function findAvatars(server: Server): Promise<ReadonlyMap<string, string>> {
  const { items } = await call<Routes['listIdentityAssets']>(server, {
    method: 'GET',
    path: '/v1/pet-avatars',
    query: { user_id: userId, page_size: '100' },
  })
  return new Map(items.toReversed().map(({ pet_id, avatar_task_id }) => [pet_id, avatar_task_id]))
}

async function requestAvatar(server: Server, kind: (typeof species)[number]): Promise<string> {
  const photo = await readFile(shippedUrl(`fixtures/photos/${kind}.jpg`))
  const form = new FormData()
  form.set('source_image', new Blob([photo]), `${kind}.jpg`)
  for (const [name, value] of Object.entries({ species: kind, user_id: userId, pet_id: toPetId(kind) })) {
    form.set(name, value)
  }
  const { task_id } = await call<Routes['generateAvatar']>(server, {
    method: 'POST',
    path: '/v1/pet-avatar/generate',
    body: form,
  })
  return task_id
}
