import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createJournal, type JournalParts } from '../../../src/adapters/sql/journal.js'
import { newInsight } from '../../helpers/insight-record.js'

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

const errorOf = (work: Promise<unknown> | undefined) =>
  (work ?? Promise.resolve()).then(
    () => undefined,
    (error: { code: string }) => error,
  )

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
    let isOver = false
    const goingOn = delay.then(() => {
      isOver = true
    })
    while (!isOver) {
      for (const { resolve } of ends.splice(0)) resolve()
      await new Promise(setImmediate)
    }
    await goingOn
    assert.is(journal.findDelay(), undefined)
    const closing = journal.close()
    for (const { resolve } of ends.splice(0)) resolve()
    await closing
  })

  journal(`refuses calls while a ${hanging} hangs for seconds`, async () => {
    const { ends, journal } = open(hanging)
    journal.append(newInsight('r1'))
    let delay: Promise<void> | undefined
    while (delay === undefined) {
      await new Promise(setImmediate)
      delay = journal.findDelay()
    }
    assert.is((await errorOf(delay))?.code, 'unavailable')
    assert.is((await errorOf(journal.findDelay()))?.code, 'unavailable')
    assert.is(journal.isHealthy(), false)
    const closing = journal.close()
    for (const { resolve } of ends.splice(0)) resolve()
    await closing
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
