import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type Draft, parseDraft, rebaseDraft, writeDraft } from '../../src/review/draft.js'
import { reviewTexts } from '../helpers/review.js'

const drafts = suite('draft')
const { files, patterns } = reviewTexts
const draftOf = (id: string): Draft => ({
  id,
  file: `catalog/${files[id]}`,
  about: 'Said for: a test.',
  texts: { 'zh-CN': patterns['zh-CN'][id] ?? '', 'en-US': patterns['en-US'][id] ?? '', es: patterns.es[id] ?? '' },
})

drafts('every text of the catalog comes back as it was, also from an editor that changes white space', () => {
  for (const id of Object.keys(files)) {
    const draft = draftOf(id)
    const written = writeDraft(draft)
    assert.equal(parseDraft(written, draft.texts), draft.texts, id)
    const edited = `\uFEFF${written.replaceAll(/[ \t]+$/gm, '').replaceAll('\n', '\r\n')}\r\n\r\n`
    assert.equal(parseDraft(edited, draft.texts), draft.texts, id)
  }
})

drafts('tells what to keep and how to write', () => {
  const text = writeDraft(draftOf('REST_NIGHT_POOR'))
  assert.match(text, /^# REST_NIGHT_POOR, in catalog\/insight\/rest\.json\n# Said for: a test\.\n/)
  assert.match(text, '# Spanish\nes:\n{lead}, {name} {fact}durmió mal{reasons}{streak}.\n')
})

const written = writeDraft(draftOf('REST_NIGHT_POOR'))
const faults: readonly (readonly [title: string, text: string, expected: string])[] = [
  ['an empty file', '', 'The line zh-CN: above the Chinese text is missing.'],
  ['a language that is gone', written.replace('\nes:\n', '\n'), 'The line es: above the Spanish text is missing.'],
  ['a text that is gone', written.replace(/zh-CN:\n.*\n/, 'zh-CN:\n'), 'The Chinese text is missing.'],
  [
    'a text on two lines',
    written.replace('durmió ', 'durmió\n'),
    'The Spanish text stands on 2 lines; write it on one.',
  ],
  ['a language twice', `${written}es:\nx\n`, 'Spanish (es:) stands there twice.'],
  ['a text above the languages', `Hello\n${written}`, '“Hello” stands above the first language.'],
]
for (const [title, text, expected] of faults) {
  drafts(`refuses ${title} with a sentence`, () => {
    const result = parseDraft(text, draftOf('REST_NIGHT_POOR').texts)
    assert.type(result, 'string')
    assert.match(String(result), expected)
  })
}

drafts('what a draft left as it was is as the catalog has it now', () => {
  const before = { 'zh-CN': 'a', 'en-US': 'b', es: 'c' }
  const now = { 'zh-CN': 'a2', 'en-US': 'b2', es: 'c' }
  const edited = { 'zh-CN': 'a', 'en-US': 'mine', es: 'mine too' }
  assert.equal(rebaseDraft(edited, before, now), { 'zh-CN': 'a2', 'en-US': 'mine', es: 'mine too' })
})

drafts.run()
