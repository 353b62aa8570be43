import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { parseChanges } from '../../../src/copydesk/serve/change.js'

const changes = suite('changes of the review page')

const comment = {
  ...{ id: 'a', example: 'REST_NIGHT_POOR', locale: 'es', textId: 'REST_NIGHT_POOR', said: 'Anoche …' },
  ...{ pattern: '{lead}', comment: 'Softer?', by: '', at: '2026-10-14T10:00:00.000Z' },
}
const valid = [
  { kind: 'note', key: 'name', value: 'Ann' },
  { kind: 'note', key: 'name', value: null },
  { kind: 'comment', comment },
  { kind: 'no-comment', id: 'a' },
  { kind: 'draft', id: 'REST_NIGHT_POOR', locale: 'zh-CN', text: '睡得不好。' },
  { kind: 'draft', id: 'REST_NIGHT_POOR', locale: 'zh-CN', text: null },
]

changes('accepts every kind of change', () => assert.equal(parseChanges(valid), valid))

const invalid: readonly (readonly [title: string, value: unknown])[] = [
  ['no list', { kind: 'note', key: 'name', value: 'Ann' }],
  ['an unknown kind', [{ kind: 'file', path: '/etc/passwd' }]],
  ['a note without a value', [{ kind: 'note', key: 'name' }]],
  ['a key that is too long', [{ kind: 'note', key: 'x'.repeat(301), value: '' }]],
  ['a comment without a member', [{ kind: 'comment', comment: { ...comment, by: undefined } }]],
  ['a draft in an unknown language', [{ kind: 'draft', id: 'A', locale: 'fr', text: '' }]],
  ['one wrong change among others', [...valid, null]],
]
for (const [title, value] of invalid) {
  changes(`refuses ${title}`, () => assert.is(parseChanges(value), undefined))
}

changes.run()
