import { createKey, fullSettings } from '../../access.js'
import { type App, createApp, openStore } from '../../app.js'
import type { Config } from '../../config.js'
import { describeDataDir } from '../../data-dir.js'
import { startTemporaryService } from '../serve/temporary-service.js'

/** How long the key of a demo on a folder that is kept stays valid at most. */
const keyLifeMs = 86_400_000

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
  const app = await createApp(config)
  try {
    const { url } = await app.listen()
    const key = await createDemoKey(config.dataDir)
    const close = async () => {
      await app.close()
      await key.revoke()
    }
    return { app, url, dataDir: config.dataDir, isKept, key: key.text, close }
  } catch (error) {
    await app.close()
    throw error
  }
}

/** A key of its own: the address of the page stays in the history of the browser. */
async function createDemoKey(dataDir: string) {
  const now = new Date()
  const settings = { ...fullSettings, name: 'demo', admin: true, expiresAt: new Date(now.getTime() + keyLifeMs) }
  const { key, text } = createKey(settings, now)
  const withStore = async (use: (store: Awaited<ReturnType<typeof openStore>>) => Promise<void>) => {
    const store = await openStore(describeDataDir(dataDir))
    await use(store).finally(() => store.close())
  }
  await withStore((store) => store.insertKey(key))
  return { text, revoke: () => withStore((store) => store.revokeKey(key.id, new Date())) }
}
