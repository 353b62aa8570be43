import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { readInsightSignoff, readInsightTexts } from '../../src/catalog.js'
import { isSvcError } from '../../src/errors.js'
import { judgeTexts, type Patterns, parseSignoff, signTexts } from '../../src/review/signoff.js'

const signoff = suite('sign-off')
const { patterns, ruleVersion } = readInsightTexts()
const shipped = parseSignoff(readInsightSignoff())
const approved = shipped.texts
const signature = { by: 'svc team', date: '2026-10-14', ruleVersion: 'next' }

const change = (id: string, locale: keyof Patterns, text: string): Patterns => ({
  ...patterns,
  [locale]: { ...patterns[locale], [id]: text },
})
const open = (texts: Patterns, entries = approved) =>
  judgeTexts(texts, entries)
    .filter(({ state }) => state !== 'signed')
    .map(({ id, locale, state }) => `${id} ${locale} ${state}`)

signoff('every shipped text is signed in every language', () => {
  assert.equal(open(patterns), [])
  assert.is(judgeTexts(patterns, approved).length, Object.keys(patterns.es).length * 3)
  for (const { entry } of judgeTexts(patterns, approved)) assert.ok(entry?.ruleVersion)
  assert.ok(ruleVersion)
})

signoff('a changed translation is changed, and the other languages are not touched', () => {
  assert.equal(open(change('REST_FACT', 'es', 'x')), ['REST_FACT es changed'])
})

signoff('a changed en-US text makes the other two stale', () => {
  const expected = ['REST_FACT zh-CN stale', 'REST_FACT en-US changed', 'REST_FACT es stale']
  assert.equal(open(change('REST_FACT', 'en-US', 'x')), expected)
})

signoff('the other two stay stale when only the en-US text is signed again', () => {
  const changed = change('REST_FACT', 'en-US', 'x')
  const signed = signTexts(approved, changed, [{ id: 'REST_FACT', locale: 'en-US' }], signature)
  assert.equal(open(changed, signed), ['REST_FACT zh-CN stale', 'REST_FACT es stale'])
  assert.is(signed.REST_FACT?.['en-US']?.ruleVersion, 'next')
  const all = signTexts(signed, changed, judgeTexts(changed, signed), signature)
  assert.equal(open(changed, all), [])
})

signoff('a text that was never approved is unsigned, one that is gone loses its approval', () => {
  assert.equal(open(change('NEW', 'es', 'x')), ['NEW es unsigned'])
  const { REST_FACT: _gone, ...rest } = patterns.es
  const signed = signTexts(approved, { ...patterns, es: rest }, [], signature)
  assert.equal(Object.keys(signed.REST_FACT ?? {}), ['zh-CN', 'en-US'])
})

signoff('signing one text leaves every other entry as it is, in its place', () => {
  const changed = change('REST_FACT', 'es', 'x')
  const signed = signTexts(approved, changed, [{ id: 'REST_FACT', locale: 'es' }], signature)
  assert.equal(Object.keys(signed), Object.keys(approved))
  assert.equal({ ...signed, REST_FACT: undefined }, { ...approved, REST_FACT: undefined })
})

signoff('an entry whose hash was put in by hand approves nothing', () => {
  const changed = change('REST_FACT', 'es', 'x')
  const entry = signTexts(approved, changed, [{ id: 'REST_FACT', locale: 'es' }], signature).REST_FACT?.es
  const forged = { ...approved, REST_FACT: { ...approved.REST_FACT, es: { ...entry, text: 'y' } } } as typeof approved
  assert.equal(open(changed, forged), ['REST_FACT es changed'])
})

for (const [title, value, expected] of [
  ['a list', { texts: { REST_FACT: [] } }, 'texts, REST_FACT must be an object'],
  ['a language that is none', { answers: { REST_FACT: { fr: {} } } }, 'answers, REST_FACT, fr is not a language'],
  [
    'an entry without members',
    { texts: { REST_FACT: { es: { text: 'x' } } } },
    'texts, REST_FACT, es lacks hash, sourceHash, by',
  ],
  ['labels without hashes', { labels: { x: 1 } }, 'labels must be hashes'],
  ['no hash of the rules about words', { wording: undefined }, 'wording must be a hash'],
] as const) {
  signoff(`refuses ${title} and names the text`, () => {
    try {
      parseSignoff({ ...shipped, ...value })
      assert.unreachable()
    } catch (error) {
      assert.ok(isSvcError(error))
      assert.match(error.message, expected)
    }
  })
}

signoff.run()
