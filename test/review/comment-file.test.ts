import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { commentFormat, parseCommentFile } from '../../src/review/comment-file.js'

const comments = suite('comment file')
const comment = {
  id: 'a',
  example: 'BARK_TODAY',
  locale: 'es',
  textId: 'BARK_TODAY',
  said: 'x',
  pattern: '{x}',
  comment: 'Too long.',
  by: '',
  at: '2026-10-14T10:00:00.000Z',
}
const file = (members: object) =>
  JSON.stringify({ format: commentFormat, ruleVersion: '1', comments: [comment], ...members })

comments('reads what the page saves', () => {
  assert.equal(parseCommentFile(file({})), { format: commentFormat, ruleVersion: '1', comments: [comment] })
})

const faults: readonly (readonly [title: string, text: string, expected: RegExp])[] = [
  ['what is not JSON', 'x', /not a file of comments: it is not JSON/],
  ['another document', '{"comments":[]}', /not a file of comments that was saved/],
  ['null', 'null', /not a file of comments/],
  ['comments that are no list', file({ comments: {} }), /not a file of comments/],
  ['a comment without a text', file({ comments: [comment, { ...comment, comment: 1 }] }), /Comment 2 .* is not whole/],
  ['a comment in another language', file({ comments: [{ ...comment, locale: 'fr' }] }), /Comment 1 .* is not whole/],
]
for (const [title, text, expected] of faults) {
  comments(`refuses ${title} with a sentence`, () => {
    assert.match(String(parseCommentFile(text)), expected)
  })
}

comments.run()
