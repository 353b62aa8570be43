// run: takes 6 s
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { hashTexts } from '../../src/catalog/catalog.js'
import { type CheckInput, checkTexts } from '../../src/copydesk/check.js'
import { readEntries } from '../../src/copydesk/entries.js'
import { findingCodes } from '../../src/copydesk/finding.js'
import { readReviewInput } from '../../src/copydesk/review-input.js'
import { approve } from '../../src/copydesk/signoff/signing.js'
import { hashText } from '../../src/copydesk/signoff/signoff.js'
import type { Locale } from '../../src/insight/types.js'
import { changePayload } from '../helpers/payloads.js'
import {
  approveAll,
  baseline,
  baselineTexts,
  changeFile,
  changeText,
  listFindings,
  newLabel,
  relabel,
} from '../helpers/review-input.js'

const planted = suite('planted faults')
const covered = new Set<string>()

planted('finds nothing in the shipped catalog, and in the texts of tests', async () => {
  for (const input of [await readReviewInput(), baseline]) {
    const { findings, uses } = checkTexts(input)
    assert.equal(findings, [])
    assert.is(uses.size, 37)
  }
})

type Row = readonly [what: string, expected: string, change: (text: string) => string]

const swap = (from: string, to: string) => (text: string) => {
  const changed = text.replace(from, to)
  assert.is.not(changed, text, `${text} has no ${from}`)
  return changed
}

/** Exchanges two placeholders, also inside choices. */
const exchange = (text: string, one: string, other: string) =>
  text.replace(new RegExp(`\\{(${one}|${other})(?=[,}])`, 'g'), (_, name: string) => `{${name === one ? other : one}`)

/** Defects of one text in one language that keep the texts from being rendered: code, text, language. */
const unreadable: readonly Row[] = [
  ['a dropped placeholder of a sentence', 'placeholder REST_NIGHT_GOOD zh-CN', swap('{fact}', '')],
  ['a dropped placeholder of a clause', 'placeholder WEAR_HINT es', swap('{wearing}', 'poco')],
  ['a misspelled placeholder', 'placeholder STREAK_DAYS en-US', swap('{days}', '{day}')],
  ['a placeholder of another text', 'placeholder RANGE zh-CN', swap('{range}', '{range}{days}')],
  ['a placeholder dropped in one case', 'placeholder BARK_DAY_CALM es', swap(', {name} no {species', ' no {species')],
  ['an unclosed brace', 'pattern-broken RANGE_NOTE es', swap('}', '')],
  ['braces around words', 'pattern-broken ADVICE_REST en-US', swap('quiet', '{quiet dark}')],
  ['ICU syntax that the catalog does not use', 'pattern-broken RANGE en-US', swap('{range}', '{range, number}')],
  ['a missing plural', 'plural-form BARK_EVENTS es', swap('one { (una vez)} ', '')],
  ['a missing plural of a sentence', 'plural-form ACTIVITY_PERIOD_LOW_DAYS en-US', swap('one {# day} ', '')],
  ['a plural without "other"', 'plural-form FEW_NIGHTS en-US', swap('other {', 'two {')],
  ['a plural form that Chinese does not have', 'plural-form WAKES_TAIL zh-CN', swap('other {', 'one {x} other {')],
  ['a select without "other"', 'plural-form CHANGE_AMOUNT es', swap('other {', 'same {')],
  ['a misspelled case of a select', 'choice-unknown DATA_NAME es', swap('hrv {', 'hvr {')],
  ['a dropped case of a select', 'choice-missing LEAD_PERIOD es', swap(' that_week {Esa semana}', '')],
  [
    'a dropped case in Chinese',
    'choice-missing FACTOR zh-CN',
    swap(' interruptions {醒来的次数比{yardstick, select, reference {参考值} other {平时}}多}', ''),
  ],
  ['a dropped case of one of several selects', 'choice-missing LEAD_NIGHT es', swap('last {anoche} ', '')],
  ['a dropped case of a number', 'choice-missing WAKES_TAIL es', swap('=0 { y no se despertó} ', '')],
  ['a hard-coded plural', 'plural-form FEW_DAYS en-US', swap('one { (only # day with records)} ', '')],
  [
    'a count with one form',
    'plural-form ACTIVITY_PERIOD_LOW_DAYS es',
    (text) => text.replace(/\{lowDays, .*? días\}\}/, '{lowDays} días'),
  ],
]

