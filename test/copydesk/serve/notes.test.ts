import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { ReviewComment } from '../../../src/copydesk/comment-file.js'
import { openNotes } from '../../../src/copydesk/serve/notes.js'
import { openTemporaryFolder } from '../../helpers/temporary.js'

const notes = suite('notes of the review page')
const place = openTemporaryFolder()
notes.after(() => place.close())

const comment: ReviewComment = {
  ...{ id: 'a', example: 'REST_NIGHT_POOR', locale: 'es', textId: 'REST_NIGHT_POOR', said: 'Anoche …' },
  ...{ pattern: '{lead}', comment: 'Softer?', by: '', at: '2026-10-14T10:00:00.000Z' },
}

notes('creates the folder with the first change, and reads what it wrote', async () => {
  const folder = join(place.folder, 'desk')
  const opened = openNotes(folder)
  assert.equal([opened.readComments(), opened.readNotes()], [[], {}])
  await opened.apply(
    [
      { kind: 'comment', comment },
      { kind: 'note', key: 'name', value: 'Ann' },
    ],
    'health-detail-copy-2026.6',
  )
  const again = openNotes(folder)
  assert.equal([again.readComments(), again.readNotes()], [[comment], { name: 'Ann' }])
  // A change that arrives twice, as after a lost answer, changes nothing.
  const better = { ...comment, comment: 'Better.' }
  for (let turn = 0; turn < 2; turn++) await again.apply([{ kind: 'comment', comment: better }], '')
  assert.equal(again.readComments(), [better])
  await again.apply(
    [
      { kind: 'no-comment', id: 'a' },
      { kind: 'note', key: 'name', value: null },
    ],
    '',
  )
  assert.equal([again.readComments(), again.readNotes()], [[], {}])
})

for (const [name, read] of [
  ['comments.json', 'readComments'],
  ['notes.json', 'readNotes'],
] as const) {
  notes(`names ${name} if a person broke it, and does not write over it`, async () => {
    place.write(`broken/${name}`, '{ "a": 1 ')
    const opened = openNotes(join(place.folder, 'broken'))
    assert.throws(
      () => opened[read](),
      (error: Error) => error.message.includes(name),
    )
  })
}

notes.run()
