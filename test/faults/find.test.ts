// run: PostgreSQL
import * as assert from 'uvu/assert'
import { openFaults } from '../../src/faults/open-faults.js'
import type { FaultCall } from '../../src/ports/faults.js'
import type { ClaimedUnit } from '../../src/ports/queue.js'
import type { Store } from '../../src/ports/store.js'
import { storeSuite } from '../helpers/stores.js'
import { newAvatar } from '../helpers/tasks.js'

const finds = storeSuite('the share of a fault rule')
let store: Store
finds.before.each(async (database) => {
  store = await database.open()
})

const call: FaultCall = { route: 'GET /v1/models', aliases: [], input: {}, warn: () => undefined }

/** A source that gives these numbers, one for each question. */
function scripted(numbers: readonly number[]) {
  let asked = 0
  return {
    random: () => numbers[asked++] ?? 0,
    get asked() {
      return asked
    },
  }
}

finds('chooses calls by a random number below it, and counts those only', async () => {
  const source = scripted([0, 0.24, 0.25, 0.5, 0.999, 0.1])
  const rule = { route: 'GET /v1/models', status: '503', share: '25%' }
  const bounds = { createdAt: new Date(1), expiresAt: null, times: null, every: 1 }
  await store.insertFault({ id: 'quarter', fields: rule, ...bounds })
  const faults = await openFaults({ store, now: store.now, random: source.random })
  const fired: boolean[] = []
  for (let number = 0; number < 6; number++) fired.push((await faults.findForCall(call)) !== undefined)
  // A call that does not match draws no number: the rules of other calls keep theirs.
  await faults.findForCall({ ...call, route: 'GET /v1/pet-avatars' })
  faults.close()
  assert.equal(fired, [true, true, false, false, false, true])
  assert.is(source.asked, 6)
  const counts = (await store.listFaults()).map(({ matched, fired }) => [matched, fired])
  assert.equal(counts, [[3, 3]])
})

finds('chooses a unit at its first attempt, for all of its attempts', async () => {
  const { random } = scripted([0.5, 0.05, 0.5])
  const fields = { pose: 'sitting', retries: '2', share: '10%' }
  const bounds = { createdAt: new Date(1), expiresAt: null, times: null, every: 1 }
  await store.insertFault({ id: 'tenth', fields, ...bounds })
  const faults = await openFaults({ store, now: store.now, random })
  const find = async (id: string, attempt: number) => {
    const task = { ...newAvatar(), units: [] }
    const unit = { id, name: 'sitting', attempt, task }
    return (await faults.findForUnit(unit as unknown as ClaimedUnit))?.id
  }
  assert.equal(
    [await find('spared', 1), await find('chosen', 1), await find('chosen', 2), await find('spared', 2)],
    [undefined, 'tenth', 'tenth', undefined],
  )
  faults.close()
})

finds.run()
