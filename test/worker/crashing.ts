/**
 * A worker process that a test kills at any moment. Its provider charges: each purchase is a line in a file, and the order is
 * saved before it is sent, as a provider of real models does.
 */
import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { type ProviderCall, ProviderError } from '../../src/ports/provider.js'
import { createWorker } from '../../src/worker/worker.js'
import { openStore } from '../helpers/open-store.js'
import { createRunners, createScriptedProvider, openFolderObjects, purchase } from '../helpers/tasks.js'

const [dataDir = '', address = ''] = process.argv.slice(2)

async function buy(call: ProviderCall): Promise<void> {
  if (call.memo !== null) {
    const options = { wire: 'ambiguous', retryable: true, retryAfterMs: 5, purchase } as const
    throw new ProviderError('provider_error', 'The answer was lost.', options)
  }
  await call.saveMemo({ sent: true })
  await delay(Math.random() * 12)
  appendFileSync(join(dataDir, 'purchases'), `${call.unitId}\n`)
  await delay(Math.random() * 12)
}

async function start(): Promise<void> {
  const store = await openStore(address, 20_000)
  const scripted = createScriptedProvider()
  const provider: typeof scripted = {
    ...scripted,
    async generatePicture(request, call) {
      await buy(call)
      return scripted.generatePicture(request, call)
    },
    async generateClip(request, call) {
      await buy(call)
      return scripted.generateClip(request, call)
    },
  }
  createWorker({
    store,
    log: { write: (entry) => appendFileSync(join(dataDir, 'log'), `${JSON.stringify(entry)}\n`) },
    holder: await store.openHolder(),
    runners: createRunners(openFolderObjects(join(dataDir, 'objects')), provider),
    slots: { scripted: 6 },
    concurrency: 4,
    backoffMsAtMost: 5,
    // Long enough that units are taken over only from killed processes, never after an expired lease.
    leaseMs: 300_000,
  })
  setInterval(() => {}, 60_000)
  process.stdout.write('ready\n')
}

void start()