/** Other defects of one text in one language. */
const texts: readonly Row[] = [
  ['swapped parts', 'placeholder-order ACTIVITY_TODAY_GOAL_MET es', (text) => exchange(text, 'duration', 'goal')],
  [
    'swapped parts in Chinese',
    'placeholder-order CHANGE_AMOUNT zh-CN',
    swap('比{previous}多{percent}%', '比{percent}多{previous}%'),
  ],
  ['swapped days', 'placeholder-order ACTIVITY_PERIOD_MIXED_DAYS es', (text) => exchange(text, 'lowDays', 'highDays')],
  ['two sentences of advice', 'sentence-many ADVICE_REST en-US', swap('can help', 'can help. It can help')],
  ['two sentences of advice in Chinese', 'sentence-many ADVICE_REST zh-CN', swap('，能帮', '。能帮')],
  ['too long advice', 'too-long ADVICE_ACTIVITY_LOW en-US', (text) => `${'With more play, '.repeat(17)}${text}`],
  ['a swapped number', 'number-differs APPROX_DURATION es', swap('1 min', '2 min')],
  ['a number in one language only', 'number-differs ADVICE_REST en-US', swap('A quiet', '2 quiet')],
  ['a number in words', 'number-differs BARK_EVENTS_DAILY en-US', swap('(once)', '(twice)')],
  ['swapped units', 'unit-differs DURATION es', swap('{hours} h {minutes} min', '{hours} min {minutes} h')],
  ['a missing unit', 'unit-differs VITAL_VALUE es', swap('{value} ms', '{value}')],
  ['another unit', 'unit-differs APPROX_DURATION zh-CN', swap('1分钟', '1小时')],
  ['a missing percent sign', 'unit-differs CHANGE_LEVEL en-US', swap('{percent}% higher', '{percent} higher')],
  ['a missing full stop', 'end-mark ADVICE_BARK en-US', swap('company.', 'company')],
  ['a full stop in a clause', 'end-mark STREAK_NIGHTS es', swap('así', 'así.')],
  ['an ASCII comma in Chinese', 'punctuation-half-width REST_FACT zh-CN', swap('，', ',')],
  ['an ASCII full stop in Chinese', 'punctuation-half-width WEAR_HINT zh-CN', swap('。', '.')],
  ['ASCII brackets in Chinese', 'punctuation-half-width RANGE zh-CN', () => '({range})'],
  ['a Chinese comma in Spanish', 'punctuation-full-width ADVICE_VITAL es', swap(', ', '，')],
  ['a full-width bracket in English', 'punctuation-full-width FEW_DAYS en-US', swap('(no full', '（no full')],
  ['a question without ¿', 'punctuation-inverted ADVICE_BARK es', swap('tranquila.', 'tranquila?')],
  ['an exclamation without !', 'punctuation-inverted ADVICE_REST es', swap('Un rincón', '¡Un rincón')],
  ['two commas', 'punctuation-doubled ADVICE_VITAL en-US', swap(', watch', ',, watch')],
  ['an unclosed bracket', 'bracket-unpaired RANGE es', swap(')', '')],
  ['an unclosed quotation mark', 'bracket-unpaired ADVICE_REST es', swap('tranquilo', '«tranquilo')],
  ['straight quotation marks', 'quote-straight ADVICE_REST en-US', swap('quiet', '"quiet"')],
  ['straight single quotation marks', 'quote-straight ADVICE_REST en-US', swap('quiet', "''quiet''")],
  ['an apostrophe in Spanish', 'quote-straight ADVICE_REST es', swap('Un ', "Un'' ")],
  ['a single apostrophe', 'apostrophe-single VITAL_TODAY en-US', swap("''s", "'s")],
  ['a double space', 'space-double ADVICE_REST en-US', swap('can help', 'can  help')],
  ['a double space before a clause', 'space-double WAKES_TAIL es', swap('{ y se', '{  y se')],
  ['a space in Chinese', 'space-chinese BARK_TODAY zh-CN', swap('今天没有', '今天 没有')],
  ['a space before a comma', 'space-before-mark ADVICE_BARK en-US', swap('barking,', 'barking ,')],
  ['a space at the end', 'space-before-mark ADVICE_REST es', swap('mejor.', 'mejor. ')],
  ['a space at the beginning', 'space-before-mark ADVICE_REST en-US', swap('A quiet', ' A quiet')],
  ['a clause without its leading space', 'space-missing RANGE es', swap(' ({range})', '({range})')],
  ['a clause joined to a word', 'space-missing WAKES_SO_FAR en-US', swap('{ and woken #', '{and woken #')],
  ['a no-break space', 'character-hidden ADVICE_REST es', swap('Un rincón', 'Un\u00A0rincón')],
  ['a zero-width space', 'character-hidden ADVICE_REST zh-CN', swap('给它', '给\u200B它')],
  ['a line break', 'character-hidden ADVICE_BARK en-US', swap(' and offer', '\nand offer')],
  ['a Cyrillic letter', 'letter-foreign ADVICE_BARK en-US', swap('quiet', 'qui\u0435t')],
  ['English in a Chinese text', 'letter-foreign BARK_TODAY zh-CN', swap('今天没有', 'today没有')],
  ['internal wording', 'word-banned ADVICE_REST en-US', swap('dark spot', 'rated spot')],
  ['a doubled word', 'word-doubled ADVICE_REST en-US', swap('can help', 'can can help')],
  ['a doubled word in Chinese', 'word-doubled ADVICE_REST zh-CN', swap('安静', '安静安静')],
]

