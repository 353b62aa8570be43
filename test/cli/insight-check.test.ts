// run: takes 12 s
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { ReviewComment } from '../../src/copydesk/comment-file.js'
import { copyProgram } from '../helpers/desk.js'
import { reportSkip } from '../helpers/skip.js'
import { openSession } from '../helpers/svc-session.js'
import { openTemporaryFolder } from '../helpers/temporary.js'
import { enter, hasTerminal, noTerminal, openTerminalSession } from '../helpers/terminal.js'

const check = suite('svc insight check, sign, review, comments and story')
const { folder, write, close } = openTemporaryFolder()
check.after(close)
copyProgram(folder)
const saved = openTemporaryFolder()
check.after(saved.close)
cpSync(join(folder, 'catalog/insight'), saved.folder, { recursive: true })
const restoreCatalog = () => cpSync(saved.folder, join(folder, 'catalog/insight'), { recursive: true })
const file = (name: string) => join(folder, 'catalog/insight', name)
const read = (name: string) => readFileSync(file(name), 'utf8')
const edit = (name: string, from: string, to: string) => writeFileSync(file(name), read(name).replace(from, to))

check.before.each(restoreCatalog)

const session = openSession(folder)
check.after(session.close)
const insight = (...args: string[]) => session.run(['insight', ...args], { cwd: folder })

const newLabel = ['--rule-version', 'health-detail-copy-2099.1'] as const

const longer = ['making {days} days in a row outside the norm', 'making {days} days in a row off the norm'] as const

check('prints location, code, change and fix', async () => {
  edit('phrases.json', ...longer)
  const { status, stdout } = await insight('check')
  assert.is(status, 1)
  assert.match(stdout, /^catalog\/insight\/phrases\.json\n/)
  const line =
    read('phrases.json')
      .split('\n')
      .findIndex((text) => text.includes(longer[1])) + 1
  assert.match(stdout, new RegExp(`  ${line}:14 {2}text-changed {2}The text STREAK_DAYS changed in en-US since`))
  assert.match(
    stdout,
    /- .*making \{days\} days in a row outside the norm.*\n +\+ .*making \{days\} days in a row off the norm.*\n/,
  )
  assert.match(stdout, /translation-stale {2}The text STREAK_DAYS in zh-CN is stale/)
  assert.match(stdout, /82 texts in 3 languages: 0 faults, 4 not signed off/)
})

check('prints JSON and annotations', async () => {
  edit('phrases.json', '（{range}）', '({range})')
  const { findings, summary } = JSON.parse((await insight('check', '--json')).stdout)
  const { code, column, line, ...finding } = findings.find(({ locale }: { locale: string }) => locale === 'zh-CN')
  assert.is(code, 'punctuation-half-width')
  assert.ok(line > 1 && column > 1)
  assert.equal(Object.keys(finding), ['file', 'text', 'locale', 'message', 'fix', 'before', 'after'])
  assert.is(finding.file, 'catalog/insight/phrases.json')
  assert.equal(
    { ...summary, ruleVersion: '' },
    {
      ...{ texts: 82, findings: 3, faults: 1, signed: 245, changed: 1, stale: 0, unsigned: 0 },
      ...{ ruleVersion: '', rendered: true },
    },
  )
  const { stdout } = await insight('check', '--format', 'github')
  assert.match(
    stdout,
    /^::error file=catalog\/insight\/phrases\.json,line=\d+,col=14,title=svc insight check%3A \S+::The text RANGE has/,
  )
})

check('returns 2 if a file is not valid', async () => {
  for (const name of ['rest.json', 'signoff.json', 'wording.json', 'version.json']) {
    restoreCatalog()
    writeFileSync(file(name), name === 'rest.json' ? '' : '{ "REST_FACT": 1 }')
    if (name === 'rest.json') edit('signoff.json', '{', '')
    const { status, stderr } = await insight('check')
    assert.is(status, 2)
    assert.match(stderr, /^svc: catalog\/insight\/\w+\.json.*\.\n$/)
  }
})

