import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { checkTexts } from '../../src/copydesk/check.js'
import { judgeText } from '../../src/copydesk/signoff/signoff.js'
import { isSvcError } from '../../src/errors.js'
import { locales } from '../../src/insight/types.js'
import { baseline, baselineTexts, changeFile, changeText } from '../helpers/review-input.js'

const edits = suite('single edits')
const texts = locales.flatMap((locale) =>
  Object.entries(baselineTexts.patterns[locale]).map(([id, text]) => ({ id, locale, text })),
)

/** Letters that a typing error may add: of any script, of the ICU syntax, or invisible ones. */
const letter = fc.oneof(
  fc.string({ minLength: 1, maxLength: 1, unit: 'grapheme' }),
  fc.constantFrom(...'{}#\',.，。 %0123456789aeiou"\\\u200B\u00A0\n'),
)

type Edit = (text: string) => string

/** Inserts, deletes, replaces or swaps one character at a relative position from 0 to 1. */
const edit: fc.Arbitrary<Edit> = fc
  .record({
    kind: fc.constantFrom('insert', 'delete', 'replace', 'swap'),
    place: fc.double({ min: 0, max: 1, noNaN: true }),
    letter,
  })
  .map(({ kind, place, letter: put }) => (text) => {
    const letters = [...text]
    const at = Math.min(letters.length - 1, Math.floor(place * letters.length))
    const next = letters[at + 1] ?? ''
    if (kind === 'insert') letters.splice(at, 0, put)
    else if (kind === 'delete') letters.splice(at, 1)
    else if (kind === 'replace') letters.splice(at, 1, put)
    else letters.splice(at, 2, next, letters[at] ?? '')
    return letters.join('')
  })

/** One edit of each of eight texts: a finding names its text, so that one check can report them all. */
const editedTexts = fc.uniqueArray(
  fc.record({ of: fc.constantFrom(...texts), change: edit }).map(({ of, change }) => ({ ...of, to: change(of.text) })),
  { minLength: 8, maxLength: 8, selector: ({ id }) => id },
)

edits('reports any edit of one character of any text with its text and language', () => {
  fc.assert(
    fc.property(editedTexts, (edited) => {
      const input = edited.reduce((changed, { id, locale, to }) => changeText(id, locale, () => to, changed), baseline)
      const { findings } = checkTexts(input)
      for (const { id, locale, text, to } of edited) {
        const isFound = findings.some((finding) => finding.id === id && finding.locale === locale)
        assert.ok(to === text || isFound, `${id} ${locale}: ${JSON.stringify(to)}`)
      }
    }),
    { numRuns: 10 },
  )
})

edits('detects every character that is deleted, doubled or swapped, in every text and language', () => {
  for (const { id, locale, text } of texts) {
    const { [locale]: entry } = baseline.signoff.texts[id] ?? {}
    const source = baselineTexts.patterns['en-US'][id]
    assert.is(judgeText(text, source, entry), 'signed')
    const letters = [...text]
    for (const [at, own] of letters.entries()) {
      for (const put of ['', own + own, (letters[at + 1] ?? ' ') + own]) {
        const changed = letters.with(at, put).join('')
        if (changed !== text) assert.is(judgeText(changed, source, entry), 'changed', `${id} ${locale}: ${changed}`)
      }
    }
  }
})

edits('reports any edit of one character of a file, or the edit changes no text', () => {
  const names = baseline.sources.map(({ file }) => file.replace(/^insight\/|\.json$/g, ''))
  fc.assert(
    fc.property(fc.constantFrom(...names), edit, (name, change) => {
      const input = changeFile(name, change)
      if (checkTexts(input).findings.length > 0) return
      assert.equal(readLoosely(input.sources), readLoosely(baseline.sources))
    }),
    { numRuns: 30 },
  )
})

/** Parses the files without their notes. */
function readLoosely(sources: typeof baseline.sources): unknown {
  return sources.map(({ content }) => JSON.parse(content, (key, value) => (key === 'note' ? undefined : value)))
}

edits('never throws for any edit', () => {
  fc.assert(
    fc.property(fc.constantFrom(...texts), fc.array(edit, { maxLength: 8 }), ({ id, locale }, changes) => {
      try {
        checkTexts(changeText(id, locale, (text) => changes.reduce((changed, change) => change(changed), text)))
      } catch (error) {
        assert.unreachable(isSvcError(error) ? error.message : String(error))
      }
    }),
    { numRuns: 20 },
  )
})

edits.run()
