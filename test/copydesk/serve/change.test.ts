import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { parseChange } from '../../../src/copydesk/serve/change.js'

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

changes('accepts every kind of change', () => assert.equal(valid.map(parseChange), valid))

const invalid: readonly (readonly [title: string, value: unknown, reason: RegExp])[] = [
  ['a value of another type', null, /not a change of the page/],
  ['an unknown kind', { kind: 'file', path: '/etc/passwd' }, /not a change/],
  ['a note without a value', { kind: 'note', key: 'name' }, /not a change/],
  ['a key that is too long', { kind: 'note', key: 'x'.repeat(301), value: '' }, /not a change/],
  ['a comment without a member', { kind: 'comment', comment: { ...comment, by: undefined } }, /not a change/],
  ['a draft in an unknown language', { kind: 'draft', id: 'A', locale: 'fr', text: '' }, /not a change/],
  [
    'a comment that is too long',
    { kind: 'comment', comment: { ...comment, comment: 'x'.repeat(20_001) } },
    /^The comment has 20,001 characters, and at most 20,000 are kept\. Shorten it\.$/,
  ],
  ['a long draft', { kind: 'draft', id: 'A', locale: 'es', text: 'x'.repeat(20_001) }, /^The draft has 20,001/],
]
for (const [title, value, reason] of invalid) {
  changes(`refuses ${title} with the reason`, () => assert.match(String(parseChange(value)), reason))
}

changes.run()