check('signs only the texts that are named', async () => {
  edit('phrases.json', ...longer)
  const before = JSON.parse(read('signoff.json'))
  const { stdout } = await insight(
    ...['sign', '--by', 'svc team', '--text', 'STREAK_DAYS', '--locale', 'en-US', ...newLabel, '--yes'],
  )
  assert.match(
    stdout,
    /^STREAK_DAYS en-US {2}changed\n(?: {6}- .*outside the norm.*\n {6}\+ .*off the norm.*\n(?: {8}and \d+ more .*\n)?)+Signed 1 text as svc team \(.+2099\.1\)\.\nThese languages still need a reader: Chinese \(1 text\) and Spanish \(1 text\)\.\n$/,
  )
  const { texts, labels } = JSON.parse(read('signoff.json'))
  const { date, text, ruleVersion } = texts.STREAK_DAYS['en-US']
  assert.match(date, /^\d{4}-\d\d-\d\d$/)
  assert.match(text, longer[1])
  assert.is(ruleVersion, newLabel[1])
  // The translations are open, so the label does not get its row yet.
  assert.equal(labels, before.labels)
  const { findings } = JSON.parse((await insight('check', '--json')).stdout)
  assert.equal(
    findings.map(({ code, locale }: Record<string, string>) => `${code} ${locale}`),
    ['translation-stale zh-CN', 'translation-stale es'],
  )
})

check('shows whole sentences and their difference, never a text with its braces', async () => {
  edit('rest.json', ' and woke once', ' and was up once')
  const { stdout } = await insight('sign', '--by', 'svc team', ...newLabel, '--yes')
  assert.match(stdout, /^WAKES_TAIL zh-CN {2}stale\n {8}\S.*醒.*\n/)
  assert.match(stdout, /\n {6}en-US is now:\n {6}- .*woke once.*\n {6}\+ .*was up once/)
  assert.match(stdout, /\nWAKES_TAIL en-US {2}changed\n {6}- .*woke once.*\n {6}\+ .*was up once.*\n/)
  assert.not.match(stdout, /[{}]/)
  // The other sentences with the same change are counted.
  assert.match(stdout, /\n {8}and \d+ more sentences? with the same change\n/)
})

check('signs everything that is open, after which the check finds nothing', async () => {
  edit('phrases.json', ...longer)
  edit('rest.json', '{wakes} y ', '{wakes}, y ')
  const { signed, removed } = JSON.parse(
    (await insight('sign', '--by', 'svc team', ...newLabel, '--yes', '--json')).stdout,
  )
  assert.equal(signed.map(({ text, locale, was }: Record<string, string>) => `${text} ${locale} ${was}`).sort(), [
    'REST_FACT es changed',
    'STREAK_DAYS en-US changed',
    'STREAK_DAYS es stale',
    'STREAK_DAYS zh-CN stale',
  ])
  assert.equal(removed, [])
  assert.is((await insight('check')).status, 0)
  assert.match((await insight('sign', '--by', 'svc team')).stdout, /^Nothing to sign/)
})

check('signs a scenario with the clauses that it uses', async () => {
  edit('rest.json', '{wakes} y ', '{wakes}, y ')
  const sign = async (scenario: string) =>
    (await insight('sign', '--by', 'svc team', '--scenario', scenario, ...newLabel, '--yes')).stdout
  assert.match(await sign('BARK_TODAY'), /^Nothing to sign/)
  assert.match(await sign('REST_NIGHT_POOR'), /Signed 1 text/)
  assert.is((await insight('check')).status, 0)
})

