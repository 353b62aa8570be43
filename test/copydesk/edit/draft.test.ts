import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type Draft, parseDraft, rebaseDraft, writeDraft } from '../../../src/copydesk/edit/draft.js'
import { reviewTexts } from '../../helpers/review.js'

const drafts = suite('draft')
const { files, patterns } = reviewTexts
const draftOf = (id: string): Draft => ({
  id,
  file: `catalog/${files[id]}`,
  about: 'Said for: a test.',
  texts: { 'zh-CN': patterns['zh-CN'][id] ?? '', 'en-US': patterns['en-US'][id] ?? '', es: patterns.es[id] ?? '' },
})

drafts('round-trips every text of the catalog, also with an editor that changes white space', () => {
  for (const id of Object.keys(files)) {
    const draft = draftOf(id)
    const written = writeDraft(draft)
    assert.equal(parseDraft(written, draft.texts), draft.texts, id)
    const edited = `\uFEFF${written.replaceAll(/[ \t]+$/gm, '').replaceAll('\n', '\r\n')}\r\n\r\n`
    assert.equal(parseDraft(edited, draft.texts), draft.texts, id)
  }
})

drafts('contains the instructions and the texts', () => {
  const text = writeDraft(draftOf('REST_NIGHT_POOR'))
  assert.match(text, /^# REST_NIGHT_POOR, in catalog\/insight\/rest\.json\n# Said for: a test\.\n/)
  assert.match(text, '# Spanish\nes:\n{lead}, {name} {fact}durmió mal{reasons}{streak}.\n')
})

const written = writeDraft(draftOf('REST_NIGHT_POOR'))
const faults: readonly (readonly [title: string, text: string, expected: string])[] = [
  ['an empty file', '', 'The line zh-CN: above the Chinese text is missing.'],
  ['a missing language', written.replace('\nes:\n', '\n'), 'The line es: above the Spanish text is missing.'],
  ['a missing text', written.replace(/zh-CN:\n.*\n/, 'zh-CN:\n'), 'The Chinese text is missing.'],
  ['a text on two lines', written.replace('durmió ', 'durmió\n'), 'The Spanish text has 2 lines; write it on one.'],
  ['a language twice', `${written}es:\nx\n`, 'Spanish (es:) appears twice.'],
  ['a text above the languages', `Hello\n${written}`, '“Hello” is above the first language.'],
]
for (const [title, text, expected] of faults) {
  drafts(`refuses ${title} with a message`, () => {
    const result = parseDraft(text, draftOf('REST_NIGHT_POOR').texts)
    assert.type(result, 'string')
    assert.match(String(result), expected)
  })
}

drafts('takes unchanged texts of a draft from the current catalog', () => {
  const before = { 'zh-CN': 'a', 'en-US': 'b', es: 'c' }
  const now = { 'zh-CN': 'a2', 'en-US': 'b2', es: 'c' }
  const edited = { 'zh-CN': 'a', 'en-US': 'mine', es: 'mine too' }
  assert.equal(rebaseDraft(edited, before, now), { 'zh-CN': 'a2', 'en-US': 'mine', es: 'mine too' })
})

drafts.run()
