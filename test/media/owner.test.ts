import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type OwnerIds, toOwner } from '../../src/media/task-base.js'

const owner = suite('owner')

const owners: readonly [string, OwnerIds, string, string, readonly string[]][] = [
  ['both IDs as sent', { user_id: 'u1', pet_id: 'p1' }, 'u1', 'p1', []],
  ['`temporary` for a user ID that is left out', { pet_id: 'p1' }, 'temporary', 'p1', ['user_id']],
  ['`temporary` for a pet ID that is null', { user_id: 'u1', pet_id: null }, 'u1', 'temporary', ['pet_id']],
  ['`temporary` twice for no IDs', {}, 'temporary', 'temporary', ['user_id', 'pet_id']],
  ['no missing ID if the word itself was sent', { user_id: 'temporary', pet_id: 'p1' }, 'temporary', 'p1', []],
]
for (const [what, ids, userId, petId, missing] of owners) {
  owner(`takes ${what}`, () => assert.equal(toOwner(ids), { userId, petId, missing }))
}

owner.run()