check('shows a new answer with the texts that are signed, not the former ones', async () => {
  const added = join(folder, 'fixtures/insight/REST_NIGHT_GOOD.added.json')
  cpSync(join(folder, 'fixtures/insight/REST_NIGHT_GOOD.json'), added)
  edit('rest.json', '{wakes} y ', '{wakes}, y ')
  try {
    const { stdout } = await insight('sign', '--by', 'svc team', ...newLabel, '--yes')
    const says = JSON.parse(read('signoff.json')).answers['REST_NIGHT_GOOD.added'].es.text
    assert.match(says, ', y durmió bien')
    assert.match(stdout, `REST_NIGHT_GOOD.added es  unsigned\n      + ${says}\n`)
    assert.match(stdout, /Signed 1 text and 3 answers/)
  } finally {
    rmSync(added)
  }
})

check('shows the answer of a changed sample before and after', async () => {
  const sample = join(folder, 'fixtures/insight/BARK_TODAY.json')
  const before = readFileSync(sample, 'utf8')
  writeFileSync(sample, before.replace('Mochi', 'Momo'))
  try {
    const { stdout } = await insight('sign', '--by', 'svc team', '--locale', 'en-US', '--yes')
    assert.match(stdout, /^BARK_TODAY en-US {2}stale\n +- .*Mochi.*\n +\+ .*Momo.*\n/)
  } finally {
    writeFileSync(sample, before)
  }
})

check('removes the approval of a deleted text', async () => {
  edit('signoff.json', '"texts": {', '"texts": { "OLD": {},')
  const { status, stdout } = await insight('sign', '--by', 'svc team', '--yes')
  assert.is(status, 0)
  assert.match(stdout, /^OLD {2}no longer exists.*\nRemoved 1 approval\.\n$/)
  assert.is((await insight('check')).status, 0)
})

const codesOf = async () => {
  const { findings } = JSON.parse((await insight('check', '--json')).stdout)
  return [...new Set(findings.map(({ code }: { code: string }) => code))].sort()
}
const versionIn = (locale: string) => JSON.parse(read('version.json'))[locale]
/** In the form of one version ago: a row for all languages. */
const writeVersion = (ruleVersion: string, sha256: string) =>
  writeFileSync(file('version.json'), JSON.stringify({ ruleVersion, sha256 }))

check('refuses another label until the current one is complete', async () => {
  edit('phrases.json', ...longer)
  await insight('sign', '--by', 'svc team', '--locale', 'en-US', ...newLabel, '--yes')
  const other = await insight('sign', '--by', 'svc team', '--rule-version', 'health-detail-copy-2099.2', '--yes')
  assert.is(other.status, 2)
  assert.match(other.stderr, `Some texts were signed under the label ${newLabel[1]} and others are still open`)
  assert.is((await insight('sign', '--by', 'svc team', '--yes')).status, 0)
  assert.is((await insight('check')).status, 0)
})

check('refuses a malformed label, and a label for unchanged texts', async () => {
  const { catalog: sha256 } = versionIn('es')
  for (const label of [' ', 'tmp', 'health-detail-copy-2026']) {
    writeVersion(label, sha256)
    const { status, stderr } = await insight('check')
    assert.is(status, 2)
    assert.match(stderr, /version\.json: ruleVersion is ".*"; it must be health-detail-copy-YEAR\.NUMBER/)
  }
  writeVersion(newLabel[1], sha256)
  assert.equal(await codesOf(), ['version-needless'])
  restoreCatalog()
  const needless = (await insight('sign', '--by', 'svc team', ...newLabel, '--yes')).stderr
  assert.match(
    needless,
    /version-needless +The label health-detail-copy-2099\.1 does not exist, and nothing changed since (\S+)\. The labels are .*\.1 and \1\.\n/,
  )
  assert.match(needless, /Keep the label (\S+): a new one is for changed texts\.\n/)
  assert.match(
    (await insight('sign', '--by', 'svc team', '--rule-version', 'tmp', '--yes')).stderr,
    /--rule-version must be/,
  )
})

