import { type App, createApp } from '../../app.js'
import type { Config } from '../../config.js'
import { createKey, endpointGroups, fullSettings, type KeySettings } from '../../contract/access.js'
import { describeDataDir, openPart } from '../../runtime/data-dir.js'
import { withStore } from '../storage/open-store.js'
import { isInUse } from '../upkeep/exclusive-lock.js'
import { startTemporaryService, type TemporaryService } from './temporary-service.js'

/** The longest validity of the key of a demo on a kept folder. */
const keyLifeMs = 86_400_000
const guestKeyLifeMs = 3_600_000
const keyName = 'demo'

export interface DemoService extends Pick<TemporaryService, 'app' | 'url' | 'networkUrls' | 'dataDir' | 'close'> {
  readonly isKept: boolean
  /** A key without restrictions, valid while the demo runs. */
  readonly key: string
  /** Creates a key for the calls of the page about these pets. It is valid for an hour, and while the demo runs. */
  createGuestKey(pets: readonly string[]): Promise<string>
}

/** Starts a server for a demo: on the configured folder, which is kept, or on a new one that is removed with it. */
export async function startDemoService(config: Config, isKept: boolean): Promise<DemoService> {
  if (!isKept) {
    const service = await startTemporaryService(config, 'demo')
    const createGuestKey = async (pets: readonly string[]) => (await insertGuestKey(service.app.keys, pets)).text
    return { ...service, isKept, createGuestKey }
  }
  // Another demo that runs on the folder needs its key.
  const isAlone = config.database === '' && !(await isFolderInUse(config))
  const app = await createApp(config)
  try {
    const { url, networkUrls } = await app.listen()
    if (isAlone) await revokeAbandonedKeys(app.keys)
    // The URL of the page stays in the history of the browser: the key is of this run.
    const own = await insertNewKey(app.keys, { ...fullSettings, name: keyName, admin: true }, keyLifeMs)
    const issued = [own.id]
    const createGuestKey = async (pets: readonly string[]) => {
      const { id, text } = await insertGuestKey(app.keys, pets)
      issued.push(id)
      return text
    }
    const close = async () => {
      await app.close()
      await revokeKeys(config, issued)
    }
    return { app, url, networkUrls, dataDir: config.dataDir, isKept, key: own.text, createGuestKey, close }
  } catch (error) {
    await app.close()
    throw error
  }
}

function isFolderInUse({ dataDir }: Config): Promise<boolean> {
  const folder = describeDataDir(dataDir)
  return openPart(folder.database, () => isInUse(folder))
}

/** The endpoint groups that the page uses. */
const guestEndpoints = endpointGroups.filter((group) => group !== 'ai-insights')
/** Real models of the host may cost a guest's key this much. */
const guestBudget = { micros: 1_000_000, per: 'day' } as const

function insertGuestKey(keys: App['keys'], pets: readonly string[]) {
  const limits = { endpoints: guestEndpoints, pets, budget: guestBudget, admin: false }
  return insertNewKey(keys, { ...fullSettings, ...limits, name: `${keyName} guest` }, guestKeyLifeMs)
}

async function insertNewKey(keys: App['keys'], settings: KeySettings, lifeMs: number) {
  const now = new Date(keys.now())
  const { key, text } = createKey({ ...settings, expiresAt: new Date(now.getTime() + lifeMs) }, now)
  await keys.insertKey(key)
  return { id: key.id, text }
}

/** Revokes the keys of demos that were killed. A key of that name that a person created has another lifetime. */
async function revokeAbandonedKeys(keys: App['keys']): Promise<void> {
  for (const { id, name, createdAt, expiresAt, revokedAt } of await keys.listKeys()) {
    const isOfDemo = name === keyName && expiresAt?.getTime() === createdAt.getTime() + keyLifeMs
    if (isOfDemo && revokedAt === null) await keys.revokeKey(id, new Date(keys.now()))
  }
}

/** Revokes the keys after the server has ended: the page works until then. */
function revokeKeys(config: Config, ids: readonly string[]): Promise<void> {
  return withStore(config, { mayCreate: false }, async (store, now) => {
    for (const id of ids) await store.revokeKey(id, now)
  })
}
