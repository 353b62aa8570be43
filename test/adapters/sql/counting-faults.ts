/** A process that counts matches of two rules, and prints how often each fired. */
import { openStore } from '../../helpers/open-store.js'

const [address = '', calls = ''] = process.argv.slice(2)

async function count(): Promise<void> {
  const store = await openStore(address, 20_000)
  const fired = { few: 0, third: 0 }
  for (let call = 0; call < Number(calls); call++) {
    for (const id of ['few', 'third'] as const) if (await store.countFault(id)) fired[id]++
  }
  await store.close()
  process.stdout.write(`${JSON.stringify(fired)}\n`)
}

void count()
