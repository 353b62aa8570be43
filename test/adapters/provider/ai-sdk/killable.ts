/** A worker process with real models, at doubles of their services; a test kills it. */
import { appendFileSync, existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createAiSdkProvider } from '../../../../src/adapters/provider/ai-sdk/provider.js'
import { openSqliteStore } from '../../../../src/adapters/sql/store.js'
import type { ModelSettings } from '../../../../src/ports/models.js'
import type { Provider } from '../../../../src/ports/provider.js'
import { createAnimationRunner } from '../../../../src/worker/animation.js'
import { createAvatarRunner } from '../../../../src/worker/avatar.js'
import type { UnitRunner } from '../../../../src/worker/runner.js'
import { createWorker } from '../../../../src/worker/worker.js'
import { openFolderObjects } from '../../../helpers/tasks.js'
import { testClocks } from './clocks.js'

const [dataDir = '', models = '[]'] = process.argv.slice(2)

/** Stays where it is if the test wants that of this step. */
async function stopAt(step: string): Promise<void> {
  if (!existsSync(join(dataDir, `stop-${step}`))) return
  writeFileSync(join(dataDir, `at-${step}`), '')
  await new Promise(() => {})
}

async function start(): Promise<void> {
  const store = await openSqliteStore(join(dataDir, 'svc.db'), 20_000)
  const folder = openFolderObjects(join(dataDir, 'objects'))
  const objects: typeof folder = {
    ...folder,
    async put(key, bytes) {
      await stopAt('store')
      await folder.put(key, bytes)
    },
  }
  const toLoop = async () => {
    await stopAt('convert')
    return Uint8Array.of(1)
  }
  const log = { write: (entry: unknown) => appendFileSync(join(dataDir, 'log'), `${JSON.stringify(entry)}\n`) }
  // Whatever is held up is held up for longer than a new process takes to start.
  const settings: readonly ModelSettings[] = JSON.parse(models)
  const providers = await Promise.all(
    settings.map((one) => createAiSdkProvider(one, { log, clocks: testClocks, toLoop })),
  )
  const prompt = (input: object) => ('tag' in input ? String(input.tag) : '')
  const byLabel = (create: (provider: Provider) => UnitRunner): UnitRunner => {
    const runners = new Map(providers.map((provider) => [provider.label, create(provider)]))
    return (unit, context) => {
      const runner = runners.get(unit.task.provider)
      if (runner === undefined) throw new Error(`there is no ${unit.task.provider}`)
      return runner(unit, context)
    }
  }
  createWorker({
    store,
    log,
    holder: await store.openHolder(),
    runners: {
      avatar: byLabel((provider) => createAvatarRunner({ objects, provider, prompt })),
      animation: byLabel((provider) => createAnimationRunner({ objects, provider, prompt })),
      diary: () => Promise.reject(new Error('no diary here')),
    },
    slots: Object.fromEntries(providers.map(({ label, slots }) => [label, slots])),
    concurrency: 40,
    // So long that whatever is taken over in the time of the test is taken over from the dead.
    leaseMs: 300_000,
  }).wake()
  setInterval(() => {}, 60_000)
  process.stdout.write('ready\n')
}

void start()
