/** A process that claims all it can get, prints the IDs of the units, and keeps its leases until it is told to end. */
import { openStore } from '../helpers/open-store.js'

const [address = '', slots = '', mode = ''] = process.argv.slice(2)
const emptyLooksAtMost = 5

async function claimAll(): Promise<void> {
  const store = await openStore(address, 20_000)
  const holder = await store.openHolder()
  process.stdout.write('ready\n')
  for (let empty = 0; empty < emptyLooksAtMost; ) {
    const claim = { holderId: holder.id, limit: 3, leaseMs: 60_000, slots: { scripted: Number(slots) } }
    const units = await store.claimUnits(claim)
    empty = units.length === 0 ? empty + 1 : 0
    for (const unit of units) process.stdout.write(`${unit.id}\n`)
  }
  process.stdout.write('done\n')
  // The lock of the holder lives as long as the process does, though nothing here refers to it any longer.
  if (mode === 'stay') setInterval(() => {}, 1000)
}

void claimAll()