check('reads the version of the form before, and writes it by language with the next approval', async () => {
  const before = ['zh-CN', 'en-US', 'es'].map(versionIn)
  writeVersion(before[0].ruleVersion, before[0].catalog)
  assert.equal(await codesOf(), [])
  edit('rest.json', '{wakes} y ', '{wakes}, y ')
  assert.is((await insight('sign', '--by', 'svc team', ...newLabel, '--yes')).status, 0)
  const [chinese, english, spanish] = ['zh-CN', 'en-US', 'es'].map(versionIn)
  assert.equal([chinese, english], before.slice(0, 2))
  assert.is(spanish.ruleVersion, newLabel[1])
  assert.equal(await codesOf(), [])
})

check('approves the rules about words', async () => {
  edit('wording.json', '"fever*",', '')
  assert.equal(await codesOf(), ['wording-changed'])
  const { stdout } = await insight('sign', '--by', 'svc team', '--yes')
  assert.match(stdout, /Signed the rules about words as svc team/)
  assert.is((await insight('check')).status, 0)
})

const none = () => undefined
for (const [what, prepare, args, status, err] of [
  [
    'a text with a finding',
    () => edit('phrases.json', '（{range}）', '({range})'),
    [...newLabel, '--yes'],
    1,
    /punctuation-half-width[\s\S]*Nothing was signed/,
  ],
  ['a changed text under the old label', () => edit('phrases.json', ...longer), ['--yes'], 1, /version-old/],
  [
    'without confirmation',
    () => edit('phrases.json', ...longer),
    newLabel,
    2,
    /without a terminal, confirm with --yes/,
  ],
  ['a text that does not exist', none, ['--text', 'STREAK_DAY'], 2, /Did you mean STREAK_DAYS\?/],
  ['a scenario that does not exist', none, ['--scenario', 'BARK_TODAI'], 2, /Did you mean BARK_TODAY\?/],
  ['in an unknown language', none, ['--locale', 'fr'], 2, /zh-CN, en-US, es/],
  ['without a name', none, ['--by', ' ', '--yes'], 2, /--by must be the name/],
] as const) {
  check(`refuses to sign ${what}`, async () => {
    prepare()
    const before = read('signoff.json')
    const result = await insight('sign', '--by', 'svc team', ...args)
    assert.match(result.stderr, err)
    assert.is(result.status, status)
    assert.is(read('signoff.json'), before)
  })
}

const terminal = hasTerminal() ? openTerminalSession(folder) : undefined
check.after(async () => terminal?.close())

for (const [answer, status, says] of [
  ['y', 0, /Sign 3 texts as svc team\?[\s\S]*Signed 3 texts/],
  ['n', 1, /Sign 3 texts as svc team\?/],
] as const) {
  check(`asks on a terminal, proposes the next label, and follows the answer ${answer}`, async () => {
    if (terminal === undefined) return reportSkip(noTerminal)
    edit('phrases.json', ...longer)
    const before = ['signoff.json', 'version.json'].map(read)
    const { ruleVersion } = versionIn('en-US')
    const { code, screen } = await terminal.run(
      ['insight', 'sign', '--by', 'svc team'],
      [
        [/Which language do you sign\?/, `all of these${enter}`],
        [/need a new label/, enter],
        [/svc team\?/, `${answer}${enter}`],
      ],
    )
    assert.match(screen, says)
    assert.is(code, status)
    if (answer === 'n') return assert.equal(['signoff.json', 'version.json'].map(read), before)
    const next = ruleVersion.replace(/\d+$/, (number: string) => String(Number(number) + 1))
    for (const locale of ['zh-CN', 'en-US', 'es']) assert.is(versionIn(locale).ruleVersion, next)
    assert.is((await insight('check')).status, 0)
  })
}

check('asks on a terminal who signs which language, and says which ones still need a reader', async () => {
  if (terminal === undefined) return reportSkip(noTerminal)
  edit('phrases.json', ...longer)
  const typing = [
    [/Who signs\?/, `Ann Lee${enter}`],
    [/Which language do you sign\?/, `English${enter}`],
    [/need a new label/, enter],
    [/Sign 1 text .*as Ann Lee\?/, `y${enter}`],
  ] as const
  const { code, screen } = await terminal.run(['insight', 'sign'], typing)
  assert.is(code, 0, screen)
  assert.is(JSON.parse(read('signoff.json')).texts.STREAK_DAYS['en-US'].by, 'Ann Lee')
  assert.match(screen, 'These languages still need a reader: Chinese (1 text) and Spanish (1 text).')
})

