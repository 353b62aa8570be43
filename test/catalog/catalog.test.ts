import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { loadInsightCopy, readInsightTexts, readPrompts } from '../../src/catalog/catalog.js'
import { compileMessages } from '../../src/catalog/message-compiler.js'
import { generate, type Locale, locales } from '../../src/insight/index.js'
import { insightFixtures } from '../helpers/fixtures.js'
import { traceBranches } from '../helpers/message-branches.js'
import { refusalOf } from '../helpers/refusal.js'
import { openTemporaryFolder } from '../helpers/temporary.js'

const catalog = suite('catalog')
const { files, hash, patterns, pinnedHash, ruleVersion } = readInsightTexts()

catalog('pins the rule version to the texts: a changed text needs a new one', () => {
  assert.is(pinnedHash, hash, `The texts changed since ${ruleVersion}. svc insight sign gives them a new label.`)
})

catalog('reaches every branch with a fixture; both implementations agree', async () => {
  const compiled = await loadInsightCopy()
  const { all, copy, taken } = traceBranches(patterns)
  for (const { name, payload } of insightFixtures) {
    for (const locale of locales) {
      const expected = generate(payload, { copy, locale }).summary
      assert.is(generate(payload, { copy: compiled, locale }).summary, expected, `${name} ${locale}`)
    }
  }
  const unreached = [...all].filter((branch) => !taken.has(branch))
  assert.equal(unreached, [], 'add a fixture that shows this branch to the reviewers')
})

const copyOfCatalog = (name: string) => {
  const { folder, close } = openTemporaryFolder()
  cpSync(new URL(`../../catalog/${name}/`, import.meta.url), folder, { recursive: true })
  return { folder, url: pathToFileURL(`${folder}/`), close }
}

type Change = (text: string) => string
/** Texts and prompts that are broken in a file of the catalog. */
const [bark, animation, avatar] = ['insight/bark.json', 'prompts/animation.json', 'prompts/avatar.json'] as const
const faults: readonly (readonly [title: string, file: string, change: Change, expected: string])[] = [
  ['broken JSON', bark, () => '{ "BARK_TODAY": ', ' is not valid JSON'],
  ['broken JSON in a line', bark, (text) => text.replace('"BARK_DAY_CALM": {', '"X": '), ', line '],
  ['a list', bark, () => '[]', ' must be a JSON object'],
  ['a missing language', bark, (text) => text.replace('"es"', '"e"'), ', BARK_TODAY: es is missing'],
  [
    'a duplicate text',
    bark,
    (text) => text.replace('{', '{"REST_FACT":{"zh-CN":"a","en-US":"b","es":"c"},'),
    'REST_FACT: the text exists twice',
  ],
  ['broken JSON', avatar, (text) => text.replace('{', ''), ''],
  ['no pose', animation, (text) => text.replace('"sitting"', '"siting"'), ', poses.sitting: en-US is missing'],
  ['a missing language', avatar, (text) => text.replace('"zh-CN"', '"zh"'), ', prompt: zh-CN is missing'],
  [
    'a misspelled part',
    avatar,
    (text) => text.replace('{breed}', '{bred}'),
    ', prompt: en-US has an unknown {bred}, lacks {breed}',
  ],
  [
    'another part',
    animation,
    (text) => text.replace('it runs', '{species} runs'),
    ', poses.running: en-US has an unknown {species}',
  ],
]
for (const [title, file, change, expected] of faults) {
  catalog(`refuses ${title} in ${file} and names the location`, async () => {
    const [part = '', name = ''] = file.split('/')
    const { folder, url, close } = copyOfCatalog(part)
    writeFileSync(join(folder, name), change(readFileSync(join(folder, name), 'utf8')))
    const message = await refusalOf(() => (part === 'insight' ? readInsightTexts(url) : readPrompts(url)))
    close()
    assert.match(message, expected.startsWith('REST_FACT') ? expected : `catalog/${file}${expected}`)
  })
}

const notValid = 'this is not a valid message'
const brokenPatterns: readonly (readonly [title: string, text: string, pattern: string, expected: string])[] = [
  [
    'an unclosed brace',
    'bark.json, BARK_TODAY, es',
    '{lead, {name}',
    'there are 2 opening and 1 closing braces; each { needs a }. Look at “{lead, {name}”.',
  ],
  ['braces around punctuation', 'rest.json, ADVICE_REST, en-US', 'Well{.}', ''],
  [
    'a plural without other',
    'phrases.json, STREAK_DAYS, en-US',
    '{days, plural, one {x}}',
    `${notValid} (No 'other' form found).`,
  ],
  ['a form of other languages', 'phrases.json, STREAK_DAYS, zh-CN', '{days, plural, one {x} other {y}}', notValid],
  [
    'a misspelled argument of a sentence',
    'rest.json, REST_NIGHT_GOOD, en-US',
    '{lead}, {nam} {fact}slept well.',
    '{nam} is not known here and {name} is missing. This text takes {fact} {lead} {name}, in every language.',
  ],
  [
    'a dropped argument of a sentence',
    'rest.json, REST_NIGHT_GOOD, zh-CN',
    '{lead}，{name}睡得不错。',
    '{fact} is missing',
  ],
  [
    'a misspelled argument of a clause',
    'rest.json, WEAR_HINT, es',
    '{worn, select, other {{wear} puesto}}',
    '{wear} is not known here and {wearing} is missing',
  ],
]
for (const [title, text, pattern, expected] of brokenPatterns) {
  catalog(`refuses ${title} and names the location`, async () => {
    const [, id = '', locale] = text.split(', ') as [string, string, Locale]
    const broken = { ...patterns, [locale]: { ...patterns[locale], [id]: pattern } }
    const message = await refusalOf(() => compileMessages({ files, patterns: broken }))
    assert.match(message, `${text}: ${expected}`)
    assert.not.match(message, /\n/)
  })
}

catalog('hashes every letter, but not white space', () => {
  const { folder, url, close } = copyOfCatalog('insight')
  const file = join(folder, 'rest.json')
  writeFileSync(file, JSON.stringify(JSON.parse(readFileSync(file, 'utf8'))))
  assert.is(readInsightTexts(url).hash, hash)
  writeFileSync(file, readFileSync(file, 'utf8').replace('slept well', 'slept Well'))
  assert.is.not(readInsightTexts(url).hash, hash)
  close()
})

catalog.run()