/** Defects that are found in rendered texts, if no text in them has another finding. */
const rendered: readonly Row[] = [
  ['a word joined to a clause', 'space-missing VITAL_TODAY es', swap('la {vital} de', 'la{vital} de')],
  ['two commas between joined texts', 'punctuation-doubled REST_NIGHT_GOOD zh-CN', swap('{fact}', '{fact}，')],
  ['a double space between joined texts', 'space-double REST_NIGHT_GOOD en-US', swap('{fact}', '{fact} ')],
  ['a space before the full stop', 'space-before-mark BARK_DAY_FREQUENT en-US', swap('{streak}.', '{streak} .')],
  [
    'a basis with which nothing is compared',
    'claim-empty LEAD_DAY en-US',
    (text) => text.replaceAll(/This page uses (\w+) norms;/g, 'With $1 norms as a guide,'),
  ],
  ['a doubled word between joined texts', 'word-doubled BARK_PERIOD_UNRATED en-US', swap('averaged', 'averaged about')],
  ['too long a text', 'too-long ACTIVITY_DAY_HIGH es', (text) => `${'Un día con movimiento. '.repeat(12)}${text}`],
]

/** Returns the findings of each row. Plants defects of different texts at once: a finding names its text. */
function plantTogether(rows: readonly Row[]): Map<Row, readonly string[]> {
  const found = new Map<Row, readonly string[]>()
  for (let open = [...rows]; open.length > 0; open = open.filter((row) => !found.has(row))) {
    const byText = new Map(open.map((row) => [row[1].split(' ')[1], row]))
    let input = baseline
    for (const [, expected, change] of byText.values()) {
      const [, id = '', locale] = expected.split(' ')
      input = changeText(id, locale as Locale, change, input)
    }
    const findings = listFindings(checkTexts(approveAll(input)))
    const textOf = (finding: string) => finding.split(' ')[1]
    for (const [id, row] of byText) {
      found.set(
        row,
        findings.filter((finding) => textOf(finding) === id),
      )
    }
    for (const finding of findings) assert.ok(byText.has(textOf(finding)), finding)
  }
  return found
}

