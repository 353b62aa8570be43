import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { ReviewComment } from '../../src/copydesk/comment-file.js'
import { reportSkip } from '../helpers/skip.js'
import { openSession } from '../helpers/svc-session.js'
import { openTemporaryFolder } from '../helpers/temporary.js'
import {
  hasTerminal,
  noTerminal,
  openTerminalSession,
  runOnTerminal,
  type Session,
  type Typing,
} from '../helpers/terminal.js'

const desk = suite('svc insight review, comments, edit')
const { folder, write, close } = openTemporaryFolder()
const root = fileURLToPath(new URL('../..', import.meta.url))
const program = join(folder, 'bin/svc.js')
const rest = 'catalog/insight/rest.json'
const read = (file: string) => readFileSync(join(folder, file), 'utf8')
let session: ReturnType<typeof openSession>
let terminal: ReturnType<typeof openTerminalSession> | undefined
const svc = (...args: string[]) => session.run(['insight', ...args], { cwd: folder })

/** A copy of the program: these commands must not change the catalog of the checkout. */
desk.before(() => {
  for (const part of ['bin', 'dist', 'catalog', 'fixtures', 'package.json']) {
    cpSync(join(root, part), join(folder, part), { recursive: true })
  }
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  session = openSession(folder)
  if (hasTerminal()) terminal = openTerminalSession(folder)
})
desk.before.each(() => cpSync(join(root, rest), join(folder, rest)))
desk.after(async () => {
  await session.close()
  await terminal?.close()
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

let drafts = 0
/** Creates a temporary folder for drafts: a draft that is left there is offered again. */
function makeDraftFolder(): string {
  const path = join(folder, `drafts-${++drafts}`)
  mkdirSync(path)
  return path
}

/** Runs `svc insight edit` on a terminal; types each answer when the screen matches. */
async function edit(
  id: string,
  editor: string,
  answers: Typing = [],
  draftFolder = makeDraftFolder(),
): Promise<Session> {
  if (terminal === undefined) throw new Error(noTerminal)
  return terminal.run(['insight', 'edit', ...id.split(' ')], answers, { VISUAL: editor, TMPDIR: draftFolder })
}

/** The same in a process of its own. */
async function editAlone(
  id: string,
  editor: string,
  answers: Typing = [],
  draftFolder = makeDraftFolder(),
): Promise<Session> {
  return runOnTerminal(`"${process.execPath}" "${program}" insight edit ${id}`, answers, {
    cwd: folder,
    env: { VISUAL: editor, TMPDIR: draftFolder },
  })
}

function onTerminal(title: string, test: () => Promise<void>): void {
  desk(title, async () => {
    if (hasTerminal()) await test()
    else reportSkip(`${title}: ${noTerminal}`)
  })
}

/** Writes an editor that changes the draft with `sed`, with one script per start. */
function writeEditor(...scripts: readonly string[]): string {
  const path = write(
    'editor.sh',
    `#!/bin/sh\n${scripts.map((script, index) => `[ -e "$1.${index}" ] || { touch "$1.${index}"; sed -i '${script}' "$1"; exit; }`).join('\n')}\n`,
  )
  chmodSync(path, 0o755)
  return `"${path}"`
}

const whatNext = /What next\?[\s\S]*Keep the draft/
const down = '\u001b[B'

onTerminal('edit shows the texts, then the difference, and changes only the text', async () => {
  const before = read(rest)
  const { code, screen } = await editAlone('rest_night_poor', writeEditor('s/slept poorly/slept badly/'), [
    [whatNext, '\r'],
  ])
  assert.is(code, 0, screen)
  assert.match(screen, /REST_NIGHT_POOR\n {2}zh-CN {2}\S.*\n {2}en-US {2}Last night.*\n {2}es {5}Anoche/)
  assert.match(screen, 'slept [-poorly-]{+badly+} mainly because')
  assert.match(screen, 'Saved to catalog/insight/rest.json')
  assert.is(read(rest), before.replace('{fact}slept poorly{reasons}', '{fact}slept badly{reasons}'))
  assert.match((await svc('render', 'fixtures/insight/REST_NIGHT_POOR.json')).stdout, 'slept badly')
})

onTerminal('edit keeps spaces at the ends of a clause, and escapes JSON', async () => {
  const before = read(rest)
  const { code, screen } = await edit('REST_FACT', writeEditor('s/^rested /rested "well" /'), [[whatNext, '\r']])
  assert.is(code, 0, screen)
  assert.is(read(rest), before.replace('"rested {duration}{wakes} and "', '"rested \\"well\\" {duration}{wakes} and "'))
})

onTerminal('edit refuses a broken text with a message, and continues', async () => {
  const before = read(rest)
  const editor = writeEditor('s/{streak}\\.$/{streak./', 's/{streak\\./{streak}!/')
  const { code, screen } = await edit('REST_NIGHT_POOR', editor, [
    [/Continue editing\?/, '\r'],
    [whatNext, `${down}${down}\r`],
  ])
  assert.is(code, 1, screen)
  assert.match(screen, /braces/)
  assert.match(screen, /Nothing was written to the catalog\. The draft is in (\S+)\n/)
  assert.is(read(rest), before)
  const draft = /The draft is in (\S+)/.exec(screen)?.[1] ?? ''
  assert.match(readFileSync(draft, 'utf8'), '{streak}!')
})

onTerminal('edit shows the findings of the check before saving', async () => {
  const { screen } = await edit('REST_NIGHT_POOR', writeEditor('s/slept poorly/slept  poorly/'), [
    [whatNext, `${down}${down}\r`],
  ])
  assert.match(screen, /svc insight check will report: .*spaces/)
})

onTerminal('edit keeps the draft if the editor fails or is missing', async () => {
  for (const [editor, says] of [
    ['false', /The editor \(false\) failed\./],
    ['no-such-editor --wait', /failed: the command was not found\. Set the variable VISUAL to one that works\./],
  ] as const) {
    const { code, screen } = await edit('REST_NIGHT_POOR', editor)
    assert.is(code, 2, screen)
    assert.match(screen, says)
    assert.ok(existsSync(/The draft is in (\S+)/.exec(screen)?.[1] ?? ''))
  }
})

onTerminal('edit removes the draft if nothing changed, and keeps it on Ctrl-C', async () => {
  const before = read(rest)
  const unchanged = await edit('REST_NIGHT_POOR', 'true')
  assert.is(unchanged.code, 0)
  assert.match(unchanged.screen, 'Nothing was changed.')
  const stopped = await edit('REST_NIGHT_POOR', writeEditor('s/slept poorly/slept badly/'), [[whatNext, '\u0003']])
  assert.match(stopped.screen, 'The draft is in')
  assert.is.not(stopped.code, 0)
  assert.is(read(rest), before)
})

onTerminal('edit does not overwrite a concurrent change', async () => {
  const path = write(
    'meanwhile.sh',
    `#!/bin/sh\nsed -i 's/slept poorly/slept badly/' "$1"\nsed -i 's/slept poorly/slept ill/' "${join(folder, rest)}"\n`,
  )
  chmodSync(path, 0o755)
  const { code, screen } = await edit('REST_NIGHT_POOR', path, [[whatNext, '\r']])
  assert.is(code, 2)
  assert.match(screen, 'was changed by another process in the meantime, so nothing was written.')
  assert.match(read(rest), 'slept ill')
})

onTerminal('edit suggests the nearest text', async () => {
  const { code, screen } = await edit('REST_NIHGT_POOR', 'true')
  assert.is(code, 2)
  assert.match(screen, 'The text "REST_NIHGT_POOR" does not exist. Did you mean REST_NIGHT_POOR?')
})

/** Writes an editor that changes the draft and kills the command that started it, like a closed terminal. */
function writeKilledEditor(script: string): string {
  const path = write('killed.sh', `#!/bin/sh\nsed -i '${script}' "$1"\nkill -9 $PPID\n`)
  chmodSync(path, 0o755)
  return `exec "${path}"`
}

let killed: string | undefined

/**
 * Leaves a draft of REST_NIGHT_POOR by a killed edit, which says "slept badly" in place of "slept poorly". `change` makes
 * another draft of it. Returns its folder.
 */
async function leaveDraft(change = (draft: string, _former: string) => draft): Promise<string> {
  if (killed === undefined) {
    killed = makeDraftFolder()
    await editAlone('REST_NIGHT_POOR', writeKilledEditor('s/slept poorly/slept badly/'), [], killed)
  }
  const place = makeDraftFolder()
  cpSync(killed, place, { recursive: true })
  const [name = ''] = readdirSync(place)
  const [draft, former] = ['REST_NIGHT_POOR.txt', 'before.txt'].map((file) => join(place, name, file))
  writeFileSync(draft ?? '', change(readFileSync(draft ?? '', 'utf8'), readFileSync(former ?? '', 'utf8')))
  return place
}

const resume = /There is a draft of this text from \d+ \w+ \d{4}[\s\S]*Resume it\?[\s\S]*delete/

onTerminal('edit offers the draft of a killed edit, and resumes it', async () => {
  const place = await leaveDraft()
  const before = read(rest)
  const answers = [
    [resume, '\r'],
    [whatNext, '\r'],
  ] as const
  const { code, screen } = await edit('REST_NIGHT_POOR', 'true', answers, place)
  assert.is(code, 0, screen)
  assert.match(screen, 'slept [-poorly-]{+badly+} mainly because')
  assert.is(read(rest), before.replace('{fact}slept poorly{reasons}', '{fact}slept badly{reasons}'))
  assert.equal(readdirSync(place), [])
})

onTerminal('edit --resume and --no-resume do not ask, and keep a draft that is not resumed', async () => {
  const place = await leaveDraft()
  const fresh = await edit('REST_NIGHT_POOR --no-resume', 'true', [], place)
  assert.is(fresh.code, 0, fresh.screen)
  assert.match(fresh.screen, 'Nothing was changed.')
  const other = await edit('REST_NIGHT_GOOD', 'true', [], place)
  assert.not.match(other.screen, 'There is a draft')
  const taken = await edit('REST_NIGHT_POOR --resume', 'true', [[whatNext, '\r']], place)
  assert.is(taken.code, 0, taken.screen)
  assert.match(read(rest), 'slept badly')
  const none = await edit('REST_NIGHT_POOR --resume', 'true', [], place)
  assert.match(none.screen, 'REST_NIGHT_POOR has no draft: this is the text of the catalog.')
})

onTerminal('edit deletes the draft on request, and does not offer an unchanged one', async () => {
  const place = await leaveDraft()
  const { code } = await edit('REST_NIGHT_POOR', 'true', [[resume, `${down}${down}\r`]], place)
  assert.is(code, 0)
  assert.equal(readdirSync(place), [])
  const empty = await leaveDraft((_, former) => former)
  assert.is(readdirSync(empty).length, 1)
  assert.not.match((await edit('REST_NIGHT_POOR', 'true', [], empty)).screen, 'There is a draft')
})

onTerminal('edit keeps changes that were saved to the catalog since the draft was started', async () => {
  const somebodySaves = (from: string, to: string) => writeFileSync(join(folder, rest), read(rest).replace(from, to))
  const place = await leaveDraft()
  somebodySaves('durmió mal', 'durmió fatal')
  const { code, screen } = await edit('REST_NIGHT_POOR --resume', 'true', [[whatNext, '\r']], place)
  assert.is(code, 0, screen)
  assert.match(screen, 'The catalog changed since this draft was started.')
  assert.not.match(screen, 'Both the draft and the catalog')
  assert.match(read(rest), 'durmió fatal')
  assert.match(read(rest), 'slept badly')

  // The same if the draft is invalid at first.
  cpSync(join(root, rest), join(folder, rest))
  const broken = await leaveDraft((draft) => draft.replace(/^es:$/m, 'sp:'))
  somebodySaves('durmió mal', 'durmió peor')
  const mended = await edit('REST_NIGHT_POOR --resume', writeEditor('s/^sp:$/es:/'), [[whatNext, '\r']], broken)
  assert.is(mended.code, 0, mended.screen)
  assert.match(read(rest), 'durmió peor')
  assert.match(read(rest), 'slept badly')

  cpSync(join(root, rest), join(folder, rest))
  const both = await leaveDraft()
  somebodySaves('slept poorly', 'slept worse')
  const contested = await edit('REST_NIGHT_POOR --resume', 'true', [[whatNext, `${down}${down}\r`]], both)
  assert.match(contested.screen, 'Both the draft and the catalog changed English')
  assert.match(contested.screen, 'slept [-worse-]{+badly+}')
})

onTerminal('edit names the draft if it cannot ask', async () => {
  const place = await leaveDraft()
  const { status, stderr } = await session.run(['insight', 'edit', 'REST_NIGHT_POOR'], {
    cwd: folder,
    env: { TMPDIR: place },
  })
  assert.is(status, 2)
  assert.match(
    stderr,
    /needs a terminal\. [\s\S]*There is a draft of this text from .* It is in .*REST_NIGHT_POOR\.txt/,
  )
})

desk('edit needs a terminal', async () => {
  const { status, stderr } = await svc('edit', 'REST_NIGHT_POOR')
  assert.is(status, 2)
  assert.match(stderr, 'svc insight edit needs a terminal.')
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
