import { readFileSync } from 'node:fs'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { findMagicCall, findMagicUnit, magicPets } from '../../src/faults/magic-pets.js'

const magic = suite('magic pets')

magic('are those of the README', () => {
  const page = readFileSync(new URL('../../src/server/README.md', import.meta.url), 'utf8')
  const rows = [...page.matchAll(/^\| `(svc-[\w-]+)` \| (.*) \|$/gm)].map(([, id, summary]) => [id, summary])
  assert.equal(
    rows,
    Object.entries(magicPets).map(([id, { summary }]) => [id, summary]),
  )
})

for (const id of Object.keys(magicPets)) {
  magic(`${id} is a rule for calls or for units, with an ID that callers may send`, () => {
    assert.match(id, /^svc-[a-z0-9-]+$/)
    assert.is([findMagicCall(id), findMagicUnit(id, true)].filter((fault) => fault?.id === id).length, 1)
  })
}

magic('leaves other pets alone', () => {
  for (const id of ['svc-', 'svc-failed-2', 'tom', 'toString']) {
    assert.is(findMagicCall(id), undefined)
    assert.is(findMagicUnit(id, true), undefined)
  }
})

magic.run()