check('review names the page that it wrote, without characters that reach the terminal as commands', async () => {
  const { status, stderr } = await insight('review', '--out', 'x\u001b[8m\u009b\u202e.html')
  assert.is(status, 0, stderr)
  assert.match(stderr, /^x\\u001b\[8m\\u009b\\u202e\.html: 37 sentences, \d+ examples in three languages, \d+ KiB\. /)
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

check('comments are listed in the order of the catalog, with the current text', async () => {
  const line =
    read('rest.json')
      .split('\n')
      .findIndex((text) => text.includes('durmió mal')) + 1
  const file = writeComments(
    { ...comment, id: 'b', textId: 'WEAR_HINT', example: 'GONE', pattern: 'Old.', comment: 'Shorter.' },
    comment,
    { ...comment, id: 'c', textId: 'NO_SUCH_TEXT', comment: 'Gone?' },
  )
  const { status, stdout } = await insight('comments', file, file)
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

check('comments --json has the same content, and marks only changed texts as changed', async () => {
  const now = JSON.parse((await insight('comments', writeComments(comment), '--json')).stdout).comments[0]
  assert.equal([now.isChanged, now.patternNow], [true, comment.pattern])
  const unchanged = writeComments({ ...comment, said: now.saidNow })
  const [after] = JSON.parse((await insight('comments', unchanged, '--json')).stdout).comments
  assert.is(after.isChanged, false)
  assert.match((await insight('comments', unchanged)).stdout, /\n1 comment\.\n$/)
})

check('comments lists nothing before the first comment on the served page', async () => {
  const { status, stderr, stdout } = await insight('comments', '.svc-review/comments.json')
  assert.equal([status, stdout], [0, '0 comments.\n'])
  assert.is(stderr, 'svc: No comments yet: svc insight review --serve keeps them in .svc-review/comments.json.\n')
})

check('comments refuses another JSON file, and a missing one', async () => {
  for (const [file, expected] of [
    [write('comments.json', '{}'), /comments\.json: This is not a file of comments/],
    ['gone.json', /gone\.json cannot be read: no such file/],
  ] as const) {
    const { status, stderr } = await insight('comments', file)
    assert.is(status, 2)
    assert.match(stderr, expected)
  }
})

check('story prints the texts of one pet in order of time, and counts what repeats', async () => {
  const args = ['story', '--days', '20', '--metric', 'rest', '--locale', 'es']
  const { status, stdout } = await insight(...args)
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
  const { sentences, texts } = JSON.parse((await insight(...args, '--json')).stdout)
  assert.is(texts.length, 23)
  assert.is(sentences, new Set(texts.filter(({ times }: { times: number }) => times === 1)).size)
  assert.is((await insight(...args)).stdout, stdout)
  const page = (await insight(...args, '--format', 'html')).stdout
  assert.match(page, /<p>23 texts, .*<\/p>\n<\/body>/)
  const { status: refused, stderr } = await insight('story', '--days', 'x')
  assert.equal([refused, stderr], [2, 'svc: The number of days is "x", but must be an integer from 2 to 366.\n'])
})

check('render --locale en-XA and --stress', async () => {
  const poor = 'fixtures/insight/REST_NIGHT_POOR.json'
  assert.match((await insight('render', '--locale', 'en-XA', poor)).stdout, /en-XA {2}\[Ļ.*Biscuit.*\.\]\n/)
  const { stdout, status } = await insight('render', '--stress', '--json', poor)
  assert.is(status, 0)
  const variants = JSON.parse(stdout).results.map(({ variant }: { readonly variant?: string }) => variant)
  assert.is(variants[0], undefined)
  for (const words of ['name like markup', 'wakes 21', 'in a row 31']) assert.ok(variants.includes(words), words)
})

check.run()
