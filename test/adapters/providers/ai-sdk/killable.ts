/** A worker process with real models at doubles of their vendors; a test kills it. */
import { appendFileSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { createAiSdkProvider } from '../../../../src/adapters/providers/ai-sdk/provider.js'
import { openSqliteStore } from '../../../../src/adapters/sql/sqlite/open-store.js'
import type { ModelSettings } from '../../../../src/models/settings.js'
import type { Provider } from '../../../../src/ports/provider.js'
import { createAnimationRunner, createAvatarRunner } from '../../../../src/worker/runners.js'
import type { UnitRunner } from '../../../../src/worker/unit-attempt.js'
import { createWorker } from '../../../../src/worker/worker.js'
import { openFolderObjects } from '../../../helpers/tasks.js'
import { testTimeouts } from './timeouts.js'

const [dataDir = '', models = '[]'] = process.argv.slice(2)

/** Blocks here if the test names this step, and says so with one byte. */
async function stopAt(step: string): Promise<void> {
  if (!existsSync(join(dataDir, `stop-${step}`))) return
  appendFileSync(join(dataDir, `at-${step}`), '.')
  await new Promise(() => {})
}

async function start(): Promise<void> {
  const store = await openSqliteStore(join(dataDir, 'svc.db'), { lockWaitMs: 20_000 })
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
    return { webp: Uint8Array.of(1), changes: [] }
  }
  const log = { write: (entry: unknown) => appendFileSync(join(dataDir, 'log'), `${JSON.stringify(entry)}\n`) }
  // Held steps take longer than the start of a new process.
  const settings: readonly ModelSettings[] = JSON.parse(models)
  const providers = await Promise.all(
    settings.map((one) => createAiSdkProvider(one, { log, timeouts: testTimeouts, toLoop })),
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
    // Leases outlast the test, so units are taken over only from dead workers.
    leaseMs: 300_000,
    backoffMsAtMost: 100,
    pollMs: 100,
  }).wake()
  setInterval(() => {}, 60_000)
  process.stdout.write('ready\n')
}

void start()
