import { parse } from '@messageformat/parser'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { listArguments } from '../../src/catalog/message-compiler.js'
import { createPseudoCopy, pseudoPattern } from '../../src/copydesk/pseudo.js'
import { generate } from '../../src/insight/index.js'
import { insightFixtures } from '../helpers/fixtures.js'
import { listContents } from '../helpers/message-branches.js'
import { reviewTexts } from '../helpers/review.js'

const pseudo = suite('pseudo-locale')

pseudo('accents words and makes them 40 % longer; keeps arguments, choices, numbers and apostrophes', () => {
  assert.is(pseudoPattern("{name}''s rest"), "{name}''š ŕéééšţ")
  const pattern = "{count, plural, =0 {did not wake} one {woke # time} other {woke # times}} its breed''s"
  assert.is(
    pseudoPattern(pattern),
    "{count, plural, =0 {ðîîð ñööţ ŵååķéé} one {ŵööķéé # ţîîṁéé} other {ŵööķéé # ţîîṁééš}} îîîţš ƀŕééééð''š",
  )
})

pseudo('keeps the arguments of every text, and replaces every plain letter', () => {
  for (const [id, pattern] of Object.entries(reviewTexts.patterns['en-US'])) {
    const changed = pseudoPattern(pattern)
    assert.equal(listArguments(changed), listArguments(pattern), id)
    assert.not.match(listContents(changed).join(' '), /[A-Za-z]/, id)
    assert.ok(parse(changed).length > 0)
  }
})

pseudo('leaves no plain English word of the catalog in a summary, and keeps names', () => {
  const copy = createPseudoCopy(reviewTexts)
  for (const { name, payload } of insightFixtures) {
    const { summary } = generate(payload, { copy, locale: 'en-US' })
    assert.match(summary, payload.petProfile.name, name)
    assert.not.match(summary.replace(payload.petProfile.name, ''), /\b(the|its|usual|day)\b/i, name)
  }
})

pseudo.run()
