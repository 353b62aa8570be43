import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { readInsightSignoff, readInsightTexts } from '../../../src/catalog/catalog.js'
import { judgeTexts, type Patterns, parseSignoff, signTexts } from '../../../src/copydesk/signoff/signoff.js'
import { isSvcError } from '../../../src/errors.js'

const signoff = suite('sign-off')
const { patterns } = readInsightTexts()
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

signoff('keeps the text of the label before, also when a text is signed twice under the new label', () => {
  const former = approved.REST_FACT?.es
  const once = change('REST_FACT', 'es', 'once')
  const twice = change('REST_FACT', 'es', 'twice')
  const wanted = [{ id: 'REST_FACT', locale: 'es' }] as const
  const first = signTexts(approved, once, wanted, signature)
  const second = signTexts(first, twice, wanted, signature)
  const before = { text: former?.text, ruleVersion: former?.ruleVersion }
  for (const signed of [first, second]) assert.equal(signed.REST_FACT?.es?.before, before)
  const next = signTexts(second, once, wanted, { ...signature, ruleVersion: 'after next' })
  assert.equal(next.REST_FACT?.es?.before, { text: 'twice', ruleVersion: 'next' })
  const back = signTexts(first, patterns, wanted, signature)
  assert.is(back.REST_FACT?.es?.before, undefined)
})

signoff('keeps every other entry, and the order, when one text is signed', () => {
  const changed = change('REST_FACT', 'es', 'x')
  const signed = signTexts(approved, changed, [{ id: 'REST_FACT', locale: 'es' }], signature)
  assert.equal(Object.keys(signed), Object.keys(approved))
  assert.equal({ ...signed, REST_FACT: undefined }, { ...approved, REST_FACT: undefined })
})

signoff('ignores an entry whose hash was edited by hand', () => {
  const changed = change('REST_FACT', 'es', 'x')
  const entry = signTexts(approved, changed, [{ id: 'REST_FACT', locale: 'es' }], signature).REST_FACT?.es
  const forged = { ...approved, REST_FACT: { ...approved.REST_FACT, es: { ...entry, text: 'y' } } } as typeof approved
  assert.equal(open(changed, forged), ['REST_FACT es changed'])
})

for (const [value, expected] of [
  [{ texts: { REST_FACT: [] } }, 'texts, REST_FACT must be an object'],
  [{ answers: { REST_FACT: { fr: {} } } }, 'answers, REST_FACT, fr is not a language'],
  [{ texts: { REST_FACT: { es: { text: 'x' } } } }, 'texts, REST_FACT, es lacks hash, sourceHash, by'],
  [{ labels: { x: 1 } }, 'labels must map labels to hashes'],
  [{ wording: undefined }, 'wording must be a hash'],
] as const) {
  signoff(`refuses a file and names the place: ${expected}`, () => {
    const isExpected = (error: unknown) => isSvcError(error) && error.message.includes(expected)
    assert.throws(() => parseSignoff({ ...shipped, ...value }), isExpected)
  })
}

signoff('drops the approval of a deleted text, and keeps translations stale until they are signed again', () => {
  const { REST_FACT: _gone, ...rest } = patterns.es
  const signed = signTexts(approved, { ...patterns, es: rest }, [], signature)
  assert.equal(Object.keys(signed.REST_FACT ?? {}), ['zh-CN', 'en-US'])
  const changed = change('REST_FACT', 'en-US', 'x')
  const again = signTexts(approved, changed, [{ id: 'REST_FACT', locale: 'en-US' }], signature)
  assert.equal(open(changed, again), ['REST_FACT zh-CN stale', 'REST_FACT es stale'])
})

signoff.run()
