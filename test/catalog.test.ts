import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { loadInsightCopy, readInsightTexts } from '../src/catalog.js'
import { isSvcError } from '../src/errors.js'
import { generate, locales, scenarios } from '../src/insight/index.js'
import { supplements } from '../src/insight/supplement.js'
import { compileMessages } from '../src/message-compiler.js'
import { insightFixtures } from './helpers/fixtures.js'
import { listArguments, listContents, traceBranches } from './helpers/message-branches.js'

const catalog = suite('catalog')
const { hash, patterns, pinnedHash, ruleVersion } = readInsightTexts()
const ids = Object.keys(patterns['en-US'])

catalog('the rule version is pinned to the texts: a changed text needs a new one', () => {
  assert.is(
    pinnedHash,
    hash,
    `The texts changed since ${ruleVersion}. Give catalog/insight/version.json a new ruleVersion and this sha256: ${hash}`,
  )
})

catalog('the three languages of a text take the same arguments', () => {
  for (const id of ids) {
    // The Spanish article follows the hour, and only Chinese repeats the unit of a range.
    const ownArguments: Readonly<Record<string, readonly string[]>> = {
      LEAD_TODAY: ['hour'],
      VITAL_RANGE_UNIT: ['metric'],
    }
    const [first, ...others] = locales.map((locale) =>
      listArguments(patterns[locale][id] ?? '').filter((name) => !ownArguments[id]?.includes(name)),
    )
    for (const other of others) assert.equal(other, first, id)
  }
})

catalog('a sentence takes exactly the arguments that its scenario fills', () => {
  for (const { clauses, id } of scenarios) {
    assert.equal(listArguments(patterns['en-US'][id] ?? ''), [...Object.keys(clauses), 'name'].sort(), id)
  }
})

catalog('every text is used and every text that is used exists', () => {
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

catalog('every branch of every text is reached by a fixture, and both readings of it agree', async () => {
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

catalog('no text holds a straight apostrophe by accident, a double space or a line break', () => {
  for (const locale of locales) {
    for (const id of ids) {
      const text = patterns[locale][id] ?? ''
      assert.not.match(text.replaceAll("''", ''), /'|\s{2}|[\n\t]/, `${id} ${locale}`)
    }
  }
})

catalog('Chinese texts use full-width punctuation and no space between scripts', () => {
  for (const id of ids) {
    for (const words of listContents(patterns['zh-CN'][id] ?? '')) {
      assert.not.match(words, /[,;:()!?]|\.(?!\d)| /, id)
    }
  }
})

const copyOfCatalog = () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-catalog-'))
  cpSync(new URL('../catalog/insight/', import.meta.url), folder, { recursive: true })
  return { folder, url: pathToFileURL(`${folder}/`) }
}

const faults: readonly (readonly [title: string, (text: string) => string, expected: string])[] = [
  ['broken JSON', () => '{ "BARK_TODAY": ', 'catalog/insight/bark.json cannot be read'],
  ['a list', () => '[]', 'catalog/insight/bark.json must be a JSON object'],
  [
    'a missing language',
    (text) => text.replace('"es"', '"es-MX"'),
    'catalog/insight/bark.json, BARK_TODAY: es is missing',
  ],
  [
    'a text twice',
    (text) => text.replace('{', '{"REST_FACT":{"zh-CN":"a","en-US":"b","es":"c"},'),
    'REST_FACT: the text exists twice',
  ],
]
for (const [title, change, expected] of faults) {
  catalog(`refuses ${title} and names the place`, () => {
    const { folder, url } = copyOfCatalog()
    writeFileSync(join(folder, 'bark.json'), change(readFileSync(join(folder, 'bark.json'), 'utf8')))
    try {
      readInsightTexts(url)
      assert.unreachable()
    } catch (error) {
      assert.ok(isSvcError(error))
      assert.match(error.message, expected)
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
}

catalog('refuses a broken pattern and names text and language', () => {
  const broken = { ...patterns, es: { ...patterns.es, BARK_TODAY: '{lead, {name}' } }
  try {
    compileMessages(broken)
    assert.unreachable()
  } catch (error) {
    assert.ok(isSvcError(error))
    assert.match(error.message, 'BARK_TODAY in es is not a valid ICU message')
  }
})

catalog('the hash does not depend on white space, and does on every letter', () => {
  const { folder, url } = copyOfCatalog()
  const file = join(folder, 'rest.json')
  writeFileSync(file, JSON.stringify(JSON.parse(readFileSync(file, 'utf8'))))
  assert.is(readInsightTexts(url).hash, hash)
  writeFileSync(file, readFileSync(file, 'utf8').replace('slept well', 'slept Well'))
  assert.is.not(readInsightTexts(url).hash, hash)
  rmSync(folder, { recursive: true })
})

catalog.run()
