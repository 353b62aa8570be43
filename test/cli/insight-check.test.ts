// run: takes 20 s
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { copyProgram } from '../helpers/desk.js'
import { reportSkip } from '../helpers/skip.js'
import { runNode, runSvc } from '../helpers/svc.js'
import { openSession } from '../helpers/svc-session.js'
import { openTemporaryFolder } from '../helpers/temporary.js'
import { enter, hasTerminal, noTerminal, openTerminalSession, runOnTerminal } from '../helpers/terminal.js'

const check = suite('svc insight check and sign')
const { folder, close } = openTemporaryFolder()
check.after(close)
const root = fileURLToPath(new URL('../..', import.meta.url))
copyProgram(folder)
const saved = openTemporaryFolder()
check.after(saved.close)
cpSync(join(folder, 'catalog/insight'), saved.folder, { recursive: true })
const restoreCatalog = () => cpSync(saved.folder, join(folder, 'catalog/insight'), { recursive: true })
const program = join(folder, 'bin/svc.js')
const file = (name: string) => join(folder, 'catalog/insight', name)
const read = (name: string) => readFileSync(file(name), 'utf8')
const edit = (name: string, from: string, to: string) => writeFileSync(file(name), read(name).replace(from, to))

check.before.each(restoreCatalog)

const session = openSession(folder)
check.after(session.close)
const insight = (...args: string[]) => session.run(['insight', ...args], { cwd: folder })
/** The same in a process of its own. */
const insightAlone = (...args: string[]) => runNode([program, 'insight', ...args], { cwd: folder })

const newLabel = ['--rule-version', 'health-detail-copy-2099.1'] as const

const longer = ['making {days} days in a row outside the norm', 'making {days} days in a row off the norm'] as const

check('finds nothing in the shipped catalog', () => {
  const { status, stdout, stderr } = runSvc(['insight', 'check'], { cwd: root })
  assert.match(stdout, /^\d+ texts in 3 languages: no fault, all signed off \(.+\)\.\n$/)
  assert.is(stderr, '')
  assert.is(status, 0)
})

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

check('locates a syntax error in a file', async () => {
  edit('rest.json', '"zh-CN"', 'zh-CN"')
  const { status, stdout } = await insight('check')
  assert.is(status, 1)
  assert.match(stdout, /rest\.json\n {2}3:5 {2}file-broken {2}catalog\/insight\/rest\.json is not valid JSON/)
})

for (const name of ['rest.json', 'signoff.json', 'wording.json', 'version.json']) {
  check(`returns 2 if ${name} is not valid`, async () => {
    writeFileSync(file(name), name === 'rest.json' ? '' : '{ "REST_FACT": 1 }')
    if (name === 'rest.json') edit('signoff.json', '{', '')
    const { status, stderr } = await insight('check')
    assert.is(status, 2)
    assert.match(stderr, /^svc: catalog\/insight\/\w+\.json.*\.\n$/)
  })
}

