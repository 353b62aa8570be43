/** A process of a fleet: creates tasks or makes units for some seconds, and prints how many. */
import { openPostgresStore } from '../../../../src/adapters/sql/postgres/open-store.js'
import type { Store } from '../../../../src/ports/store.js'
import { newAvatar } from '../../../helpers/tasks.js'

const [address = '', work = '', seconds = '0'] = process.argv.slice(2)

/** Runs `connections` loops until the time is over. Returns the number of rounds. */
async function repeat(connections: number, act: () => Promise<number>): Promise<number> {
  const end = performance.now() + Number(seconds) * 1000
  let count = 0
  const loop = async () => {
    while (performance.now() < end) count += await act()
  }
  await Promise.all(Array.from({ length: connections }, loop))
  return count
}

async function createOne(store: Store): Promise<number> {
  await store.createTask(newAvatar(), 'pet-avatar')
  return 1
}

/** Claims a few units, as a worker does, and settles them. */
export async function makeUnits(store: Store, holderId: string, slots: number): Promise<number> {
  const claim = { holderId, limit: slots, leaseMs: 30_000, slots: {}, ownSlots: { scripted: slots } }
  const units = await store.claimUnits(claim)
  await Promise.all(
    units.map(async ({ id, lease, task }) => {
      const files = { image: `ai-gateway/avatars/${id}` }
      await store.saveMemo(lease, { result: { output: { files } } })
      const usage = {
        model: task.model,
        quantity: 1,
        unit: 'image',
        costMicros: 0,
        certain: true,
        maybeDuplicate: false,
      } as const
      await store.settleUnit(lease, { status: 'success', output: { files }, usage }, (all) =>
        all.every(({ status }) => status === 'success') ? 'success' : 'processing',
      )
    }),
  )
  return units.length
}

async function run(): Promise<void> {
  const store = await openPostgresStore(address)
  const holder = await store.openHolder()
  process.stdout.write(`${JSON.stringify({ ready: true })}\n`)
  if (work === 'hold') {
    await makeHold(store, holder.id)
    return
  }
  const count = await (work === 'create'
    ? repeat(32, () => createOne(store))
    : repeat(1, () => makeUnits(store, holder.id, 4)))
  process.stdout.write(`${JSON.stringify({ count })}\n`)
  await store.close()
}

/** Claims everything, and works on it until it is killed. */
async function makeHold(store: Store, holderId: string): Promise<void> {
  await store.claimUnits({ holderId, limit: 100, leaseMs: 60_000, slots: { scripted: 100 } })
  process.stdout.write(`${JSON.stringify({ held: true })}\n`)
  setInterval(() => {}, 1000)
}

if (process.argv[1]?.includes('member') === true) void run()
