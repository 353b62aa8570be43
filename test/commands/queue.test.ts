import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Checked } from '../../src/commands/validate/check.js'
import { createQueue } from '../../src/commands/validate/queue.js'

const queue = suite('queue of answers')

const toChecked = (count: number, findings = 0): Checked => ({
  count,
  findings: Array.from({ length: findings }, (_, index) => ({ index, errors: [], warnings: [] })),
})

/** A promise that is kept or broken from outside. */
function defer() {
  let resolve: (checked: Checked) => void = () => undefined
  let reject: (reason: Error) => void = () => undefined
  const promise = new Promise<Checked>((...settlers) => {
    ;[resolve, reject] = settlers
  })
  return { promise, resolve, reject }
}

queue('gives answers that are there at once, and in order behind one that is not', async () => {
  const { add, expect, takeReady, takeFirst, isEmpty } = createQueue()
  const late = defer()
  add(toChecked(1))
  assert.equal([...takeReady()], [toChecked(1)])
  expect(late.promise)
  add(toChecked(3))
  add({ problem: 'A gap.' })
  assert.equal([...takeReady()], [])
  late.resolve(toChecked(2))
  assert.equal(await takeFirst(), toChecked(2))
  assert.equal([...takeReady()], [toChecked(3), { problem: 'A gap.' }])
  assert.ok(isEmpty())
})

queue('is full when too many findings wait, whoever found them, and has room again when they are gone', async () => {
  const { add, expect, takeReady, takeFirst, isFull } = createQueue()
  const [first, second] = [defer(), defer()]
  expect(first.promise)
  expect(second.promise)
  add(toChecked(8000, 8000))
  assert.not.ok(isFull())
  second.resolve(toChecked(500, 500))
  await second.promise
  assert.ok(isFull())
  first.resolve(toChecked(1))
  await takeFirst()
  assert.is([...takeReady()].length, 2)
  assert.not.ok(isFull())
})

queue('is full when too many answers wait', () => {
  const { add, expect, isFull } = createQueue()
  expect(defer().promise)
  for (let count = 0; count < 600 && !isFull(); count++) add(toChecked(1))
  assert.ok(isFull())
})

queue('throws what kept an answer from coming when it is its turn, and not before', async () => {
  const { add, expect, takeReady, takeFirst } = createQueue()
  const broken = defer()
  add(toChecked(1))
  expect(broken.promise)
  broken.reject(new Error('The thread ended.'))
  assert.equal([...takeReady()], [toChecked(1)])
  const outcome = await takeFirst().catch((error: unknown) => error)
  assert.ok(outcome instanceof Error && outcome.message === 'The thread ended.')
})

queue.run()
