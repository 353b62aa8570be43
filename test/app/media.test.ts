// run: fleet
import { createSecretKey } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { openDiskObjects } from '../../src/adapters/objects/disk.js'
import { createUrlSignatures } from '../../src/adapters/secret.js'
import { openSqliteStore } from '../../src/adapters/sql/sqlite/open-store.js'
import { createMedia, finishTask, type Media } from '../../src/app/media.js'
import { readPrompts } from '../../src/catalog/catalog.js'
import { loadConfig } from '../../src/config.js'
import { SvcError } from '../../src/errors.js'
import type { Store } from '../../src/ports/store.js'
import type { Task, TaskStatus } from '../../src/ports/tasks.js'
import { newAvatar } from '../helpers/tasks.js'
import { openTemporaryFolder } from '../helpers/temporary.js'

const media = suite('pictures and clips')
let place: ReturnType<typeof openTemporaryFolder>
let store: Store
let events: unknown[]
const open: Media[] = []

media.before.each(async () => {
  place = openTemporaryFolder()
  store = await openSqliteStore(join(place.folder, 'svc.db'))
  events = []
})
media.after.each(async () => {
  for (const one of open.splice(0)) {
    await one.drain(0)
    await one.close()
  }
  await store.close()
  place.close()
})

/** Creates media as a server does. */
function openMedia(change: Partial<Store>): Media {
  const made = createMedia({
    config: loadConfig({ dataDir: place.folder }, {}),
    loadOperation: async () => undefined,
    store: { ...store, ...change },
    objects: openDiskObjects(join(place.folder, 'objects'), createUrlSignatures(createSecretKey(Buffer.alloc(32)), 60)),
    prompts: readPrompts(),
    log: {
      write: (entry) => void events.push('event' in entry && entry.event),
      flush: async () => {},
      close: async () => {},
    },
    runsTasks: true,
    isServer: () => true,
  })
  open.push(made)
  return made
}

const lockOnce = () => {
  let isLocked = true
  return () => {
    if (!isLocked) return
    isLocked = false
    throw new SvcError('unavailable', 'The database is locked.')
  }
}

media('runs queued units although the database was unavailable at the start', async () => {
  await store.createTask(newAvatar({ provider: 'stub' }), null)
  const requireUnlocked = lockOnce()
  const { start } = openMedia({
    async closeBreakers(labels) {
      requireUnlocked()
      return store.closeBreakers(labels)
    },
  })
  await start()
  assert.equal(events, ['claim_failed'])
  while (!events.includes('started')) await delay(20)
})

media('runs queued units although deletions cannot be listed, and finishes those later', async () => {
  await store.createTask(newAvatar({ provider: 'stub' }), null)
  const deleted = newAvatar({ units: [] })
  await store.createTask(deleted, null)
  const gone = await openSqliteStore(join(place.folder, 'svc.db'))
  await gone.beginDelete(deleted.id, ['pending'])
  await gone.close()
  const requireUnlocked = lockOnce()
  const { start } = openMedia({
    async takeDeletions() {
      requireUnlocked()
      return store.takeDeletions()
    },
  })
  await start()
  assert.is(events[0], 'deletions_failed')
  while (!events.includes('started')) await delay(20)
  while ((await store.findTask(deleted.id)) !== undefined) await delay(20)
})

media('has a notice instead of an error if the database fails after the start', async () => {
  const outage = new SvcError('unavailable', 'The database does not answer.')
  const [notice = ''] = await openMedia({ countQueued: () => Promise.reject(outage) }).listNotices()
  assert.match(notice, /were not checked: .*The database does not answer\.$/)
})

media('polls a task that a caller waits for until it is final or the time is over', async () => {
  const statuses: TaskStatus[] = ['pending', 'processing', 'failed', 'pending']
  const polled = { findTask: async (id: string) => ({ id, status: statuses.shift() }) as Task }
  assert.is((await finishTask(polled, 'diary_1', 10_000))?.status, 'failed')
  assert.is(await finishTask(polled, 'diary_1', 0), undefined)
})

media.run()
