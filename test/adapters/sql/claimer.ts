/** A process that claims all available units, prints their IDs, and keeps its leases until it is killed. */
import { openStore } from '../../helpers/open-store.js'

const [address = '', slots = '', mode = ''] = process.argv.slice(2)
const emptyClaimsAtMost = 5

async function claimAll(): Promise<void> {
  const store = await openStore(address, 20_000)
  const holder = await store.openHolder()
  process.stdout.write('ready\n')
  for (let empty = 0; empty < emptyClaimsAtMost; ) {
    const claim = { holderId: holder.id, limit: 3, leaseMs: 60_000, slots: { scripted: Number(slots) } }
    const units = await store.claimUnits(claim)
    empty = units.length === 0 ? empty + 1 : 0
    for (const unit of units) process.stdout.write(`${unit.id}\n`)
  }
  process.stdout.write('done\n')
  // The holder's lock must last as long as the process, although nothing refers to the holder any more.
  if (mode === 'stay') setInterval(() => {}, 1000)
}

void claimAll()
