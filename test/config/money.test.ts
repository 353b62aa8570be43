import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { formatBudget, parseBudget, parsePrice } from '../../src/config/money.js'

const money = suite('amounts of money')

const budgets: readonly (readonly [string, object | undefined])[] = [
  ['5usd/day', { micros: 5_000_000, per: 'day' }],
  ['$0.5/month', { micros: 500_000, per: 'month' }],
  [' 1.25 USD / day ', { micros: 1_250_000, per: 'day' }],
  ['5/day', { micros: 5_000_000, per: 'day' }],
  ['0usd/day', undefined],
  ['-1usd/day', undefined],
  ['5eur/day', undefined],
  ['5usd', undefined],
  ['5usd/hour', undefined],
  ['1e3usd/day', undefined],
]
for (const [text, expected] of budgets) {
  money(`reads the budget ${text}`, () => assert.equal(parseBudget(text), expected))
}

money('reads prices for the kind of model', () => {
  assert.equal(parsePrice('0.04usd/image', 'image'), { micros: 40_000, per: 'image' })
  assert.equal(parsePrice('0usd/image', 'image'), { micros: 0, per: 'image' })
  assert.equal(parsePrice('0.08usd/second', 'video'), { micros: 80_000, per: 'second' })
  assert.is(parsePrice('0.08usd/second', 'image'), undefined)
  assert.is(parsePrice('0.08usd/image', 'video'), undefined)
})

money('formats a budget as it is read', () => {
  for (const text of ['5usd/day', '0.50usd/month', '0.000001usd/day', '1234567.25usd/day']) {
    const budget = parseBudget(text)
    assert.is(budget && formatBudget(budget), text)
  }
})

money.run()
