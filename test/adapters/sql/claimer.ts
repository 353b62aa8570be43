/** A process that claims available units until it is killed, and prints the ID of each, or "empty". It keeps its leases. */
import { setTimeout as delay } from 'node:timers/promises'
import { openStore } from '../../helpers/open-store.js'

const [address = '', slots = ''] = process.argv.slice(2)

async function claimAll(): Promise<void> {
  const store = await openStore(address, 20_000)
  // The holder's lock must last as long as the process, although nothing refers to the holder any more.
  const { id: holderId } = await store.openHolder()
  process.stdout.write('ready\n')
  for (;;) {
    const claim = { holderId, limit: 3, leaseMs: 600_000, slots: { scripted: Number(slots) } }
    const units = await store.claimUnits(claim)
    if (units.length === 0) await delay(2)
    for (const id of units.length === 0 ? ['empty'] : units.map((unit) => unit.id)) process.stdout.write(`${id}\n`)
  }
}

void claimAll()
