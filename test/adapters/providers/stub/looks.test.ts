// run: draws
import { readFileSync } from 'node:fs'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createLooks } from '../../../../src/adapters/providers/stub/provider.js'
import { readLook } from '../../../../src/artist/look.js'

const photo = readFileSync(new URL('../../../../fixtures/photos/dog.jpg', import.meta.url))
const looks = suite('looks of pets')

/** Counts how often a look is read; an empty `photo` cannot be read. */
async function openLooks() {
  const look = await readLook(photo, 'dog')
  const read: string[] = []
  const find = createLooks(async (bytes, species) => {
    read.push(`${species} ${bytes[0]}`)
    if (bytes.length === 0) throw new Error('no photo')
    return { ...look, species }
  })
  return { find, read }
}

looks('are read once, even for two simultaneous requests', async () => {
  const { find, read } = await openLooks()
  const [one, other] = await Promise.all([find(photo, 'dog'), find(Uint8Array.from(photo), 'dog')])
  assert.is(one, other)
  assert.is(await find(photo, 'dog'), one)
  assert.is(read.length, 1)
})

looks('differ by photo and by species', async () => {
  const { find, read } = await openLooks()
  await find(Uint8Array.of(1), 'dog')
  await find(Uint8Array.of(1), 'cat')
  await find(Uint8Array.of(2), 'cat')
  assert.equal(read, ['dog 1', 'cat 1', 'cat 2'])
})

looks('are read again after a failure', async () => {
  const { find, read } = await openLooks()
  for (const _ of [1, 2]) {
    const failure = await find(new Uint8Array(), 'dog').catch((error: Error) => error.message)
    assert.is(failure, 'no photo')
  }
  assert.is(read.length, 2)
})

looks('are evicted, oldest first, when there are many', async () => {
  const { find, read } = await openLooks()
  for (let pet = 0; pet < 100; pet++) await find(Uint8Array.of(pet), 'dog')
  await find(Uint8Array.of(99), 'dog')
  assert.is(read.length, 100)
  await find(Uint8Array.of(0), 'dog')
  assert.is(read.length, 101)
})

looks.run()
