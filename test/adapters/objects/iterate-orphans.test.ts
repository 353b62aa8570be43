import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { iterateOrphans } from '../../../src/app/upkeep/prune.js'

const orphans = suite('orphans')
const prefix = 'ai-gateway/'

const openListed = (count: number) => ({
  async *list(asked: string) {
    assert.is(asked, prefix)
    for (let index = 0; index < count; index++) yield { key: `${prefix}${index}.png`, sizeBytes: 10, storedAt: index }
  },
})

orphans('are those that are old enough and no row names, and all rows are read once', async () => {
  const batches: number[] = []
  const searched: number[] = []
  const found: string[] = []
  const groups = iterateOrphans(openListed(2600), {
    storedBefore: 2500,
    async dropNamedByOwner(keys) {
      batches.push(keys.length)
      return keys.filter((key) => !key.endsWith('7.png'))
    },
    async dropNamed(keys) {
      searched.push(keys.size)
      for (const key of keys) if (key.endsWith('5.png')) keys.delete(key)
    },
  })
  for await (const group of groups) found.push(...group.map(({ key }) => key))
  assert.equal([batches, searched], [[1000, 1000, 500], [2250]])
  assert.is(found.length, 2000)
  assert.not(found.some((key) => /[57]\.png$/.test(key) || Number(/\d+/.exec(key)) >= 2500))
})

orphans.run()
