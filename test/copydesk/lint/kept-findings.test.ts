import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { readEntries } from '../../../src/copydesk/entries.js'
import type { Finding } from '../../../src/copydesk/finding.js'
import { lintParity } from '../../../src/copydesk/lint/parity.js'
import { lintPatterns } from '../../../src/copydesk/lint/patterns.js'
import { lintWords } from '../../../src/copydesk/lint/words.js'
import { type Locale, locales } from '../../../src/insight/types.js'
import { baseline } from '../../helpers/review-input.js'

const kept = suite('kept findings')
const { wording } = baseline

function readTexts(texts: Readonly<Record<Locale, string>>) {
  const members = locales.map((name) => ({ name, offset: 0, value: texts[name] }))
  return readEntries([{ file: 'insight/x.json', entries: [{ id: 'KEPT', offset: 0, members }] }]).texts
}

const codesOf = (findings: readonly Finding[]) => findings.map(({ code, locale }) => `${code} ${locale}`)

kept('change with the words that are forbidden', () => {
  const texts = readTexts({ 'zh-CN': '平静。', 'en-US': 'Calm.', es: 'Calma.' })
  const banned = { ...wording.bannedWords, test: { 'zh-CN': [], 'en-US': ['calm'], es: [] } }
  assert.equal(codesOf(lintWords(texts, wording)), [])
  assert.equal(codesOf(lintWords(texts, { ...wording, bannedWords: banned })), ['word-banned en-US'])
  assert.equal(codesOf(lintWords(texts, wording)), [])
})

kept('change with the order that is settled, and with the language that was edited', () => {
  const texts = readTexts({ 'zh-CN': '{a} {b}', 'en-US': '{a} {b}', es: '{b} {a}' })
  const find = (rules: typeof wording, ...edited: string[]) => codesOf(lintParity(texts, rules, new Set(edited)))
  assert.equal(find(wording), ['placeholder-order es'])
  assert.equal(find({ ...wording, placeholderOrder: { KEPT: { es: ['b', 'a'] } } }), [])
  assert.equal(find(wording), ['placeholder-order es'])
  assert.equal(find(wording, 'KEPT zh-CN', 'KEPT en-US'), ['placeholder-order zh-CN', 'placeholder-order en-US'])
})

kept('change with the cases that a language may leave out', () => {
  const cases = '{a, select, low {x} other {y}}'
  const texts = readTexts({ 'zh-CN': cases, 'en-US': cases, es: '{a, select, other {y}}' })
  assert.equal(codesOf(lintPatterns(texts, wording)), ['choice-missing es'])
  assert.equal(codesOf(lintPatterns(texts, { ...wording, sameCases: { KEPT: { es: ['low'] } } })), [])
})

kept.run()
