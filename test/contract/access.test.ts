import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import {
  type Access,
  createKey,
  findMissing,
  fullSettings,
  isValidKey,
  type KeySettings,
  readKeyId,
} from '../../src/contract/access.js'

const access = suite('access')
const now = new Date('2026-10-20T08:00:00Z')
const keyWith = (settings: Partial<KeySettings> = {}) =>
  createKey({ ...fullSettings, name: 'a', admin: false, ...settings }, now)

const avatar: Access = { group: 'pet-avatar', models: ['svc-avatar'], allow: ['image', 'video'] }
const decisions: [what: string, settings: Partial<KeySettings>, needs: Access, may: boolean][] = [
  ['a full key', {}, avatar, true],
  ['only the group', { endpoints: ['models'], models: [], capabilities: [] }, { group: 'models' }, true],
  ['another group', { endpoints: ['models'] }, avatar, false],
  ['no group at all', { endpoints: [] }, avatar, false],
  ['another model', { models: ['svc-general'] }, avatar, false],
  ['images without video', { capabilities: ['image'] }, avatar, false],
  ['images where images are enough', { capabilities: ['image'] }, { ...avatar, allow: ['image'] }, true],
  ['nothing to be generated', { capabilities: [] }, avatar, false],
  ['an admin without the group', { endpoints: ['models'], admin: true }, avatar, false],
]
for (const [what, settings, needs, may] of decisions) {
  access(`${may ? 'lets' : 'does not let'} a key with ${what} pass`, () => {
    assert.is(findMissing(keyWith(settings).key, needs).length === 0, may)
  })
}

access('names the permissions that a key lacks', () => {
  const { key } = keyWith({ endpoints: [], models: ['svc-avatar'], capabilities: [] })
  assert.equal(findMissing(key, { ...avatar, models: ['svc-avatar', 'svc-animation'] }), [
    'the endpoint group pet-avatar',
    'the model svc-animation',
    'images',
    'videos',
  ])
  assert.is(findMissing(key, 'admin').length, 1)
  assert.equal(findMissing(keyWith({ admin: true, endpoints: [] }).key, 'admin'), [])
})

access('makes unguessable keys that contain the ID of their row', () => {
  const [one, other] = [keyWith(), keyWith()]
  assert.is.not(one.text, other.text)
  assert.is(readKeyId(one.text), one.key.id)
  assert.not.match(JSON.stringify(one.key), one.text.slice(31))
  assert.ok(isValidKey(one.text, one.key, now.getTime()))
  assert.not.ok(isValidKey(other.text, one.key, now.getTime()))
})

access('expires a key at the exact millisecond', () => {
  const { key, text } = keyWith({ expiresAt: new Date(now.getTime() + 5) })
  assert.ok(isValidKey(text, key, now.getTime() + 4))
  assert.not.ok(isValidKey(text, key, now.getTime() + 5))
})

access('does not read a key from anything else', () => {
  const { text } = keyWith()
  for (const other of ['', 'svc_', 'svc_01ARZ3NDEKTSV4RRFFQ69G5FAV_short', `x${text}`, `${text}\n`, `${text}a`]) {
    assert.is(readKeyId(other), undefined, other)
  }
})

access.run()
