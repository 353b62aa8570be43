import { type App, createApp } from '../../app.js'
import type { Config } from '../../config.js'
import { createKey, fullSettings } from '../../contract/access.js'
import { describeDataDir, openPart } from '../../runtime/data-dir.js'
import { openStore } from '../storage/open-store.js'
import { isInUse } from '../upkeep/exclusive-lock.js'
import { startTemporaryService } from './temporary-service.js'

/** The longest validity of the key of a demo on a kept folder. */
const keyLifeMs = 86_400_000
const keyName = 'demo'

export interface DemoService {
  readonly app: App
  readonly url: string
  readonly dataDir: string
  readonly isKept: boolean
  /** A key without restrictions, valid while the demo runs. */
  readonly key: string
  close(): Promise<void>
}

/** Starts a server for a demo: on the configured folder, which is kept, or on a new one that is removed with it. */
export async function startDemoService(config: Config, isKept: boolean): Promise<DemoService> {
  if (!isKept) return { ...(await startTemporaryService(config, 'demo')), isKept }
  // Another demo that runs on the folder needs its key.
  const isAlone = config.database === '' && !(await isFolderInUse(config))
  const app = await createApp(config)
  try {
    const { url } = await app.listen()
    if (isAlone) await revokeAbandonedKeys(app.keys)
    const key = await createDemoKey(app.keys)
    const close = async () => {
      await app.close()
      await revokeKey(config, key.id)
    }
    return { app, url, dataDir: config.dataDir, isKept, key: key.text, close }
  } catch (error) {
    await app.close()
    throw error
  }
}

function isFolderInUse({ dataDir }: Config): Promise<boolean> {
  const folder = describeDataDir(dataDir)
  return openPart(folder.database, () => isInUse(folder))
}

/** Creates a key for this run: the URL of the page stays in the history of the browser. */
async function createDemoKey(keys: App['keys']): Promise<{ id: string; text: string }> {
  const now = new Date(keys.now())
  const settings = { ...fullSettings, name: keyName, admin: true, expiresAt: new Date(now.getTime() + keyLifeMs) }
  const { key, text } = createKey(settings, now)
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

/** Revokes the key after the server has ended: the page works until then. */
async function revokeKey(config: Config, id: string): Promise<void> {
  const store = await openStore(config, { mayCreate: false })
  await store.revokeKey(id, new Date(store.now())).finally(() => store.close())
}