for (const rows of [unreadable, texts, rendered]) {
  for (const [, expected] of rows) covered.add(expected.split(' ')[0] ?? '')
  let found: ReturnType<typeof plantTogether>
  for (const row of rows) {
    const [what, expected] = row
    planted(`finds ${what} exactly once`, () => {
      found ??= plantTogether(rows)
      assert.equal(found.get(row), [expected])
    })
  }
}

/** Matches the entry of a text with its comma, in the format of our files. */
const entryOf = (id: string) => new RegExp(`\\n  "${id}": \\{[\\s\\S]*?\\n  \\},?`)
const withoutText = (name: string, id: string) => changeFile(name, (content) => content.replace(entryOf(id), ''))
const withoutFixtures = (scenario: string): CheckInput => ({
  ...baseline,
  fixtures: baseline.fixtures.filter(({ name }) => name.split('.')[0] !== scenario),
})
const copyOf = (id: string, name: string) => (content: string) =>
  content.replace(entryOf(id), (entry) => `${entry}${entry.replace(id, name)}`)

type Approvals = CheckInput['signoff']['texts']
const withText = (signoff: CheckInput['signoff'], id: string, entries: Approvals[string]) => ({
  ...signoff,
  texts: { ...signoff.texts, [id]: entries },
})

const approveText = (id: string, entries: Approvals[string]) => ({
  ...baseline,
  signoff: withText(baseline.signoff, id, entries),
})
const { es: _es, ...otherLanguages } = baseline.signoff.texts.REST_FACT ?? {}

/** Changes the approved answers, with their hashes, as if the program had added other words at the time. */
function formerly(locale: Locale, from: string, to: string, input: CheckInput = baseline): CheckInput {
  const answers = Object.entries(input.signoff.answers).map(([id, entries]) => {
    const entry = entries[locale]
    if (entry === undefined) return [id, entries]
    const text = entry.text.replaceAll(from, to)
    return [id, { ...entries, [locale]: { ...entry, text, hash: hashText(text) } }]
  })
  return { ...input, signoff: { ...input.signoff, answers: Object.fromEntries(answers) } }
}

const withFixture = (name: string, change: (fixture: CheckInput['fixtures'][number]) => CheckInput['fixtures']) => ({
  ...baseline,
  fixtures: baseline.fixtures.flatMap((fixture) => (fixture.name === name ? change(fixture) : [fixture])),
})

const { labels } = baseline.signoff
const [firstLabel = ''] = Object.keys(labels['en-US'])

function withoutLabel(label: string): typeof labels {
  return { ...labels, 'en-US': Object.fromEntries(Object.entries(labels['en-US']).filter(([name]) => name !== label)) }
}

/** Gives every label the hash of other texts. */
function changedHashes(): typeof labels {
  const rows = Object.keys(labels['en-US']).map((label) => [label, hashText(label)])
  return { ...labels, 'en-US': Object.fromEntries(rows) }
}

const changeFact = () => changeText('REST_FACT', 'es', swap(' y ', ', y '))
const relabelled = () => relabel(changeFact())
/** The sign-off with other labels. */
const withLabels = (of: typeof labels) => ({ ...baseline, signoff: { ...baseline.signoff, labels: of } })

