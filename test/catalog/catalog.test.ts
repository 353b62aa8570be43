import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { loadInsightCopy, readInsightTexts, readPrompts } from '../../src/catalog/catalog.js'
import { compileMessages } from '../../src/catalog/message-compiler.js'
import { isSvcError } from '../../src/errors.js'
import { generate, type Locale, locales } from '../../src/insight/index.js'
import { supplements } from '../../src/insight/supplement.js'
import { insightFixtures } from '../helpers/fixtures.js'
import { listContents, traceBranches } from '../helpers/message-branches.js'
import { openTemporaryFolder } from '../helpers/temporary.js'

const catalog = suite('catalog')
const { files, hash, patterns, pinnedHash, ruleVersion } = readInsightTexts()
const ids = Object.keys(patterns['en-US'])

catalog('pins the rule version to the texts: a changed text needs a new one', () => {
  assert.is(pinnedHash, hash, `The texts changed since ${ruleVersion}. svc insight sign gives them a new label.`)
})

catalog('uses every text, and has every text that is used', () => {
  const used = new Set<string>()
  const { copy } = traceBranches(patterns)
  const messages = Object.fromEntries(
    Object.entries(copy.messages['en-US']).map(([id, say]) => [
      id,
      (values: Parameters<typeof say>[0]) => {
        used.add(id)
        return say(values)
      },
    ]),
  )
  const traced = { ...copy, messages: { ...copy.messages, 'en-US': messages } }
  for (const { payload } of insightFixtures) generate(payload, { copy: traced, locale: 'en-US' })
  assert.equal([...used].sort(), [...ids].sort())
  assert.is(supplements.length, 3)
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

catalog('has no single apostrophe, double space or line break in a text', () => {
  for (const locale of locales) {
    for (const id of ids) {
      const text = patterns[locale][id] ?? ''
      assert.not.match(text.replaceAll("''", ''), /'|\s{2}|[\n\t]/, `${id} ${locale}`)
    }
  }
})

catalog('has full-width punctuation and no spaces in Chinese texts', () => {
  for (const id of ids) {
    for (const words of listContents(patterns['zh-CN'][id] ?? '')) {
      assert.not.match(words, /[,;:()!?]|\.(?!\d)| /, id)
    }
  }
})

const copyOfCatalog = () => {
  const { folder, close } = openTemporaryFolder()
  cpSync(new URL('../../catalog/insight/', import.meta.url), folder, { recursive: true })
  return { folder, url: pathToFileURL(`${folder}/`), close }
}

const faults: readonly (readonly [title: string, (text: string) => string, expected: string])[] = [
  ['broken JSON', () => '{ "BARK_TODAY": ', 'catalog/insight/bark.json is not valid JSON'],
  [
    'broken JSON in a line',
    (text) => text.replace('"BARK_DAY_CALM": {', '"BARK_DAY_CALM": '),
    'catalog/insight/bark.json, line ',
  ],
  ['a list', () => '[]', 'catalog/insight/bark.json must be a JSON object'],
  [
    'a missing language',
    (text) => text.replace('"es"', '"es-MX"'),
    'catalog/insight/bark.json, BARK_TODAY: es is missing',
  ],
  [
    'a duplicate text',
    (text) => text.replace('{', '{"REST_FACT":{"zh-CN":"a","en-US":"b","es":"c"},'),
    'REST_FACT: the text exists twice',
  ],
]
for (const [title, change, expected] of faults) {
  catalog(`refuses ${title} and names the location`, () => {
    const { folder, url, close } = copyOfCatalog()
    writeFileSync(join(folder, 'bark.json'), change(readFileSync(join(folder, 'bark.json'), 'utf8')))
    try {
      readInsightTexts(url)
      assert.unreachable()
    } catch (error) {
      assert.ok(isSvcError(error))
      assert.match(error.message, expected)
    } finally {
      close()
    }
  })
}

const brokenPatterns: readonly (readonly [
  title: string,
  id: string,
  locale: Locale,
  pattern: string,
  expected: string,
])[] = [
  [
    'an unclosed brace',
    'BARK_TODAY',
    'es',
    '{lead, {name}',
    'bark.json, BARK_TODAY, es: there are 2 opening and 1 closing braces; each { needs a }. Look at “{lead, {name}”.',
  ],
  ['braces around punctuation', 'ADVICE_REST', 'en-US', 'Well{.}', 'rest.json, ADVICE_REST, en-US:'],
  [
    'a plural without "other"',
    'STREAK_DAYS',
    'en-US',
    '{days, plural, one {x}}',
    'phrases.json, STREAK_DAYS, en-US: this is not a valid message',
  ],
  [
    'a plural form the language does not have',
    'STREAK_DAYS',
    'zh-CN',
    '{days, plural, one {x} other {y}}',
    'phrases.json, STREAK_DAYS, zh-CN: this is not a valid message',
  ],
  [
    'a misspelled argument of a sentence',
    'REST_NIGHT_GOOD',
    'en-US',
    '{lead}, {nam} {fact}slept well.',
    'rest.json, REST_NIGHT_GOOD, en-US: {nam} is not known here and {name} is missing. This text takes {fact} {lead} {name}, in every language.',
  ],
  [
    'a dropped argument of a sentence',
    'REST_NIGHT_GOOD',
    'zh-CN',
    '{lead}，{name}睡得不错。',
    'REST_NIGHT_GOOD, zh-CN: {fact} is missing',
  ],
  [
    'a misspelled argument of a clause',
    'WEAR_HINT',
    'es',
    '{worn, select, other {{wear} puesto}}',
    'rest.json, WEAR_HINT, es: {wear} is not known here and {wearing} is missing',
  ],
]
for (const [title, id, locale, pattern, expected] of brokenPatterns) {
  catalog(`refuses ${title} and names the location`, () => {
    const broken = { ...patterns, [locale]: { ...patterns[locale], [id]: pattern } }
    try {
      compileMessages({ files, patterns: broken })
      assert.unreachable()
    } catch (error) {
      assert.ok(isSvcError(error), String(error))
      assert.match(error.message, expected)
      assert.not.match(error.message, /\n/)
    }
  })
}

catalog('hashes every letter, but not white space', () => {
  const { folder, url, close } = copyOfCatalog()
  const file = join(folder, 'rest.json')
  writeFileSync(file, JSON.stringify(JSON.parse(readFileSync(file, 'utf8'))))
  assert.is(readInsightTexts(url).hash, hash)
  writeFileSync(file, readFileSync(file, 'utf8').replace('slept well', 'slept Well'))
  assert.is.not(readInsightTexts(url).hash, hash)
  close()
})

const promptFaults: readonly (readonly [
  title: string,
  file: string,
  change: (text: string) => string,
  expected: string,
])[] = [
  ['broken JSON', 'avatar.json', (text) => text.replace('{', ''), 'catalog/prompts/avatar.json'],
  [
    'a missing pose',
    'animation.json',
    (text) => text.replace('"sitting"', '"siting"'),
    'catalog/prompts/animation.json, poses.sitting: en-US is missing',
  ],
  [
    'a missing language',
    'avatar.json',
    (text) => text.replace('"zh-CN"', '"zh"'),
    'catalog/prompts/avatar.json, prompt: zh-CN is missing',
  ],
  [
    'a misspelled placeholder',
    'avatar.json',
    (text) => text.replace('{breed}', '{bred}'),
    'avatar.json, prompt: en-US has an unknown {bred}, lacks {breed}',
  ],
  [
    'an unexpected placeholder',
    'animation.json',
    (text) => text.replace('it runs', '{species} runs'),
    'animation.json, poses.running: en-US has an unknown {species}',
  ],
]
for (const [title, file, change, expected] of promptFaults) {
  catalog(`refuses prompts with ${title} and names the location`, () => {
    const { folder, close } = openTemporaryFolder()
    cpSync(new URL('../../catalog/prompts/', import.meta.url), folder, { recursive: true })
    writeFileSync(join(folder, file), change(readFileSync(join(folder, file), 'utf8')))
    try {
      readPrompts(pathToFileURL(`${folder}/`))
      assert.unreachable()
    } catch (error) {
      assert.ok(isSvcError(error))
      assert.match(error.message, expected)
    } finally {
      close()
    }
  })
}

catalog.run()
