import { createKey, fullSettings } from '../../access.js'
import { openStore } from '../../app/store.js'
import { isInUse } from '../../app/upkeep/alone.js'
import { type App, createApp } from '../../app.js'
import type { Config } from '../../config.js'
import { type DataDir, describeDataDir, openPart } from '../../data-dir.js'
import type { KeyStore } from '../../ports.js'
import { startTemporaryService } from '../serve/temporary-service.js'

/** How long the key of a demo on a folder that is kept stays valid at most. */
const keyLifeMs = 86_400_000
const keyName = 'demo'

export interface DemoService {
  readonly app: App
  readonly url: string
  readonly dataDir: string
  readonly isKept: boolean
  /** May do everything, as long as the demo runs. */
  readonly key: string
  close(): Promise<void>
}

/** Starts a server for a demo: on the folder of the configuration, which is kept, or on a new one that goes with it. */
export async function startDemoService(config: Config, isKept: boolean): Promise<DemoService> {
  if (!isKept) return { ...(await startTemporaryService(config, 'demo')), isKept }
  const folder = describeDataDir(config.dataDir)
  // The key of another demo that runs on the folder counts.
  const isAlone = !(await openPart(folder.database, () => isInUse(folder)))
  const app = await createApp(config)
  try {
    const { url } = await app.listen()
    if (isAlone) await revokeAbandonedKeys(app.keys)
    const key = await createDemoKey(app.keys)
    const close = async () => {
      await app.close()
      await revokeKey(folder, key.id)
    }
    return { app, url, dataDir: config.dataDir, isKept, key: key.text, close }
  } catch (error) {
    await app.close()
    throw error
  }
}

/** A key of its own: the address of the page stays in the history of the browser. */
async function createDemoKey(keys: KeyStore): Promise<{ id: string; text: string }> {
  const now = new Date()
  const settings = { ...fullSettings, name: keyName, admin: true, expiresAt: new Date(now.getTime() + keyLifeMs) }
  const { key, text } = createKey(settings, now)
  await keys.insertKey(key)
  return { id: key.id, text }
}

/** Ends the keys of demos that were killed. One of that name that a person made lives for another time. */
async function revokeAbandonedKeys(keys: KeyStore): Promise<void> {
  for (const { id, name, createdAt, expiresAt, revokedAt } of await keys.listKeys()) {
    const isOfDemo = name === keyName && expiresAt?.getTime() === createdAt.getTime() + keyLifeMs
    if (isOfDemo && revokedAt === null) await keys.revokeKey(id, new Date())
  }
}

/** When the server has ended: its page may be read until then. */
async function revokeKey(folder: DataDir, id: string): Promise<void> {
  const store = await openStore(folder)
  await store.revokeKey(id, new Date()).finally(() => store.close())
}
