import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, statSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { ReviewComment } from '../../../src/copydesk/comment-file.js'
import { rebaseDraft } from '../../../src/copydesk/edit/draft.js'
import { openDrafts, openNotes } from '../../../src/copydesk/serve/drafts.js'
import { reviewTexts } from '../../helpers/review.js'
import { openTemporaryFolder } from '../../helpers/temporary.js'
import { thrownBy } from '../../helpers/thrown.js'

const drafts = suite('drafts and notes of the review page')
const place = openTemporaryFolder()
drafts.after(() => place.close())

const id = 'REST_NIGHT_POOR'
const english = reviewTexts.patterns['en-US'][id] ?? ''
const better = english.replace('poorly', 'badly')

drafts('offers the draft of a killed program under any process ID, to its user alone', async () => {
  const folder = join(place.folder, 'svc')
  const first = openDrafts(folder, 'checkout/catalog')
  await first.change(id, 'en-US', `${better}\n `)
  const next = openDrafts(folder, 'checkout/catalog')
  assert.is(next.list().get(id)?.['en-US'], better)
  assert.is(openDrafts(folder, 'other/catalog').list().size, 0)
  const kept = join(folder, 'drafts')
  const [name = ''] = readdirSync(kept)
  const modes = [kept, join(kept, name)].map((path) => statSync(path).mode & 0o777)
  assert.equal(modes, [0o700, 0o600])
  // Both change one draft.
  await next.change(id, 'es', 'Mal.')
  await first.change(id, 'en-US', null)
  assert.equal([next.list().get(id)?.es, next.list().get(id)?.['en-US']], ['Mal.', english])
  await first.change(id, 'es', null)
  assert.is(next.list().size, 0)
})

drafts('refuses a text that is not in the catalog', async () => {
  const { message } = await thrownBy(openDrafts(place.folder, 'catalog').change('NO_SUCH_TEXT', 'es', 'x'))
  assert.match(message, 'The text "NO_SUCH_TEXT" does not exist.')
})

drafts('takes unchanged texts of a draft from the current catalog', () => {
  const before = { 'zh-CN': 'a', 'en-US': 'b', es: 'c' }
  const now = { 'zh-CN': 'a2', 'en-US': 'b2', es: 'c' }
  const edited = { 'zh-CN': 'a', 'en-US': 'mine', es: 'mine too' }
  assert.equal(rebaseDraft(edited, before, now), { 'zh-CN': 'a2', 'en-US': 'mine', es: 'mine too' })
})

const comment: ReviewComment = {
  ...{ id: 'a', example: 'REST_NIGHT_POOR', locale: 'es', textId: 'REST_NIGHT_POOR', said: 'Anoche …' },
  ...{ pattern: '{lead}', comment: 'Softer?', by: '', at: '2026-10-14T10:00:00.000Z' },
}

drafts('creates the folder with the first change, and reads what it wrote', async () => {
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

drafts('names a file that a person broke', async () => {
  const folder = join(place.folder, 'broken')
  await openDrafts(folder, 'catalog').change(id, 'es', 'Mal.')
  const [draft = ''] = readdirSync(join(folder, 'drafts'))
  for (const [name, read] of [
    [`drafts/${draft}`, () => openDrafts(folder, 'catalog').list()],
    ['comments.json', () => openNotes(folder).readComments()],
    ['notes.json', () => openNotes(folder).readNotes()],
  ] as const) {
    place.write(`broken/${name}`, '{ "a": 1 ')
    const isNamed = (error: Error) => error.message.includes(name)
    assert.throws(read, isNamed)
  }
})

drafts('keeps every change of two programs on one folder, also with the lock of a killed one', async () => {
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

drafts.run()
