import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type Access, createKey, findMissing, fullSettings, type KeySettings } from '../../src/contract/access.js'

const access = suite('access')
const keyWith = (settings: Partial<KeySettings>) =>
  createKey({ ...fullSettings, name: 'a', admin: false, ...settings }, new Date()).key
const avatar: Access = { group: 'pet-avatar', models: ['svc-avatar', 'svc-animation'], allow: ['image', 'video'] }

access('names the permissions that a key lacks, also one of an admin', () => {
  assert.equal(findMissing(keyWith({ endpoints: [], models: ['svc-avatar'], capabilities: [] }), avatar), [
    'the endpoint group pet-avatar',
    'the model svc-animation',
    'images',
    'videos',
  ])
  assert.is(findMissing(keyWith({}), 'admin').length, 1)
  assert.equal(findMissing(keyWith({ admin: true, endpoints: [] }), 'admin'), [])
  assert.equal(findMissing(keyWith({ admin: true, endpoints: ['models'] }), avatar), ['the endpoint group pet-avatar'])
})

access.run()