/** Defects of files, of references between texts, and of the sign-off. */
const catalogs: readonly (readonly [what: string, expected: readonly string[], input: () => CheckInput])[] = [
  ['a scenario without a text', ['scenario-missing BARK_TODAY'], () => approveAll(withoutText('bark', 'BARK_TODAY'))],
  ['a clause without a text', ['text-missing WAKES_TAIL'], () => approveAll(withoutText('rest', 'WAKES_TAIL'))],
  [
    'a text in two languages only',
    ['locale-missing REST_FACT es'],
    () => approveAll(changeFile('rest', (content) => content.replace(/("REST_FACT"[\s\S]*?),\n +"es": .*/, '$1'))),
  ],
  ['no text', ['locale-missing RANGE en-US'], () => approveAll(changeText('RANGE', 'en-US', () => ''))],
  [
    'a misspelled language',
    ['locale-missing VITAL_NAME es'],
    () => approveAll(changeFile('vitals', (content) => content.replace(/("VITAL_NAME"[\s\S]*?)"es"/, '$1"es-ES"'))),
  ],
  [
    'a misspelled note',
    ['member-unknown RANGE'],
    () => approveAll(changeFile('phrases', (content) => content.replace(/("RANGE"[\s\S]*?)"note"/, '$1"notes"'))),
  ],
  ['a duplicate text', ['text-twice RANGE'], () => approveAll(changeFile('phrases', copyOf('RANGE', 'RANGE')))],
  [
    'a duplicate language',
    ['text-twice RANGE'],
    () => approveAll(changeFile('phrases', swap('"es": " ({range})"', '"es": " ({range})", "es": " ({range})"'))),
  ],
  ['an unused text', ['text-unused OLD_RANGE'], () => approveAll(changeFile('phrases', copyOf('RANGE', 'OLD_RANGE')))],
  ['a scenario that no fixture reaches', ['scenario-unreached BARK_TODAY'], () => withoutFixtures('BARK_TODAY')],
  ['an unsigned change', ['text-changed REST_FACT es'], relabelled],
  [
    'a changed source, whose translations are stale',
    ['translation-stale REST_FACT zh-CN', 'text-changed REST_FACT en-US', 'translation-stale REST_FACT es'],
    () => relabel(changeText('REST_FACT', 'en-US', swap('rested', 'had rested'))),
  ],
  [
    'a translation that is stale after its source was signed',
    ['translation-stale REST_FACT zh-CN'],
    () => {
      const { signoff, ...approved } = approveAll(changeText('REST_FACT', 'en-US', swap('rested', 'had rested')))
      return {
        ...approved,
        signoff: withText(signoff, 'REST_FACT', {
          ...signoff.texts.REST_FACT,
          'zh-CN': baseline.signoff.texts.REST_FACT?.['zh-CN'],
        }),
      } as CheckInput
    },
  ],
  ['a text without an approval', ['text-unsigned REST_FACT es'], () => approveText('REST_FACT', otherLanguages)],
  [
    'a deleted text',
    ['signoff-left-over OLD_RANGE'],
    () => approveText('OLD_RANGE', baseline.signoff.texts.RANGE ?? {}),
  ],
  [
    'a change under the old label',
    ['version-old'],
    () => ({ ...approveAll(changeFact()), pinnedHash: baseline.pinnedHash }),
  ],
  [
    'a changed text under a label that names others',
    ['version-old'],
    () => {
      const { ruleVersion } = baseline
      const approved = approveAll(changeFact())
      return { ...approved, ruleVersion, pinnedHash: hashTexts(readEntries(approved.files).texts.patterns) }
    },
  ],
  [
    'a changed text under the old label whose approval was removed',
    ['text-unsigned REST_FACT es', 'version-old'],
    () => {
      const { signoff } = approveText('REST_FACT', otherLanguages)
      return { ...relabelled(), ruleVersion: baseline.ruleVersion, signoff }
    },
  ],
  ['a new label for texts that did not change', ['version-needless'], () => relabel(baseline)],
  [
    'a label that was never approved',
    ['version-unsigned'],
    () => ({ ...withLabels(changedHashes()), ruleVersion: newLabel }),
  ],
  ['an older label whose row was deleted', ['version-gone'], () => withLabels(withoutLabel(firstLabel))],
  [
    'a text changed under a label whose row was deleted',
    ['text-changed REST_FACT es', 'version-old'],
    () => ({
      ...changeFact(),
      signoff: { ...baseline.signoff, labels: withoutLabel(baseline.ruleVersion) },
    }),
  ],
  ['other clock times, in all answers', ['answer-changed en-US'], () => relabel(formerly('en-US', ' PM', ' p.m.'))],
  ['a month that no fixture shows', ['answer-changed es', 'version-old'], () => formerly('es', 'agosto', 'agosto,')],
  ['another word between times', ['answer-changed zh-CN', 'version-old'], () => formerly('zh-CN', '夜间至', '夜间到')],
  ['another word in dates', ['answer-changed es', 'version-old'], () => formerly('es', ' de ', ' del ')],
  [
    'a changed fixture',
    ['answer-stale BARK_TODAY'],
    () =>
      withFixture('BARK_TODAY', ({ name, payload }) => [
        { name, payload: changePayload(payload, { '/petProfile/name': 'Rex' }) },
      ]),
  ],
  [
    'a new fixture',
    ['answer-unsigned BARK_TODAY.new'],
    () => withFixture('BARK_TODAY', (fixture) => [fixture, { ...fixture, name: 'BARK_TODAY.new' }]),
  ],
  [
    'a deleted fixture',
    ['signoff-left-over REST_NIGHT_POOR.two-reasons'],
    () => withFixture('REST_NIGHT_POOR.two-reasons', () => []),
  ],
  ['an allowed word', ['wording-changed'], () => ({ ...baseline, wording: { ...baseline.wording, bannedWords: {} } })],
  [
    'a raised maximum length',
    ['wording-changed'],
    () => ({ ...baseline, wording: { ...baseline.wording, maxLength: { 'zh-CN': 999, 'en-US': 999, es: 999 } } }),
  ],
]

