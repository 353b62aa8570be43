import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { ReviewComment } from '../../../src/copydesk/comment-file.js'
import { openNotes } from '../../../src/copydesk/serve/drafts.js'
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

notes('keeps every change of two programs on one folder, also with the lock of a killed one', async () => {
  const folder = join(place.folder, 'shared')
  // The ID of a running process, as after a restart of the machine; the lock is older than any change takes.
  utimesSync(place.write('shared/comments.json.lock', String(process.ppid)), 0, 0)
  const program = `
    import { openNotes } from './src/copydesk/serve/drafts.ts'
    const notes = openNotes(process.argv[1])
    for (let index = 0; index < 60; index++) {
      const id = process.argv[2] + index
      await notes.apply([{ kind: 'comment', comment: { ...${JSON.stringify(comment)}, id } }, { kind: 'note', key: id, value: id }], '')
    }`
  const ends = ['a', 'b'].map((name) => {
    const args = ['--import', 'tsx', '--input-type=module', '-e', program, folder, name]
    return once(spawn(process.execPath, args, { stdio: 'inherit' }), 'exit')
  })
  assert.equal(await Promise.all(ends), [
    [0, null],
    [0, null],
  ])
  const opened = openNotes(folder)
  assert.equal([opened.readComments().length, Object.keys(opened.readNotes()).length], [120, 120])
  assert.equal(readdirSync(folder).sort(), ['comments.json', 'notes.json'])
})

notes.run()
