import { readFile } from 'node:fs/promises'
import type { DemoService } from '../../app/temporary/demo-service.js'
import { call, type Server } from '../../client/client.js'
import { createLocalTransport } from '../../client/transport.js'
import { shippedUrl } from '../../runtime/entry.js'

const userId = 'demo'
const species = ['dog', 'cat'] as const

/** Requests avatars of the pets in the shipped photos unless the folder has them. Returns the IDs of their tasks. */
export async function requestSampleAvatars({ app, url, key }: DemoService): Promise<string[]> {
  const server = { transport: createLocalTransport(app.fetch, `${url}/`), key }
  const made = await findAvatars(server)
  return Promise.all(species.map((kind) => made.get(toPetId(kind)) ?? requestAvatar(server, kind)))
}

const toPetId = (kind: (typeof species)[number]) => `sample-${kind}`

/** Finds the newest finished avatar task of each pet of the demo. */
async function findAvatars(server: Server): Promise<ReadonlyMap<string, string>> {
  const { items } = await call(server, 'listIdentityAssets', { query: { user_id: userId, page_size: '100' } })
  return new Map(items.toReversed().map(({ pet_id, avatar_task_id }) => [pet_id, avatar_task_id]))
}

async function requestAvatar(server: Server, kind: (typeof species)[number]): Promise<string> {
  const photo = await readFile(shippedUrl(`fixtures/photos/${kind}.jpg`))
  const form = new FormData()
  form.set('source_image', new Blob([photo]), `${kind}.jpg`)
  for (const [name, value] of Object.entries({ species: kind, user_id: userId, pet_id: toPetId(kind) })) {
    form.set(name, value)
  }
  const { task_id } = await call(server, 'generateAvatar', { body: form })
  return task_id
}