for (const [what, expected, build] of catalogs) {
  for (const line of expected) covered.add(line.split(' ')[0] ?? '')
  planted(`finds ${what} exactly once`, () => {
    assert.equal(listFindings(checkTexts(build())), expected)
  })
}

planted('locates the error of a file that is not valid', () => {
  for (const [change, expected, place] of [
    [swap(',\n', ',,\n'), /rest\.json is not valid JSON: an unexpected ","/, ',,\n'],
    [() => '[]', /rest\.json must be a JSON object/, undefined],
  ] as const) {
    const input = changeFile('rest', change)
    const { content = '' } = input.sources.find(({ file }) => file === 'insight/rest.json') ?? {}
    const [{ code, file, offset, message = '' } = {}] = checkTexts(input).findings
    const at = place === undefined ? undefined : content.indexOf(place) + 1
    assert.equal([code, file, offset], ['file-broken', 'insight/rest.json', at])
    assert.match(message, expected)
  }
})

planted('names the text, the language and the position of a syntax error', () => {
  for (const [locale, change, expected] of [
    [
      'es',
      swap('{name} ', '{name '),
      /^The text REST_NIGHT_POOR cannot be parsed in es: .*Look at “\{lead\}, \{name \{fact\}d…”\.$/,
    ],
    ['en-US', swap('{name} ', 'name} '), /cannot be parsed in en-US: .* Look at “\{lead\}, name\} \{fact\}slept…”\.$/],
    ['zh-CN', swap('{name}', '{}'), /cannot be parsed in zh-CN: .*a brace may only enclose an argument\. Look at /],
    [
      'es',
      swap('{name}', '{name, select, other}'),
      /cannot be parsed in es: .*\(invalid syntax at line 1 col \d+.*\)\. Look at /,
    ],
  ] as const) {
    const { findings } = checkTexts(changeText('REST_NIGHT_POOR', locale, change))
    const [broken] = findings.filter(({ code }) => code === 'pattern-broken')
    assert.match(broken?.message ?? '', expected)
  }
  const { findings } = checkTexts(changeText('REST_NIGHT_POOR', 'es', swap('{streak}', '')))
  assert.match(findings[0]?.message ?? '', /^In the text REST_NIGHT_POOR in es, \{streak\} is missing\./)
})

planted('says how to restore a deleted row of a label', () => {
  const { pinnedHash, ruleVersion } = baseline
  const check = (label: string) => checkTexts(withLabels(withoutLabel(label)))
  assert.is(check(firstLabel).findings[0]?.fix, `Restore the row "${firstLabel}" from the last version of the file.`)
  // The row of the current label may be missing: version.json says which texts it names, and the next approval writes it.
  const { findings, labels } = check(ruleVersion)
  assert.equal(findings, [])
  assert.is(labels['en-US'][ruleVersion], pinnedHash)
})

