import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { commentFormat, parseCommentFile } from '../../src/copydesk/comment-file.js'

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
  ['a file that is not JSON', 'x', /not a file of comments: it is not valid JSON/],
  ['another document', '{"comments":[]}', /not a file of comments that was saved/],
  ['null', 'null', /not a file of comments/],
  ['comments that are not a list', file({ comments: {} }), /not a file of comments/],
  ['a comment without a text', file({ comments: [comment, { ...comment, comment: 1 }] }), /Comment 2 .* is incomplete/],
  ['a comment in another language', file({ comments: [{ ...comment, locale: 'fr' }] }), /Comment 1 .* is incomplete/],
]
for (const [title, text, expected] of faults) {
  comments(`refuses ${title} with a message`, () => {
    assert.match(String(parseCommentFile(text)), expected)
  })
}

comments.run()
