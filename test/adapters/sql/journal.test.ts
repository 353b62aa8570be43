import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createJournal, type JournalParts } from '../../../src/adapters/sql/journal.js'
import { newInsight } from '../../helpers/insight-record.js'
import { codeOf } from '../../helpers/thrown.js'

const journal = suite('journal of insights')

/** A journal whose writes, syncs and checkpoints end when the test says so. */
function open(hanging: 'write' | 'sync' | 'checkpoint' | undefined) {
  const ends: { resolve(): void; reject(error: unknown): void }[] = []
  let groups = 0
  const step = (name: typeof hanging) =>
    name === hanging ? new Promise<void>((resolve, reject) => ends.push({ resolve, reject })) : Promise.resolve()
  const hotQueries = {
    archive: () => {
      groups++
      return step('write')
    },
  }
  return {
    ends,
    countGroups: () => groups,
    journal: createJournal({
      hotQueries: hotQueries as unknown as JournalParts['hotQueries'],
      commit: (work) => work(),
      syncSoon: () => step('sync'),
      onGroupWritten: () => step('checkpoint'),
    }),
  }
}

/** Ends every step that hangs until the work settles: each group of a long queue is a step of its own. */
async function resolveUntilSettled(ends: { resolve(): void }[], work: Promise<void>): Promise<void> {
  let isSettled = false
  const settled = work.finally(() => {
    isSettled = true
  })
  settled.catch(() => {})
  while (!isSettled) {
    for (const { resolve } of ends.splice(0)) resolve()
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

journal('refuses calls from the moment at which a sync fails', async () => {
  const { ends, journal } = open('sync')
  journal.append(newInsight('r1'))
  await journal.flush()
  journal.append(newInsight('r2'))
  const failure = Object.assign(new Error('the disk failed'), { code: 'unavailable' })
  ends.shift()?.reject(failure)
  await new Promise(setImmediate)
  assert.is(journal.findDelay(), undefined)
  assert.throws(
    () => journal.append(newInsight('r3')),
    (error: unknown) => error === failure,
  )
  await journal.close()
})
journal.run()