check('signs only what changed', async () => {
  edit('phrases.json', ...longer)
  const before = JSON.parse(read('signoff.json'))
  const args = ['--text', 'STREAK_DAYS', '--locale', 'en-US', ...newLabel, '--yes']
  const { status, stdout } = await insight('sign', '--by', 'svc team', ...args)
  assert.is(status, 0)
  assert.match(
    stdout,
    /^STREAK_DAYS en-US {2}changed\n(?: {6}- .*outside the norm.*\n {6}\+ .*off the norm.*\n(?: {8}and \d+ more .*\n)?)+Signed 1 text as svc team \(.+2099\.1\)\.\nThese languages still need a reader: Chinese \(1 text\) and Spanish \(1 text\)\.\n$/,
  )
  const after = JSON.parse(read('signoff.json'))
  const { date, ...entry } = after.texts.STREAK_DAYS['en-US']
  assert.match(entry.text, longer[1])
  assert.is(entry.ruleVersion, newLabel[1])
  assert.match(date, /^\d{4}-\d\d-\d\d$/)
  after.texts.STREAK_DAYS['en-US'] = before.texts.STREAK_DAYS['en-US']
  assert.equal(after.texts, before.texts)
  const changed = Object.keys(after.answers).filter(
    (name) => after.answers[name]['en-US'].text !== before.answers[name]['en-US'].text,
  )
  assert.ok(changed.length > 0)
  for (const name of changed) assert.match(after.answers[name]['en-US'].text, 'off the norm')
  // The translations are open, so the label does not get its row yet.
  assert.equal(after.labels, before.labels)
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

const wordsOfTheProgram = [
  ['October', 'Oktober', 'en-US'],
  ['agosto', 'augosto', 'es'],
  ['\\u591C\\u95F4\\u81F3', '\\u591C\\u95F4\\u5230', 'zh-CN'],
  [' de ${', ' del ${', 'es'],
  ['"PM"', '"pm"', 'en-US'],
] as const
// At most one change of a language at once: the finding names the language.
for (const changes of [wordsOfTheProgram.slice(0, 3), wordsOfTheProgram.slice(3)]) {
  check(`reports changes of words that the program adds: ${changes.map(([from]) => from).join(', ')}`, () => {
    const bundle = join(folder, 'dist/commands-insight-check.cjs')
    const built = readFileSync(bundle, 'utf8')
    const changed = changes.reduce((code, [from, to]) => {
      assert.match(code, from)
      return code.replaceAll(from, to)
    }, built)
    writeFileSync(bundle, changed)
    try {
      const { findings } = JSON.parse(insightAlone('check', '--json').stdout)
      assert.equal(
        [
          ...new Set(findings.map((finding: Record<string, string>) => `${finding.code} ${finding.locale ?? ''}`)),
        ].sort(),
        [...changes.map(([, , locale]) => `answer-changed ${locale}`), 'version-old '].sort(),
      )
      for (const finding of findings) {
        if (finding.code === 'answer-changed') assert.match(finding.message, /fixture|dates and times/)
      }
    } finally {
      writeFileSync(bundle, built)
    }
  })
}

const refusals: readonly (readonly [
  what: string,
  prepare: () => void,
  args: readonly string[],
  status: number,
  err: RegExp,
])[] = [
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
  ['a text that does not exist', () => undefined, ['--text', 'STREAK_DAY'], 2, /Did you mean STREAK_DAYS\?/],
  ['a scenario that does not exist', () => undefined, ['--scenario', 'BARK_TODAI'], 2, /Did you mean BARK_TODAY\?/],
  ['in an unknown language', () => undefined, ['--locale', 'fr'], 2, /zh-CN, en-US, es/],
]
for (const [what, prepare, args, status, err] of refusals) {
  check(`refuses to sign ${what}`, async () => {
    prepare()
    const before = read('signoff.json')
    const result = await insight('sign', '--by', 'svc team', ...args)
    assert.match(result.stderr, err)
    assert.is(result.status, status)
    assert.is(read('signoff.json'), before)
  })
}

check('refuses to sign without a name', async () => {
  assert.is((await insight('sign', '--yes')).status, 2)
  assert.match((await insight('sign', '--by', ' ', '--yes')).stderr, /--by must be the name/)
})

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
  if (!hasTerminal()) return reportSkip(noTerminal)
  edit('phrases.json', ...longer)
  const typing = [
    [/Who signs\?/, `Ann Lee${enter}`],
    [/Which language do you sign\?/, `English${enter}`],
    [/need a new label/, enter],
    [/Sign 1 text .*as Ann Lee\?/, `y${enter}`],
  ] as const
  const command = `'${process.execPath}' '${program}' insight sign`
  const { code, screen } = await runOnTerminal(command, typing, { cwd: folder })
  assert.is(code, 0, screen)
  assert.is(JSON.parse(read('signoff.json')).texts.STREAK_DAYS['en-US'].by, 'Ann Lee')
  assert.match(screen, 'These languages still need a reader: Chinese (1 text) and Spanish (1 text).')
})

check('--help shows examples', async () => {
  assert.match((await insight('check', '--help')).stdout, /Examples:\n {2}svc insight check/)
  assert.match((await insight('sign', '--help')).stdout, /Examples:\n {2}svc insight sign\n/)
})

check.run()
