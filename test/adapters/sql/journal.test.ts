import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createJournal, type JournalParts } from '../../../src/adapters/sql/journal.js'
import { newInsight } from '../../helpers/insight-record.js'
import { codeOf } from '../../helpers/thrown.js'

const journal = suite('journal of insights')

/** A journal whose writes or syncs end when the test says so. */
function open(hanging: 'write' | 'sync') {
  const ends: (() => void)[] = []
  const step = async (name: typeof hanging) => {
    if (name === hanging) await new Promise<void>((resolve) => ends.push(resolve))
  }
  const hotQueries = { archive: () => step('write') } as unknown as JournalParts['hotQueries']
  const commit: JournalParts['commit'] = (work) => work()
  const journal = createJournal({ hotQueries, commit, syncSoon: () => step('sync'), onGroupWritten: async () => {} })
  return { ends, journal }
}

/** Ends every step that hangs until the work settles: each group of a long queue is a step of its own. */
async function resolveUntilSettled(ends: (() => void)[], work: Promise<void>): Promise<void> {
  let isSettled = false
  const settled = work.finally(() => {
    isSettled = true
  })
  settled.catch(() => {})
  while (!isSettled) {
    for (const end of ends.splice(0)) end()
    await new Promise(setImmediate)
  }
  await settled
}

for (const hanging of ['write', 'sync'] as const) {
  journal(`delays calls while a ${hanging} hangs, and lets them go on after its end`, async () => {
    const { ends, journal } = open(hanging)
    let count = 0
    let delay: Promise<void> | undefined
    while (delay === undefined) {
      journal.append(newInsight(`r${count++}`))
      await new Promise(setImmediate)
      delay = journal.findDelay()
    }
    assert.ok(count > 1 && journal.isHealthy())
    await resolveUntilSettled(ends, delay)
    assert.is(journal.findDelay(), undefined)
    await resolveUntilSettled(ends, journal.close())
  })

  journal(`refuses calls while a ${hanging} hangs for seconds`, async () => {
    const { ends, journal } = open(hanging)
    journal.append(newInsight('r1'))
    let delay: Promise<void> | undefined
    while (delay === undefined) {
      await new Promise(setImmediate)
      delay = journal.findDelay()
    }
    assert.is(await codeOf(delay), 'unavailable')
    assert.is(await codeOf(journal.findDelay() ?? Promise.resolve()), 'unavailable')
    assert.is(journal.isHealthy(), false)
    await resolveUntilSettled(ends, journal.close())
  })
}

journal.run()
