// run: takes 7 s
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { ReviewComment } from '../../src/copydesk/comment-file.js'
import { copyProgram } from '../helpers/desk.js'
import { openSession } from '../helpers/svc-session.js'
import { openTemporaryFolder } from '../helpers/temporary.js'

const desk = suite('svc insight review and comments')
const { folder, write, close } = openTemporaryFolder()
const rest = 'catalog/insight/rest.json'
const read = (file: string) => readFileSync(join(folder, file), 'utf8')
let session: ReturnType<typeof openSession>
const svc = (...args: string[]) => session.run(['insight', ...args], { cwd: folder })

/** A copy of the program: these commands must not change the catalog of the checkout. */
desk.before(() => {
  copyProgram(folder)
  session = openSession(folder)
})
desk.after(async () => {
  await session.close()
  close()
})

desk('review writes one page, or no file if it fails', async () => {
  const { status, stderr, stdout } = await svc('review', '--out', 'page.html')
  assert.is(status, 0, stderr)
  assert.is(stdout, '')
  assert.match(
    stderr,
    /^page\.html: 37 sentences, \d+ examples in three languages, \d+ KiB\. Open it in a browser\.\n$/,
  )
  assert.match(read('page.html'), /^<!doctype html>[\s\S]*<\/html>\n$/)
  const failed = await svc('review', '--out', 'no/such/folder/page.html')
  assert.is(failed.status, 2)
  assert.match(failed.stderr, 'no/such/folder/page.html cannot be written: no such file or folder.')
})

const comment: ReviewComment = {
  id: 'a',
  example: 'REST_NIGHT_POOR',
  locale: 'es',
  textId: 'REST_NIGHT_POOR',
  said: 'Anoche …',
  pattern: '{lead}, {name} {fact}durmió mal{reasons}{streak}.',
  comment: 'Too hard.\n\u001b[2JSofter?',
  by: 'rex',
  at: '2026-10-14T10:00:00.000Z',
}
const writeComments = (...comments: readonly ReviewComment[]) =>
  write('comments.json', JSON.stringify({ format: 'svc-insight-comments-1', ruleVersion: '', comments }))

desk('comments are listed in the order of the catalog, with the current text', async () => {
  const line =
    read(rest)
      .split('\n')
      .findIndex((text) => text.includes('durmió mal')) + 1
  const file = writeComments(
    { ...comment, id: 'b', textId: 'WEAR_HINT', example: 'GONE', pattern: 'Old.', comment: 'Shorter.' },
    comment,
    { ...comment, id: 'c', textId: 'NO_SUCH_TEXT', comment: 'Gone?' },
  )
  const { status, stdout } = await svc('comments', file, file)
  assert.is(status, 0)
  assert.match(
    stdout,
    `catalog/insight/rest.json:${line}  REST_NIGHT_POOR  Spanish\n  Too hard.\n  \\u001b[2JSofter?\n`,
  )
  assert.match(stdout, '  from      rex, 2026-10-14\n  read      Anoche …\n')
  assert.match(stdout, /The text changed since this comment:\n {2}reads {5}Anoche, Biscuit descansó/)
  assert.match(
    stdout,
    /WEAR_HINT {2}Spanish\n {2}Shorter\.[\s\S]*was {7}Old\.\n {2}text {6}\{worn, select, no \{El dispositivo/,
  )
  assert.match(stdout, /No longer in the catalog {2}NO_SUCH_TEXT/)
  assert.match(stdout, /\n3 comments, 3 on a text that changed since\.\n$/)
  assert.ok(stdout.indexOf('REST_NIGHT_POOR') < stdout.indexOf('WEAR_HINT'))
})

desk('comments --json has the same content, and marks only changed texts as changed', async () => {
  const now = JSON.parse((await svc('comments', writeComments(comment), '--json')).stdout).comments[0]
  assert.equal([now.isChanged, now.patternNow], [true, comment.pattern])
  const unchanged = writeComments({ ...comment, said: now.saidNow })
  const [after] = JSON.parse((await svc('comments', unchanged, '--json')).stdout).comments
  assert.is(after.isChanged, false)
  assert.match((await svc('comments', unchanged)).stdout, /\n1 comment\.\n$/)
})

desk('comments lists nothing before the first comment on the served page', async () => {
  const { status, stderr, stdout } = await svc('comments', '.svc-review/comments.json')
  assert.equal([status, stdout], [0, '0 comments.\n'])
  assert.is(stderr, 'svc: No comments yet: svc insight review --serve keeps them in .svc-review/comments.json.\n')
})

for (const [title, content, expected] of [
  ['another JSON file', '{}', /comments\.json: This is not a file of comments/],
  ['a missing file', undefined, /gone\.json cannot be read: no such file/],
] as const) {
  desk(`comments refuses ${title}`, async () => {
    const { status, stderr } = await svc(
      'comments',
      content === undefined ? 'gone.json' : write('comments.json', content),
    )
    assert.is(status, 2)
    assert.match(stderr, expected)
  })
}

desk('story prints the texts of one pet in order of time, and counts what repeats', async () => {
  const args = ['story', '--days', '20', '--metric', 'rest', '--locale', 'es']
  const { status, stdout } = await svc(...args)
  assert.is(status, 0)
  assert.match(
    stdout,
    /^2026-10-07 {2}Rest, last night to 2026-10-07\nREST_NIGHT_UNRATED .*\n\n {2}es {5}Anoche, Luna descansó/,
  )
  assert.match(stdout, /Rest, last night to 2026-10-\d\d, said 2 times/)
  assert.match(
    stdout,
    /\n23 texts, \d+ distinct sentences apart .* Longest run of the same sentence: \d+ \(Rest, Day, until 2026-/,
  )
  const { sentences, texts } = JSON.parse((await svc(...args, '--json')).stdout)
  assert.is(texts.length, 23)
  assert.is(sentences, new Set(texts.filter(({ times }: { times: number }) => times === 1)).size)
  assert.is((await svc(...args)).stdout, stdout)
  const page = (await svc(...args, '--format', 'html')).stdout
  assert.match(page, /<p>23 texts, .*<\/p>\n<\/body>/)
  const { status: refused, stderr } = await svc('story', '--days', 'x')
  assert.equal([refused, stderr], [2, 'svc: The number of days is "x", but must be an integer from 2 to 366.\n'])
})

desk('render --locale en-XA and --stress', async () => {
  const poor = 'fixtures/insight/REST_NIGHT_POOR.json'
  assert.match((await svc('render', '--locale', 'en-XA', poor)).stdout, /en-XA {2}\[Ļ.*Biscuit.*\.\]\n/)
  const { stdout, status } = await svc('render', '--stress', '--json', poor)
  assert.is(status, 0)
  const variants = JSON.parse(stdout).results.map(({ variant }: { readonly variant?: string }) => variant)
  assert.is(variants[0], undefined)
  for (const words of ['name like markup', 'wakes 21', 'in a row 31']) assert.ok(variants.includes(words), words)
})

desk.run()
