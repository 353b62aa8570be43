import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { deleteOrphans } from '../../../src/adapters/objects/orphans.js'

const orphans = suite('orphans')
const prefix = 'ai-gateway/'

function openListed(count: number) {
  const stored = new Map(Array.from({ length: count }, (_, index) => [`${prefix}${index}.png`, index]))
  return {
    stored,
    store: {
      async *list(asked: string) {
        assert.is(asked, prefix)
        for (const [key, storedAt] of [...stored]) yield { key, sizeBytes: 10, storedAt }
      },
      async delete(key: string) {
        stored.delete(key)
      },
    },
  }
}

orphans('are deleted in batches if they are old enough and no row names them', async () => {
  const { store, stored } = openListed(2600)
  const batches: number[] = []
  const isNamed = (key: string) => key.endsWith('7.png')
  const total = await deleteOrphans(store, {
    prefix,
    storedBefore: 2500,
    async findUnnamed(keys) {
      batches.push(keys.length)
      return keys.filter((key) => !isNamed(key))
    },
  })
  assert.equal(batches, [1000, 1000, 500])
  assert.equal(total, { objects: 2250, sizeBytes: 22_500 })
  assert.is(stored.size, 350)
  assert.ok([...stored].every(([key, storedAt]) => isNamed(key) || storedAt >= 2500))
})

orphans('are not looked for in the database if no object is old enough', async () => {
  const { store } = openListed(5)
  const findUnnamed = async (keys: readonly string[]) => {
    assert.unreachable('the database was asked')
    return keys
  }
  const total = await deleteOrphans(store, { prefix, storedBefore: 0, findUnnamed })
  assert.equal(total, { objects: 0, sizeBytes: 0 })
})

orphans.run()