/** Approves the changed texts. */
const planApproval = ({ signed }: ReturnType<typeof checkTexts>, ruleVersion: string) => ({
  wanted: { texts: signed.filter(({ state }) => state === 'changed'), answers: [], wording: false },
  signature: { by: 'svc team', date: '2026-10-14', ruleVersion },
})

planted('accepts a label without a row while only some of its texts are approved', () => {
  const changed = relabel(changeText('REST_FACT', 'en-US', swap('rested', 'had rested')))
  const check = checkTexts(changed)
  const { wanted, signature } = planApproval(check, changed.ruleVersion)
  const signoff = approve(changed, check, wanted, signature)
  assert.equal(listFindings(checkTexts({ ...changed, signoff })), [
    'translation-stale REST_FACT zh-CN',
    'translation-stale REST_FACT es',
  ])
})

planted('describes every finding and its fix in whole sentences', () => {
  const [, id = '', locale] = ['', 'ADVICE_REST', 'es']
  const { findings } = checkTexts(changeText(id, locale as Locale, () => 'mal  mal, enfermo "x" (¿{'))
  for (const { fix, message } of findings) for (const text of [fix, message]) assert.match(text, /[.}]$/)
})

planted('plants every code at least once', () => {
  covered.add('file-broken')
  covered.add('file-conflict')
  covered.add('untranslated')
  assert.equal([...covered].sort(), Object.keys(findingCodes).sort())
})

planted('finds a Spanish text that is the English one', () => {
  const english = baselineTexts.patterns['en-US'].ADVICE_REST ?? ''
  assert.equal(listFindings(checkTexts(approveAll(changeText('ADVICE_REST', 'es', () => english)))), [
    'untranslated ADVICE_REST es',
  ])
})

planted('finds a text that is too long only with a long name and all that it can have', () => {
  const longer = changeText('ADVICE_REST', 'en-US', swap('can help.', 'can help a little, night by night.'))
  const check = checkTexts(approveAll(longer))
  assert.equal(listFindings(check), ['too-long REST_NIGHT_FAIR en-US', 'too-long REST_NIGHT_POOR en-US'])
  assert.match(check.findings[0]?.message ?? '', /has 3[3-9]\d characters in en-US \(maximum 330\): .*Maximiliana/)
  assert.equal(checkTexts(baseline).findings, [], 'the result of the longer text is not kept')
})

planted('blames the edited one of two languages that differ', () => {
  for (const locale of ['en-US', 'es'] as const) {
    const changed = relabel(changeText('ACTIVITY_TODAY_GOAL_MET', locale, (text) => exchange(text, 'duration', 'goal')))
    const faults = listFindings(checkTexts(changed)).filter((line) => !/^(text-|translation-)/.test(line))
    assert.equal(faults, [`placeholder-order ACTIVITY_TODAY_GOAL_MET ${locale}`])
  }
})

planted('approves answers with the texts that they use, and no others', () => {
  const changed = relabelled()
  const check = checkTexts(changed)
  const { wanted, signature } = planApproval(check, changed.ruleVersion)
  const signoff = approve(changed, check, wanted, signature)
  assert.equal(checkTexts({ ...changed, signoff }).findings, [])
  assert.is(signoff.labels.es[changed.ruleVersion], changed.pinnedHash)
  assert.is(signoff.labels['en-US'][baseline.ruleVersion], baseline.pinnedHash)
  for (const [name, { 'en-US': entry }] of Object.entries(signoff.answers)) {
    assert.equal(entry, baseline.signoff.answers[name]?.['en-US'])
  }
  const spoken = formerly('es', 'octubre', 'otubre', changed)
  const half = approve(spoken, checkTexts(spoken), { ...wanted, texts: checkTexts(spoken).signed }, signature)
  assert.equal(half.labels, baseline.signoff.labels)
  const left = new Set(listFindings(checkTexts({ ...spoken, signoff: half })))
  assert.equal([...left], ['answer-changed es'])
})

planted.run()
